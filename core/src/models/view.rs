//! Matrices in memory with a stride for each direction.

use super::number::Number;

/// How many elements lie between neighbours.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// From a row to the next.
    pub down: isize,
    /// From a column to the next.
    pub across: isize,
}

/// A matrix or, with one column, a vector. How many rows and columns it has is said beside it.
#[derive(Clone, Copy)]
pub(super) struct View<T> {
    /// The element of row 0 and column 0.
    pub data: *mut T,
    /// Where the others are.
    pub layout: Layout,
}

impl Layout {
    /// How far the last row and the last column are from the first.
    #[inline(always)]
    fn reach(self, rows: isize, columns: isize) -> (isize, isize) {
        (rows.wrapping_sub(1).wrapping_mul(self.down), columns.wrapping_sub(1).wrapping_mul(self.across))
    }

    /// A matrix of this layout by its lowest place.
    #[inline(always)]
    pub fn at_low<T>(self, low: *mut T, rows: isize, columns: isize) -> View<T> {
        let (down, across) = self.reach(rows, columns);
        let data = low.wrapping_offset(down.min(0).wrapping_neg()).wrapping_offset(across.min(0).wrapping_neg());
        View { data, layout: self }
    }

    /// Whether no two elements share a place.
    pub fn is_apart(self, rows: isize, columns: isize) -> bool {
        let (down, across) = (self.down.wrapping_abs(), self.across.wrapping_abs());
        (rows <= 1 || down >= 1)
            && (columns <= 1 || across >= 1)
            && (rows <= 1 || columns <= 1 || down >= across.wrapping_mul(columns) || across >= down.wrapping_mul(rows))
    }
}

impl<T: Number> View<T> {
    /// A view by its first element and its strides.
    #[inline(always)]
    pub fn of(data: *const T, down: isize, across: isize) -> View<T> {
        View { data: data.cast_mut(), layout: Layout { down, across } }
    }

    /// Rows as columns.
    #[inline(always)]
    pub fn transposed(self) -> View<T> {
        View::of(self.data, self.layout.across, self.layout.down)
    }

    /// The place of an element.
    #[inline(always)]
    pub fn at(self, row: isize, column: isize) -> *mut T {
        let Layout { down, across } = self.layout;
        self.data.wrapping_offset(row.wrapping_mul(down).wrapping_add(column.wrapping_mul(across)))
    }

    /// The lowest place of a matrix, and how many elements there are from it to the highest.
    #[inline(always)]
    pub fn span(self, rows: isize, columns: isize) -> (*mut T, usize) {
        let (down, across) = self.layout.reach(rows, columns);
        let low = self.data.wrapping_offset(down.min(0).wrapping_add(across.min(0)));
        (low, down.unsigned_abs().wrapping_add(across.unsigned_abs()).wrapping_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, View};

    #[test]
    fn a_matrix_is_found_again_by_its_lowest_place() {
        let numbers: Vec<f64> = (0..12).map(f64::from).collect();
        for (first, down, across, low, size) in
            [(0, 4, 1, 0, 12), (11, -4, -1, 0, 12), (3, 4, -1, 0, 12), (8, -4, 2, 0, 15)]
        {
            let view = View::of(numbers.as_ptr().wrapping_add(first), down, across);
            let (found, length) = view.span(3, 4);
            assert_eq!((found.cast_const(), length), (numbers.as_ptr().wrapping_add(low), size));
            assert_eq!(view.layout.at_low(found, 3, 4).data, view.data);
        }
    }

    #[test]
    fn shared_places_are_seen() {
        let apart = |down, across| Layout { down, across }.is_apart(2, 3);
        assert!(apart(3, 1) && apart(1, 2) && apart(-3, 1) && apart(1, 7));
        assert!(!apart(0, 1) && !apart(2, 1) && !apart(1, 1));
        assert!(Layout { down: 0, across: 1 }.is_apart(1, 3));
    }
}
