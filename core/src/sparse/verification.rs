//! Holds a sparse matrix against one more product, so that an entry outside of its pattern is not lost silently.

use super::Csr;
use super::operator::{Lanes, Operator};
use crate::Real;
use crate::tape::Frame;

/// The pattern that a derivative was asked for in lacks an entry which is there.
///
/// What to do: add the entry, or detect the pattern at this point with [`Pattern::of_jacobian`](super::Pattern::of_jacobian) or
/// [`Pattern::of_hessian`](super::Pattern::of_hessian), and join it with the one at hand ([`Pattern::union`](super::Pattern::union)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MissingEntry {
    /// An entry of this row is not in the pattern.
    InRow(usize),
    /// An entry of this column is not in the pattern.
    InColumn(usize),
}

impl std::fmt::Display for MissingEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, number) = match self {
            MissingEntry::InRow(row) => ("row", row),
            MissingEntry::InColumn(col) => ("column", col),
        };
        write!(
            f,
            "the sparsity pattern lacks an entry in {line} {number} that the derivative has at this point: add it, or detect the \
             pattern here"
        )
    }
}

impl std::error::Error for MissingEntry {}

/// The direction: numbers of both signs and of no simple ratio, the same at every run.
fn weight(index: usize) -> f64 {
    let mut bits = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let size = 0.5 + ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    if bits & 1 == 0 { size } else { -size }
}

/// Compares the operator's product with that of the matrix, whose rows are the operator's inputs where it is `transposed`.
///
/// # Errors
/// The first position of the product where they differ by more than rounding.
pub(super) fn verify<T: Real>(operator: &impl Operator<T>, matrix: &Csr<T>, transposed: bool) -> Result<(), usize> {
    let frame = Frame::new();
    let mut lanes = Lanes::new(&frame, operator);
    // The sum of the terms of each position, and of their sizes.
    let (sums, sizes) = (frame.zeros::<f64>(operator.outputs()), frame.zeros::<f64>(operator.outputs()));
    for (input, place) in lanes.directions[0].iter_mut().enumerate() {
        *place = T::from_f64(weight(input));
    }
    for (row, col, number) in matrix.triplets() {
        let (input, output) = if transposed { (row, col) } else { (col, row) };
        let term = number.to_f64() * lanes.directions[0][input].to_f64();
        sums[output] += term;
        sizes[output] += term.abs();
    }
    operator.apply(&mut lanes, 1);
    let differs = |position: usize| {
        let off = (lanes.products[0][position].to_f64() - sums[position]).abs();
        // Infinities and NaN in the matrix itself leave nothing to compare; in the product alone they are a difference.
        sizes[position].is_finite() && (off.is_nan() || off > T::TOLERANCE * sizes[position])
    };
    match (0..operator.outputs()).find(|position| differs(*position)) {
        Some(position) => Err(position),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MissingEntry, weight};

    #[test]
    fn weights_are_neither_small_nor_alike() {
        let mut all: Vec<f64> = (0..1000).map(weight).collect();
        assert!(all.iter().all(|weight| (0.5..1.5).contains(&weight.abs())));
        assert!(all.iter().filter(|weight| **weight < 0.0).count() > 400);
        all.sort_by(f64::total_cmp);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_message_says_where_and_what_to_do() {
        let text = MissingEntry::InRow(3).to_string();
        assert!(text.contains("row 3") && text.contains("detect the pattern here"), "{text}");
    }
}
