//! Sparse Jacobians.

use super::colouring::{self, Colours};
use super::compression::Compression;
use super::operator::{Jacobian, Transposed};
use super::verification::{MissingEntry, verify};
use super::{Csr, Pattern, detection};
use crate::Real;

/// The Jacobian of `f` at `x`, `m` rows, of which most entries are zero.
///
/// Finds its [`Pattern`] at `x`, colours it and runs as many sweeps as there are colours, and one to verify the result. For more than one
/// point, do the first two once: see the [module](crate::sparse). The closure is as in [`jacobian`](crate::jacobian).
///
/// ```
/// use cotangent::sparse_jacobian;
///
/// let f = |x: &[f64], y: &mut [f64]| {
///     for i in 0..y.len() {
///         y[i] = x[i] * x[i] + 3.0 * x[i + 1];
///     }
/// };
/// let j = sparse_jacobian(f, &[1.0, 2.0, 3.0, 4.0], 3)?;
/// assert_eq!(j.row_ptr(), [0, 2, 4, 6]);
/// assert_eq!(j.col_idx(), [0, 1, 1, 2, 2, 3]);
/// assert_eq!(j.values(), [2.0, 3.0, 4.0, 3.0, 6.0, 3.0]);
/// # Ok::<(), cotangent::sparse::MissingEntry>(())
/// ```
///
/// # Errors
/// [`MissingEntry`] where the detection has overlooked an entry, which takes a rule that hides NaN.
///
/// # Panics
/// Where `f` does.
pub fn sparse_jacobian<T: Real, F: Fn(&[T], &mut [T])>(f: F, x: &[T], m: usize) -> Result<Csr<T>, MissingEntry> {
    JacobianColouring::new(&Pattern::of_jacobian(&f, x, m)).evaluate(f, x)
}

impl Pattern {
    /// Where the Jacobian of `f`, of `m` rows, has entries at `x`; the [module](crate::sparse#how-a-pattern-is-detected) says how.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let f = |x: &[f64], y: &mut [f64]| {
    ///     y[0] = x[0] * x[2];
    ///     y[1] = x[1].exp();
    /// };
    /// // The entry at (0, 2) has the value zero at this point, and is there.
    /// let pattern = Pattern::of_jacobian(f, &[0.0, 1.0, 5.0], 2);
    /// assert_eq!(pattern, Pattern::from_entries(2, 3, [(0, 0), (0, 2), (1, 1)]));
    /// ```
    ///
    /// # Panics
    /// Where `f` does.
    pub fn of_jacobian<T: Real, F: Fn(&[T], &mut [T])>(f: F, x: &[T], m: usize) -> Pattern {
        if m < x.len() {
            detection::pattern(&Transposed { f: &f, x, results: m }).transposed()
        } else {
            detection::pattern(&Jacobian { f: &f, x, results: m })
        }
    }
}

/// A way to get a Jacobian of a known pattern in few sweeps.
///
/// Colours the columns, for forward sweeps (of which several are run at once), and the rows, for reverse sweeps, and takes what needs
/// fewer.
///
/// ```
/// use cotangent::sparse::{JacobianColouring, Pattern};
///
/// // One result depends on everything, the others on a variable each: as few reverse sweeps as columns have entries.
/// let pattern = Pattern::from_entries(9, 8, (0..8).flat_map(|i| [(i, i), (8, i)]));
/// let colouring = JacobianColouring::new(&pattern);
/// assert_eq!((colouring.is_forward(), colouring.sweeps()), (false, 2));
/// ```
#[derive(Clone, Debug)]
pub struct JacobianColouring {
    pattern: Pattern,
    colours: Colours,
    forward: bool,
    compression: Compression,
}

impl JacobianColouring {
    /// Colours columns or rows, whichever needs fewer colours; columns where both need as many.
    pub fn new(pattern: &Pattern) -> JacobianColouring {
        let transposed = pattern.transposed();
        // No colouring of the columns has fewer colours than the fullest row has entries: this may make one of the two needless.
        let fullest = |pattern: &Pattern| (0..pattern.rows()).map(|row| pattern.row(row).len()).max().unwrap_or(0);
        let (least_forward, least_reverse) = (fullest(pattern), fullest(&transposed));
        if least_forward <= least_reverse {
            let columns = colouring::columns(pattern, &transposed);
            if columns.count <= least_reverse {
                return JacobianColouring::forward(pattern, columns);
            }
            let rows = colouring::columns(&transposed, pattern);
            if rows.count < columns.count {
                JacobianColouring::reverse(pattern, rows)
            } else {
                JacobianColouring::forward(pattern, columns)
            }
        } else {
            let rows = colouring::columns(&transposed, pattern);
            if rows.count < least_forward {
                return JacobianColouring::reverse(pattern, rows);
            }
            let columns = colouring::columns(pattern, &transposed);
            if rows.count < columns.count {
                JacobianColouring::reverse(pattern, rows)
            } else {
                JacobianColouring::forward(pattern, columns)
            }
        }
    }

