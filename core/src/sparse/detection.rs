//! Finds where a matrix has entries, by its products with groups of columns.
//!
//! A direction that is NaN in a group and zero elsewhere has a product that is not zero in every row where a column of the group has a
//! term, also one that is zero here by chance. The groups are halved until each is one column. Of the pattern of groups that one step has found,
//! the next needs only those halves whose group was in the row; halves that share no row go into one direction, which is a colouring
//! as of any other pattern.

use super::Pattern;
use super::colouring;
use super::compression::Compression;
use super::operator::Operator;
use crate::Real;

/// The pattern of an operator: outputs are rows, inputs are columns.
pub(super) fn pattern<T: Real>(operator: &impl Operator<T>) -> Pattern {
    let (rows, cols) = (operator.outputs(), operator.inputs());
    if rows == 0 || cols == 0 {
        return Pattern::from_entries(rows, cols, []);
    }
    let mut width = cols.next_power_of_two();
    let mut groups = Pattern::dense(rows, 1);
    loop {
        groups = refined(operator, &groups, width);
        if width == 1 {
            return groups;
        }
        width /= 2;
        let count = cols.div_ceil(width);
        let halves = |row: usize| {
            let both = groups.row(row).iter().flat_map(|group| [2 * group, 2 * group + 1]);
            both.filter(|half| *half < count).collect()
        };
        groups = Pattern::from_lists(count, (0..rows).map(halves));
    }
}

/// Of a pattern of groups of `width` columns, what is there.
fn refined<T: Real>(operator: &impl Operator<T>, groups: &Pattern, width: usize) -> Pattern {
    let colours = colouring::columns(groups, &groups.transposed());
    let compression = Compression::of_columns(groups, &colours);
    let seed = |group: usize, direction: &mut [T]| {
        let end = ((group + 1) * width).min(direction.len());
        direction[group * width..end].fill(T::NAN);
    };
    let mut there = vec![false; groups.nnz()];
    // A position outside of the groups is one that was not there a step before: it belongs to a function that does not
    // repeat itself, which the verification of the result finds.
    let _ = compression.sweep(operator, seed, |entry, number| there[entry] = number.to_f64() != 0.0);
    let kept = |row: usize| {
        let begin = groups.row_ptr()[row];
        let all = groups.row(row).iter().enumerate();
        all.filter(|(at, _)| there[begin + at]).map(|(_, group)| *group).collect()
    };
    Pattern::from_lists(groups.cols(), (0..groups.rows()).map(kept))
}
