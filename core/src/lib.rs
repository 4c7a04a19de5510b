//! Compiled automatic differentiation for stable Rust.
//!
//! The derivative of a function is another compiled function: it is built while your program is built, from the
//! compiler's own intermediate code of the function and of everything it calls, and optimised with the rest of the program.
//!
//! Two ways to ask for it:
//!
//! - [`#[autodiff]`](macro@autodiff) puts a derivative beside a function, in forward or reverse mode, with the activity of
//!   each parameter chosen by you;
//! - [`gradient`], [`value_and_gradient`], [`derivative`], [`jvp`], [`vjp`], [`jacobian`], [`hessian`] and [`hvp`] take any
//!   function or closure. Where most entries are zero, [`sparse_jacobian`] and [`sparse_hessian`] need few sweeps ([`sparse`]).
//!
//! ```
//! use cotangent::{derivative, gradient};
//!
//! let scale = 3.0;
//! let g = gradient(|x: &[f64]| scale * x.iter().map(|v| v * v).sum::<f64>(), &[1.0, 2.0]);
//! assert_eq!(g, [6.0, 12.0]);
//!
//! let d: f64 = derivative(|t| t * t * t, 2.0);
//! assert_eq!(d, 12.0);
//! ```
//!
//! With the attribute, both sides of every dependence are chosen and nothing is allocated:
//!
//! ```
//! use cotangent::autodiff;
//!
//! #[autodiff(d_loss, Reverse, Duplicated, Const, Active)]
//! fn loss(x: &[f64], y: &[f64]) -> f64 {
//!     x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
//! }
//!
//! let mut gradient = [0.0; 2];
//! let value = d_loss(&[3.0, 5.0], &mut gradient, &[1.0, 1.0], 1.0);
//! assert_eq!(value, 20.0);
//! assert_eq!(gradient, [4.0, 8.0]); // added to what was there
//! ```
//!
//! The program has to be built with the driver: `cargo install cargo-cotangent`, then `cargo cotangent test` in place of
//! `cargo test` (and `run`, `build`, `bench`), or `cargo cotangent init` once, after which plain cargo does it. A program
//! that was built without it says so at the first call of a derivative.
//!
//! Whether a gradient is right, one line of a test tells: [`check!`](macro@check) and the module [`check`](mod@check).
//!
//! What is differentiated, where the derivative is a convention, and what is not supported: `docs/semantics.md` and
//! `docs/limitations.md` in the repository.

// The macros' expansions name the crate.
extern crate self as cotangent;

pub mod check;
mod closure;
mod data;
mod markers;
mod models;
mod rules;
mod runtime;
pub mod shadow;
pub mod sparse;
pub mod tape;

#[doc(hidden)]
pub mod __private;

pub use closure::{Real, derivative, gradient, hessian, hvp, jacobian, jvp, value_and_gradient, vjp};
#[doc(inline)]
pub use cotangent_macros::*;
pub use data::FloatData;
pub use shadow::{NoFloats, Shadow, zeroed};
pub use sparse::{sparse_hessian, sparse_jacobian};
