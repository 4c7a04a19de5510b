//! Checks of derivatives, one line in a test.
//!
//! | the function | the check |
//! |---|---|
//! | any, with derivatives from [`#[autodiff]`](macro@crate::autodiff) or of the same signature | [`check!`](macro@crate::check) |
//! | `fn(T) -> T`, with derivatives of any origin | [`scalar`] |
//! | `fn(&[T]) -> T`, the same | [`function`] |
//! | `fn(&[T], &mut [T])`, the same | [`map`] |
//! | a closure, with what the closure functions make of it | [`derivative`], [`gradient`], [`jacobian`], [`hessian`] |
//!
//! ```
//! use cotangent::{autodiff, check};
//!
//! #[autodiff(d_loss, Reverse, Duplicated, Const, Active)]
//! fn loss(w: &[f64], data: &[f64]) -> f64 {
//!     data.iter().enumerate().map(|(i, d)| (w[0] * (w[1] * i as f64).exp() - d).powi(2)).sum()
//! }
//!
//! let (w, data) = ([1.2, -0.3], [1.0, 0.8, 0.4]);
//! check!(loss(Duplicated(&w), Const(&data)) -> Active, reverse = d_loss).assert();
//! check::gradient(|w: &[f64]| loss(w, &data)).at(&w).assert();
//! ```
//!
//! What is compared with what is told at [`Check`]. A derivative that is wrong is a [`Failure`]: where, by how much, at which
//! point, and what kind of [`Mistake`] it looks like.
//!
//! ```
//! use cotangent::check::{self, Mistake};
//!
//! let check = check::function(|x: &[f64]| x[0] * x[0] * x[1]).gradient(|x| vec![2.0 * x[0], x[0] * x[0]]);
//! let failure = check.at(&[0.6, 1.7]).run().unwrap_err();
//! assert!(matches!(failure.mistake(), Mistake::MissingTerm | Mistake::Factor(_)));
//! assert_eq!(failure.input(), Some("x[0]"));
//! println!("{failure}");
//! ```
//!
//! A check that could not have failed fails, too ([`Mistake::CannotFail`]): at a point where all derivatives are zero there is
//! nothing to see.
//!
//! ```
//! use cotangent::check::{self, Mistake};
//!
//! let squares = |x: &[f64]| x.iter().map(|x| x * x).sum();
//! let wrong = |x: &[f64]| x.iter().map(|x| 17.0 * x).collect();
//! let failure = check::function(squares).gradient(wrong).at(&[0.0, 0.0]).run().unwrap_err();
//! assert_eq!(failure.mistake(), &Mistake::CannotFail);
//! ```
//!
//! Points can come from anywhere, such as a strategy of `proptest`: a `Failure` is an error, so `?` takes it in its tests. Give
//! random points [`skip_kinks`](Check::skip_kinks) where the function has any.

mod builder;
mod calls;
mod closures;
mod compare;
mod diagnose;
mod differences;
mod failure;
mod floats;
mod judge;
mod laws;
mod macros;
mod problem;
mod random;
mod second;
mod spot;
mod tally;
mod typed;

#[doc(hidden)]
pub mod support;

#[doc(inline)]
pub use crate::__check_floats as floats;
pub use builder::Check;
pub use closures::{derivative, gradient, hessian, jacobian};
pub use failure::{Failure, Mistake};
pub use floats::{Floats, Visitor};
pub use support::OfArguments;
pub use tally::Report;
pub use typed::{Float, InPlace, MaybeValue, MaybeWithValue, OfNumber, OfSlice, function, map, scalar};
