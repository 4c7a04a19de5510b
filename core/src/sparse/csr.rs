//! Matrices in compressed rows.

use super::Pattern;
use crate::Real;

/// A sparse matrix in compressed rows: what [`sparse_jacobian`](crate::sparse_jacobian) and
/// [`sparse_hessian`](crate::sparse_hessian) return.
///
/// ```
/// use cotangent::sparse::{Csr, Pattern};
///
/// let pattern = Pattern::from_entries(2, 3, [(0, 0), (0, 2), (1, 1)]);
/// let a = Csr::new(pattern, vec![1.0, 2.0, 3.0]);
/// assert_eq!(a.row_ptr(), [0, 2, 3]);
/// assert_eq!(a.col_idx(), [0, 2, 1]);
/// assert_eq!(a.values(), [1.0, 2.0, 3.0]);
/// assert_eq!(a.to_dense(), [1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Csr<T> {
    pattern: Pattern,
    values: Vec<T>,
}

impl<T> Csr<T> {
    /// The matrix with these values at the places of the pattern, row after row.
    ///
    /// # Panics
    /// If there are more or fewer values than places.
    #[track_caller]
    pub fn new(pattern: Pattern, values: Vec<T>) -> Csr<T> {
        assert_eq!(values.len(), pattern.nnz(), "values of a matrix, and places of its pattern");
        Csr { pattern, values }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.pattern.cols()
    }

    /// Number of values that are stored.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Where each row begins in the other two arrays, and the end of the last: one number more than rows.
    pub fn row_ptr(&self) -> &[usize] {
        self.pattern.row_ptr()
    }

    /// The column of each value, row after row, ascending in each.
    pub fn col_idx(&self) -> &[usize] {
        self.pattern.col_idx()
    }

    /// The values, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Where the values are.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Pattern and values.
    pub fn into_parts(self) -> (Pattern, Vec<T>) {
        (self.pattern, self.values)
    }

    /// Columns and values of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &T)> + '_ {
        let range = self.row_ptr()[row]..self.row_ptr()[row + 1];
        self.col_idx()[range.clone()].iter().copied().zip(&self.values[range])
    }

    /// Row, column and value of everything that is stored, row after row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, &T)> + '_ {
        self.pattern.entries().zip(&self.values).map(|((row, col), value)| (row, col, value))
    }
}

impl<T: Real> Csr<T> {
    /// The value at a place: zero where none is stored.
    ///
    /// # Panics
    /// If the place is outside of the matrix.
    #[track_caller]
    pub fn get(&self, row: usize, col: usize) -> T {
        assert!(col < self.cols(), "column {col} of a matrix of {}", self.cols());
        let start = self.row_ptr()[row];
        self.pattern.row(row).binary_search(&col).map_or(T::default(), |at| self.values[start + at])
    }

    /// The whole matrix, row after row, as [`jacobian`](crate::jacobian) and [`hessian`](crate::hessian) return it.
    pub fn to_dense(&self) -> Vec<T> {
        let mut dense = vec![T::default(); self.rows() * self.cols()];
        for (row, col, value) in self.triplets() {
            dense[row * self.cols() + col] = *value;
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::{Csr, Pattern};

    fn matrix() -> Csr<f32> {
        Csr::new(Pattern::from_entries(3, 2, [(0, 1), (2, 0), (2, 1)]), vec![1.0, 2.0, 3.0])
    }

    #[test]
    fn rows_and_places_are_found() {
        let a = matrix();
        assert_eq!(a.row(2).map(|(col, value)| (col, *value)).collect::<Vec<_>>(), [(0, 2.0), (1, 3.0)]);
        assert_eq!((a.row(1).count(), a.get(0, 1), a.get(0, 0)), (0, 1.0, 0.0));
        assert_eq!(a.triplets().map(|(i, j, v)| (i, j, *v)).next(), Some((0, 1, 1.0)));
    }

    #[test]
    fn parts_make_the_matrix_again() {
        let (pattern, values) = matrix().into_parts();
        assert_eq!(Csr::new(pattern, values), matrix());
    }

    #[test]
    #[should_panic(expected = "column 2 of a matrix of 2")]
    fn a_place_outside_has_no_value() {
        matrix().get(0, 2);
    }

    #[test]
    #[should_panic(expected = "values of a matrix")]
    fn there_is_a_value_for_each_place() {
        let _ = Csr::new(Pattern::dense(2, 2), vec![1.0]);
    }
}
