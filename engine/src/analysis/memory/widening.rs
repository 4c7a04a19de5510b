//! Recursion that walks through memory.
//!
//! `fn sum(x: &[f64]) -> f64 { match x { [] => 0.0, [first, rest @ ..] => first + sum(rest) } }` reads a float at the start of `x`, and so, one call deeper, the next one.
//! Each round over functions that call each other finds one more, without end. After some rounds a cell that has one of its kind before it stands for all at that
//! distance.

use super::{Cell, Spot};

/// Puts one spot with a stride in the place of cells that go on and on: those that were not there `before`. `key` tells which memory they lie in.
pub fn widen<K: Copy + PartialEq>(cells: &mut Vec<(K, Spot, Cell)>, before: &[(K, Spot, Cell)]) {
    let new: Vec<(K, Spot, Cell)> = cells.iter().filter(|cell| !before.contains(cell)).copied().collect();
    for (key, spot, cell) in new.into_iter().filter(|(_, spot, _)| spot.stride == 0) {
        let distance = |(k, s, c): &(K, Spot, Cell)| {
            let is_alike = *k == key && *c == cell && s.stride == 0 && s.offset != spot.offset;
            is_alike.then(|| spot.offset.abs_diff(s.offset))
        };
        let Some(stride) = before.iter().filter_map(distance).min() else { continue };
        let wide = Spot { offset: spot.offset.rem_euclid(stride as i64), stride };
        if stride >= cell.bytes() && !cells.contains(&(key, wide, cell)) {
            cells.push((key, wide, cell));
        }
    }
    let wide: Vec<(K, Spot, Cell)> = cells.iter().filter(|(_, spot, _)| spot.stride > 0).copied().collect();
    cells.retain(|(key, spot, cell)| {
        let is_in = |(k, s, c): &(K, Spot, Cell)| {
            let is_multiple = s.stride > 0 && spot.stride.is_multiple_of(s.stride) && s != spot;
            k == key && c == cell && is_multiple && (spot.offset - s.offset).rem_euclid(s.stride as i64) == 0
        };
        !wide.iter().any(is_in)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: i64, stride: u64, cell: Cell) -> (u32, Spot, Cell) {
        (0, Spot { offset, stride }, cell)
    }

    #[test]
    fn a_row_of_cells_becomes_one_with_a_stride() {
        let (float, bits) = (Cell::Float(8), Cell::Bits(8));
        let before = [at(0, 0, float), at(8, 0, bits), at(16, 0, float), at(24, 0, bits)];
        let mut cells = [&before[..], &[at(32, 0, float), at(40, 0, bits)]].concat();
        widen(&mut cells, &before);
        assert_eq!(cells, [at(0, 16, float), at(8, 16, bits)]);
        let before = cells.clone();
        cells.push(at(16, 0, float));
        widen(&mut cells, &before);
        assert_eq!(cells, before);
    }

    #[test]
    fn a_cell_alone_stays_where_it_is() {
        let before = [at(0, 0, Cell::Pointer)];
        let mut cells = vec![before[0], at(8, 0, Cell::Float(8)), at(4, 0, Cell::Float(4))];
        let all = cells.clone();
        widen(&mut cells, &before);
        assert_eq!(cells, all);
    }
}