    fn forward(pattern: &Pattern, colours: Colours) -> JacobianColouring {
        let compression = Compression::of_columns(pattern, &colours);
        JacobianColouring { pattern: pattern.clone(), colours, forward: true, compression }
    }

    fn reverse(pattern: &Pattern, colours: Colours) -> JacobianColouring {
        let compression = Compression::of_rows(pattern, &colours);
        JacobianColouring { pattern: pattern.clone(), colours, forward: false, compression }
    }

    /// Number of sweeps of an evaluation: of colours. One more verifies the result.
    pub fn sweeps(&self) -> usize {
        self.compression.colours()
    }

    /// Whether columns are coloured, for forward sweeps; otherwise rows are, for reverse sweeps.
    pub fn is_forward(&self) -> bool {
        self.forward
    }

    /// The colour of each column, or row where [`is_forward`](JacobianColouring::is_forward) says no.
    pub fn colours(&self) -> &[usize] {
        &self.colours.of
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The Jacobian of `f` at `x`.
    ///
    /// # Errors
    /// [`MissingEntry`] where the Jacobian has an entry outside of the pattern.
    ///
    /// # Panics
    /// If `x` has another length than the pattern has columns, and where `f` does.
    #[track_caller]
    pub fn evaluate<T: Real, F: Fn(&[T], &mut [T])>(&self, f: F, x: &[T]) -> Result<Csr<T>, MissingEntry> {
        let mut matrix = Csr::new(self.pattern.clone(), vec![T::default(); self.pattern.nnz()]);
        self.evaluate_into(f, x, &mut matrix)?;
        Ok(matrix)
    }

    /// Writes the Jacobian of `f` at `x` to a matrix that an evaluation has returned earlier. Allocates nothing.
    ///
    /// # Errors
    /// [`MissingEntry`] where the Jacobian has an entry outside of the pattern. The matrix then holds no Jacobian.
    ///
    /// # Panics
    /// If `x` has another length than the pattern has columns, or the matrix another pattern; and where `f` does.
    #[track_caller]
    pub fn evaluate_into<T: Real, F: Fn(&[T], &mut [T])>(
        &self,
        f: F,
        x: &[T],
        matrix: &mut Csr<T>,
    ) -> Result<(), MissingEntry> {
        super::check_sizes(&self.pattern, x, matrix);
        let results = self.pattern.rows();
        if self.forward {
            let operator = Jacobian { f: &f, x, results };
            let seed = |col: usize, direction: &mut [T]| direction[col] = T::ONE;
            let swept = self.compression.sweep(&operator, seed, |entry, number| matrix.values_mut()[entry] = number);
            swept.and_then(|()| verify(&operator, matrix, false)).map_err(MissingEntry::InRow)
        } else {
            let operator = Transposed { f: &f, x, results };
            let seed = |row: usize, direction: &mut [T]| direction[row] = T::ONE;
            let swept = self.compression.sweep(&operator, seed, |entry, number| matrix.values_mut()[entry] = number);
            swept.and_then(|()| verify(&operator, matrix, true)).map_err(MissingEntry::InColumn)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JacobianColouring;
    use crate::sparse::Pattern;

    #[test]
    fn whichever_needs_fewer_colours_is_taken() {
        let band = JacobianColouring::new(&Pattern::banded(40, 40, 1, 1));
        assert_eq!((band.is_forward(), band.sweeps()), (true, 3));
        let full_row = Pattern::from_entries(20, 20, (0..20).flat_map(|i| [(i, i), (0, i)]));
        let rows = JacobianColouring::new(&full_row);
        assert_eq!((rows.is_forward(), rows.sweeps()), (false, 2));
        let columns = JacobianColouring::new(&full_row.transposed());
        assert_eq!((columns.is_forward(), columns.sweeps()), (true, 2));
        let both = full_row.union(&full_row.transposed());
        assert_eq!(JacobianColouring::new(&both).sweeps(), 20);
        let (wide, tall) = (Pattern::dense(3, 7), Pattern::dense(7, 3));
        assert_eq!([wide, tall].map(|pattern| JacobianColouring::new(&pattern).sweeps()), [3, 3]);
    }

    #[test]
    fn an_empty_pattern_needs_no_colour_of_rows() {
        assert_eq!(JacobianColouring::new(&Pattern::from_entries(0, 4, [])).sweeps(), 0);
        assert_eq!(JacobianColouring::new(&Pattern::from_entries(4, 0, [])).sweeps(), 0);
    }
}
