//! Sparse Hessians.

use super::colouring::{self, Colours};
use super::compression::Compression;
use super::operator::Hessian;
use super::verification::{MissingEntry, verify};
use super::{Csr, Pattern, detection};
use crate::Real;

/// The Hessian of `f` at `x`, of which most entries are zero.
///
/// Finds its [`Pattern`] at `x`, colours it and runs as many sweeps over the gradient as there are colours, and one to verify the result.
/// For more than one point, do the first two once: see the [module](crate::sparse).
///
/// ```
/// use cotangent::sparse_hessian;
///
/// let f = |x: &[f64]| x.windows(2).map(|w| w[0] * w[0] * w[1]).sum();
/// let h = sparse_hessian(f, &[1.0, 2.0, 3.0])?;
/// assert_eq!(h.to_dense(), [4.0, 2.0, 0.0, 2.0, 6.0, 4.0, 0.0, 4.0, 0.0]);
/// // The zero at (2, 2) is not stored: nothing depends on the square of the last variable.
/// assert_eq!(h.nnz(), 6);
/// # Ok::<(), cotangent::sparse::MissingEntry>(())
/// ```
///
/// # Errors
/// [`MissingEntry`] where the detection has overlooked an entry, which takes a rule that hides NaN.
///
/// # Panics
/// Where `f` does.
pub fn sparse_hessian<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T]) -> Result<Csr<T>, MissingEntry> {
    HessianColouring::new(&Pattern::of_hessian(&f, x)).evaluate(f, x)
}

impl Pattern {
    /// Where the Hessian of `f` has entries at `x`; the [module](crate::sparse#how-a-pattern-is-detected) says how.
    ///
    /// ```
    /// use cotangent::sparse::Pattern;
    ///
    /// let pattern = Pattern::of_hessian(|x: &[f64]| x[0] * x[1] + x[2], &[1.0, 2.0, 3.0]);
    /// assert_eq!(pattern, Pattern::from_entries(3, 3, [(0, 1), (1, 0)]));
    /// ```
    ///
    /// # Panics
    /// Where `f` does.
    pub fn of_hessian<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T]) -> Pattern {
        let pattern = detection::pattern(&Hessian { f: &f, x });
        pattern.union(&pattern.transposed())
    }
}

/// A way to get a Hessian of a known pattern in few sweeps over the gradient.
///
/// The colouring makes use of the symmetry: of an entry and its mirror image, one is alone in its row among the columns of its
/// colour. An arrow, one full row and column beside the diagonal, needs two sweeps.
///
/// ```
/// use cotangent::sparse::{HessianColouring, Pattern};
///
/// let arrow = Pattern::from_entries(50, 50, (0..50).flat_map(|i| [(i, i), (0, i), (i, 0)]));
/// assert_eq!(HessianColouring::new(&arrow).sweeps(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct HessianColouring {
    pattern: Pattern,
    colours: Colours,
    compression: Compression,
}

impl HessianColouring {
    /// Colours the variables. Where only one of two mirror images is in the pattern, both are added.
    ///
    /// # Panics
    /// If the pattern is not square.
    #[track_caller]
    pub fn new(pattern: &Pattern) -> HessianColouring {
        assert_eq!(pattern.rows(), pattern.cols(), "the pattern of a Hessian is square");
        let pattern = pattern.union(&pattern.transposed());
        let colours = colouring::star(&pattern);
        let compression = Compression::of_symmetric(&pattern, &colours);
        HessianColouring { pattern, colours, compression }
    }

    /// Number of sweeps of an evaluation: of colours. One more verifies the result.
    pub fn sweeps(&self) -> usize {
        self.compression.colours()
    }

    /// The colour of each variable.
    pub fn colours(&self) -> &[usize] {
        &self.colours.of
    }

    /// The pattern, symmetric.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The Hessian of `f` at `x`.
    ///
    /// # Errors
    /// [`MissingEntry`] where the Hessian has an entry outside of the pattern.
    ///
    /// # Panics
    /// If `x` has another length than the pattern has columns, and where `f` does.
    #[track_caller]
    pub fn evaluate<T: Real, F: Fn(&[T]) -> T>(&self, f: F, x: &[T]) -> Result<Csr<T>, MissingEntry> {
        let mut matrix = Csr::new(self.pattern.clone(), vec![T::default(); self.pattern.nnz()]);
        self.evaluate_into(f, x, &mut matrix)?;
        Ok(matrix)
    }

    /// Writes the Hessian of `f` at `x` to a matrix that an evaluation has returned earlier. Allocates nothing.
    ///
    /// # Errors
    /// [`MissingEntry`] where the Hessian has an entry outside of the pattern. The matrix then holds no Hessian.
    ///
    /// # Panics
    /// If `x` has another length than the pattern has columns, or the matrix another pattern; and where `f` does.
    #[track_caller]
    pub fn evaluate_into<T: Real, F: Fn(&[T]) -> T>(
        &self,
        f: F,
        x: &[T],
        matrix: &mut Csr<T>,
    ) -> Result<(), MissingEntry> {
        super::check_sizes(&self.pattern, x, matrix);
        let operator = Hessian { f: &f, x };
        let seed = |variable: usize, direction: &mut [T]| direction[variable] = T::ONE;
        let swept = self.compression.sweep(&operator, seed, |entry, number| matrix.values_mut()[entry] = number);
        swept.and_then(|()| verify(&operator, matrix, false)).map_err(MissingEntry::InRow)
    }
}

#[cfg(test)]
mod tests {
    use super::HessianColouring;
    use crate::sparse::Pattern;

    #[test]
    fn half_a_pattern_is_made_whole() {
        let upper = Pattern::banded(5, 5, 0, 1);
        assert_eq!(*HessianColouring::new(&upper).pattern(), Pattern::banded(5, 5, 1, 1));
    }

    #[test]
    #[should_panic(expected = "the pattern of a Hessian is square")]
    fn a_pattern_that_is_not_square_is_refused() {
        HessianColouring::new(&Pattern::dense(2, 3));
    }
}
