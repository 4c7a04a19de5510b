//! Conversions to and from `faer`.

use super::{Csr, Pattern};
use faer::sparse::{SparseRowMat, SymbolicSparseRowMat};

impl<T> From<Csr<T>> for SparseRowMat<usize, T> {
    /// The same three arrays, moved.
    fn from(matrix: Csr<T>) -> SparseRowMat<usize, T> {
        let (pattern, values) = matrix.into_parts();
        SparseRowMat::new(SymbolicSparseRowMat::from(pattern), values)
    }
}

impl From<Pattern> for SymbolicSparseRowMat<usize> {
    /// The same two arrays, moved.
    fn from(pattern: Pattern) -> SymbolicSparseRowMat<usize> {
        let (rows, cols) = (pattern.rows(), pattern.cols());
        let (row_ptr, col_idx) = pattern.into_arrays();
        SymbolicSparseRowMat::new_checked(rows, cols, row_ptr, None, col_idx)
    }
}

impl<T: Clone> From<&SparseRowMat<usize, T>> for Csr<T> {
    /// What is stored, explicit zeros included.
    ///
    /// # Panics
    /// If a place is stored twice.
    fn from(matrix: &SparseRowMat<usize, T>) -> Csr<T> {
        let (symbolic, values) = matrix.parts();
        let stored = |row: usize| symbolic.col_idx_of_row_raw(row).iter().zip(&values[symbolic.row_range(row)]);
        let mut sorted = Vec::new();
        for row in 0..symbolic.nrows() {
            let mut list: Vec<(usize, &T)> = stored(row).map(|(col, value)| (*col, value)).collect();
            list.sort_by_key(|(col, _)| *col);
            sorted.extend(list.into_iter().map(|(_, value)| value.clone()));
        }
        let places = (0..symbolic.nrows()).flat_map(|row| stored(row).map(move |(col, _)| (row, *col)));
        Csr::new(Pattern::from_entries(symbolic.nrows(), symbolic.ncols(), places), sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::{Csr, Pattern, SparseRowMat};
    use faer::Col;
    use faer::sparse::Triplet;

    #[test]
    fn a_jacobian_is_multiplied_there() {
        let f = |x: &[f64], y: &mut [f64]| y.iter_mut().zip(x.windows(2)).for_each(|(y, w)| *y = w[0] * w[1]);
        let j: SparseRowMat<usize, f64> = crate::sparse_jacobian(f, &[1.0, 2.0, 3.0], 2).unwrap().into();
        // The rows are (2, 1, 0) and (0, 3, 2).
        let product = &j * &Col::from_fn(3, |i| i as f64);
        assert_eq!((product[0], product[1]), (1.0, 7.0));
    }

    #[test]
    fn a_matrix_goes_there_and_back() {
        let pattern = Pattern::from_entries(3, 4, [(0, 3), (2, 0), (2, 2)]);
        let matrix = Csr::new(pattern, vec![1.0, 2.0, 3.0]);
        let theirs = SparseRowMat::from(matrix.clone());
        assert_eq!((theirs.nrows(), theirs.ncols(), theirs.get(2, 2), theirs.get(1, 1)), (3, 4, Some(&3.0), None));
        assert_eq!(Csr::from(&theirs), matrix);
    }

    #[test]
    fn triplets_in_any_order_are_rows() {
        let triplets = [Triplet::new(1, 0, 5.0), Triplet::new(0, 2, 7.0), Triplet::new(0, 0, 3.0)];
        let theirs = SparseRowMat::<usize, f64>::try_new_from_triplets(2, 3, &triplets).unwrap();
        assert_eq!(Csr::from(&theirs).to_dense(), [3.0, 0.0, 7.0, 5.0, 0.0, 0.0]);
    }
}
