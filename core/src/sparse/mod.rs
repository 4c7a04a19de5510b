//! Jacobians and Hessians that are mostly zeros, in as many sweeps as they need.
//!
//! A sweep gives the product of the matrix with one direction. Columns that have no row in common can share a direction, since each entry
//! of the product then comes from one of them: they get the same *colour*, and there are as many sweeps as colours. A
//! tridiagonal matrix needs three, whatever its size.
//!
//! [`sparse_jacobian`] and [`sparse_hessian`] do all of it at one point. To evaluate at
//! many points, find the [`Pattern`] (where entries may be) and the colouring once:
//!
//! ```
//! use cotangent::sparse::{JacobianColouring, Pattern};
//!
//! // y[i] depends on x[i] and x[i + 1].
//! let f = |x: &[f64], y: &mut [f64]| {
//!     for i in 0..y.len() {
//!         y[i] = x[i] * x[i + 1];
//!     }
//! };
//! let pattern = Pattern::banded(9, 10, 0, 1);
//! let colouring = JacobianColouring::new(&pattern);
//! assert_eq!(colouring.sweeps(), 2);
//!
//! let mut x: Vec<f64> = (0..10).map(f64::from).collect();
//! for _ in 0..3 {
//!     let j = colouring.evaluate(f, &x)?;
//!     assert_eq!((j.get(4, 4), j.get(4, 5), j.get(4, 6)), (x[5], x[4], 0.0));
//!     x[5] += 1.0;
//! }
//! # Ok::<(), cotangent::sparse::MissingEntry>(())
//! ```
//!
//! # A pattern that is too small
//!
//! An entry that the pattern does not have would be lost, or added to another one. Each evaluation therefore ends with one more sweep, in
//! an irregular direction, and compares the product with that of the sparse matrix: where they differ by more than rounding
//! explains, the result is [`MissingEntry`] and no matrix. Besides, each sweep's product has to be zero wherever no column of its colour has an
//! entry. What can escape is an entry that shares its sweep with another one of its row and is smaller than that row by a
//! factor of 1e-10 (`f32`: 1e-3).
//!
//! A pattern that is too large costs sweeps and is right.
//!
//! # How a pattern is detected
//!
//! [`Pattern::of_jacobian`] sends NaN into a group of columns and looks where it comes out, which is wherever the derivative at this
//! point has a term, be it zero by chance. Groups are halved until they are columns; those that are known to share no row go
//! together, so a sparse pattern takes about its colours times the logarithm of the size. The pattern is that of the point: where the function
//! branches, another point may have more entries ([`Pattern::union`] joins them). A rule of one's own that turns NaN into a number
//! hides entries, which the evaluation then reports.
//!
//! # Other crates
//!
//! With the feature `sprs`, [`Csr`] converts to and from `sprs::CsMat`; with `faer`, to and from `faer::sparse::SparseRowMat`. Everyone else
//! takes the three arrays: [`Csr::row_ptr`], [`Csr::col_idx`], [`Csr::values`].

mod colouring;
mod compression;
mod csr;
mod detection;
#[cfg(feature = "faer")]
mod faer;
mod hessian;
mod jacobian;
mod operator;
mod pattern;
#[cfg(feature = "sprs")]
mod sprs;
mod verification;

pub use csr::Csr;
pub use hessian::{HessianColouring, sparse_hessian};
pub use jacobian::{JacobianColouring, sparse_jacobian};
pub use pattern::Pattern;
pub use verification::MissingEntry;

/// Refuses what does not fit a colouring's pattern.
///
/// # Panics
/// If `x` has another length than the pattern has columns, or the matrix another pattern.
#[track_caller]
fn check_sizes<T>(pattern: &Pattern, x: &[T], matrix: &Csr<T>) {
    assert_eq!(x.len(), pattern.cols(), "numbers in `x`, and columns of the pattern");
    assert!(matrix.pattern() == pattern, "the matrix has another pattern than the colouring");
}
