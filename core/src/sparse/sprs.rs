//! Conversions to and from `sprs`.

use super::{Csr, Pattern};
use sprs::{CsMat, CsMatI, SpIndex};

impl<T> From<Csr<T>> for CsMat<T> {
    /// The same three arrays, moved.
    ///
    /// ```
    /// use cotangent::sparse_hessian;
    /// use sprs::CsMat;
    ///
    /// let f = |x: &[f64]| x.windows(2).map(|w| w[0] * w[1] * w[1]).sum();
    /// let h: CsMat<f64> = sparse_hessian(f, &[1.0, 2.0, 3.0])?.into();
    /// assert_eq!((h.nnz(), h.get(0, 1), h.get(1, 2), h.get(2, 2)), (6, Some(&4.0), Some(&6.0), Some(&4.0)));
    /// # Ok::<(), cotangent::sparse::MissingEntry>(())
    /// ```
    fn from(matrix: Csr<T>) -> CsMat<T> {
        let (pattern, values) = matrix.into_parts();
        let size = (pattern.rows(), pattern.cols());
        let (row_ptr, col_idx) = pattern.into_arrays();
        CsMat::new(size, row_ptr, col_idx, values)
    }
}

impl<T: Clone, I: SpIndex, P: SpIndex> From<&CsMatI<T, I, P>> for Csr<T> {
    /// What is stored, explicit zeros included; a matrix in compressed columns is brought into rows.
    fn from(matrix: &CsMatI<T, I, P>) -> Csr<T> {
        let pattern = Pattern::from(matrix);
        let mut values = Vec::with_capacity(pattern.nnz());
        for (row, col) in pattern.entries() {
            values.extend(matrix.get(row, col).cloned());
        }
        Csr::new(pattern, values)
    }
}

impl<T, I: SpIndex, P: SpIndex> From<&CsMatI<T, I, P>> for Pattern {
    /// Where something is stored, explicit zeros included.
    fn from(matrix: &CsMatI<T, I, P>) -> Pattern {
        let places = matrix.iter().map(|(_, (row, col))| (row.index(), col.index()));
        Pattern::from_entries(matrix.rows(), matrix.cols(), places)
    }
}

#[cfg(test)]
mod tests {
    use super::{Csr, Pattern};
    use sprs::{CsMat, TriMat};

    #[test]
    fn a_matrix_goes_there_and_back() {
        let pattern = Pattern::from_entries(3, 4, [(0, 3), (2, 0), (2, 2)]);
        let matrix = Csr::new(pattern.clone(), vec![1.0, 2.0, 3.0]);
        let theirs = CsMat::from(matrix.clone());
        assert_eq!((theirs.rows(), theirs.cols(), theirs.get(2, 2), theirs.get(1, 1)), (3, 4, Some(&3.0), None));
        assert_eq!((Csr::from(&theirs), Pattern::from(&theirs)), (matrix, pattern));
    }

    #[test]
    fn columns_become_rows() {
        let mut triplets = TriMat::new((2, 3));
        [(1, 0, 5.0), (0, 2, 7.0), (0, 0, 3.0)].iter().for_each(|(i, j, v)| triplets.add_triplet(*i, *j, *v));
        let theirs: CsMat<f64> = triplets.to_csc();
        let ours = Csr::from(&theirs);
        assert_eq!(ours.to_dense(), [3.0, 0.0, 7.0, 5.0, 0.0, 0.0]);
    }
}
