//! Where a matrix may have entries.

/// The places of a matrix that may be other than zero, in compressed rows.
///
/// ```
/// use cotangent::sparse::Pattern;
///
/// let pattern = Pattern::from_entries(2, 3, [(1, 2), (0, 0), (1, 0)]);
/// assert_eq!((pattern.rows(), pattern.cols(), pattern.nnz()), (2, 3, 3));
/// assert_eq!(pattern.row(1), [0, 2]);
/// assert!(!pattern.contains(0, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    cols: usize,
    /// Where each row begins, and the end of the last.
    row_ptr: Vec<usize>,
    /// The columns of each row, ascending.
    col_idx: Vec<usize>,
}

impl Pattern {
    /// The pattern with these places, given as row and column in any order; the same place may come twice.
    ///
    /// # Panics
    /// If a row or column is outside of the matrix.
    #[track_caller]
    pub fn from_entries(rows: usize, cols: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
        let mut lists = vec![Vec::new(); rows];
        for (row, col) in entries {
            assert!(row < rows && col < cols, "the place ({row}, {col}) is outside of a {rows} by {cols} matrix");
            lists[row].push(col);
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        Pattern::from_lists(cols, lists)
    }

    /// The band from `below` places below the diagonal to `above` places above it.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// assert_eq!(Pattern::banded(3, 3, 1, 0).row(2), [1, 2]);
    /// ```
    pub fn banded(rows: usize, cols: usize, below: usize, above: usize) -> Pattern {
        let row = |row: usize| {
            let end = row.saturating_add(above).saturating_add(1).min(cols);
            (row.saturating_sub(below).min(end)..end).collect()
        };
        Pattern::from_lists(cols, (0..rows).map(row))
    }

    /// Every place: a dense matrix.
    pub fn dense(rows: usize, cols: usize) -> Pattern {
        Pattern::from_lists(cols, (0..rows).map(|_| (0..cols).collect()))
    }

    /// One list of columns, ascending, for each row.
    pub(crate) fn from_lists(cols: usize, lists: impl IntoIterator<Item = Vec<usize>>) -> Pattern {
        let (mut row_ptr, mut col_idx) = (vec![0], Vec::new());
        for list in lists {
            col_idx.extend(list);
            row_ptr.push(col_idx.len());
        }
        Pattern { cols, row_ptr, col_idx }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_ptr.len() - 1
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of places.
    pub fn nnz(&self) -> usize {
        self.col_idx.len()
    }

    /// Where each row begins in [`col_idx`](Pattern::col_idx), and the end of the last: one number more than rows.
    pub fn row_ptr(&self) -> &[usize] {
        &self.row_ptr
    }

    /// The column of each place, row after row, ascending in each.
    pub fn col_idx(&self) -> &[usize] {
        &self.col_idx
    }

    /// The columns of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, row: usize) -> &[usize] {
        &self.col_idx[self.row_ptr[row]..self.row_ptr[row + 1]]
    }

    /// Whether a place is in the pattern.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn contains(&self, row: usize, col: usize) -> bool {
        self.row(row).binary_search(&col).is_ok()
    }

    /// Where rows begin, and columns.
    #[cfg(any(feature = "sprs", feature = "faer"))]
    pub(super) fn into_arrays(self) -> (Vec<usize>, Vec<usize>) {
        (self.row_ptr, self.col_idx)
    }

    /// All places, row after row.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |col| (row, *col)))
    }

    /// Rows and columns exchanged.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let pattern = Pattern::banded(2, 5, 0, 1);
    /// assert_eq!(pattern.transposed().transposed(), pattern);
    /// ```
    #[must_use]
    pub fn transposed(&self) -> Pattern {
        let mut row_ptr = vec![0; self.cols + 1];
        for col in &self.col_idx {
            row_ptr[col + 1] += 1;
        }
        for col in 0..self.cols {
            row_ptr[col + 1] += row_ptr[col];
        }
        let (mut next, mut col_idx) = (row_ptr.clone(), vec![0; self.nnz()]);
        for (row, col) in self.entries() {
            col_idx[next[col]] = row;
            next[col] += 1;
        }
        Pattern { cols: self.rows(), row_ptr, col_idx }
    }

    /// The places of either pattern, such as those of two points.
    ///
    /// # Panics
    /// If the matrices differ in size.
    #[must_use]
    #[track_caller]
    pub fn union(&self, other: &Pattern) -> Pattern {
        let (size, others) = ((self.rows(), self.cols), (other.rows(), other.cols));
        assert_eq!(size, others, "patterns of matrices of different sizes");
        Pattern::from_entries(size.0, size.1, self.entries().chain(other.entries()))
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn entries_are_sorted_and_single() {
        let pattern = Pattern::from_entries(3, 4, [(2, 3), (0, 1), (2, 0), (2, 3)]);
        assert_eq!((pattern.row_ptr(), pattern.col_idx()), (&[0, 1, 1, 3][..], &[1, 0, 3][..]));
        assert_eq!(pattern.entries().collect::<Vec<_>>(), [(0, 1), (2, 0), (2, 3)]);
    }

    #[test]
    fn bands_end_at_the_edges() {
        assert_eq!(Pattern::banded(2, 2, 9, usize::MAX), Pattern::dense(2, 2));
        let tall = Pattern::banded(5, 2, 1, 0);
        assert_eq!(tall.entries().collect::<Vec<_>>(), [(0, 0), (1, 0), (1, 1), (2, 1)]);
    }

    #[test]
    fn empty_matrices_are_patterns() {
        for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
            let pattern = Pattern::dense(rows, cols);
            assert_eq!((pattern.nnz(), pattern.transposed()), (0, Pattern::dense(cols, rows)));
        }
    }

    #[test]
    fn the_transpose_has_each_place_exchanged() {
        let pattern = Pattern::from_entries(3, 4, [(0, 3), (1, 1), (2, 0), (2, 3)]);
        let expected = Pattern::from_entries(4, 3, pattern.entries().map(|(row, col)| (col, row)));
        assert_eq!(pattern.transposed(), expected);
    }

    #[test]
    #[should_panic(expected = "(3, 0) is outside of a 3 by 4 matrix")]
    fn a_place_outside_is_refused() {
        let _ = Pattern::from_entries(3, 4, [(3, 0)]);
    }

    #[test]
    #[should_panic(expected = "different sizes")]
    fn patterns_of_different_sizes_have_no_union() {
        let _ = Pattern::dense(2, 3).union(&Pattern::dense(3, 2));
    }
}
