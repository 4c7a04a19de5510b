//! Bodies in the place of others: what the driver differentiates where a program calls certain functions of other libraries.
//!
//! `std-rules` has the table of which symbol stands for what. Calls of such a function become calls of its model where a derivative is made,
//! and nowhere else: in a program without derivatives nothing of this is linked. A model takes the address of the function, which it
//! may call, and then the function's parameters. It is ordinary Rust and is differentiated as such, so that no formula is written for
//! one mode or the other; where the body is no good way to a derivative, it rests on a function with a rule.
//!
//! | module | models of | how |
//! |---|---|---|
//! | [`scalar`] | functions of floats with more than one result | through functions that have rules |
//! | [`level1`], [`level2`], [`level3`], [`gemm`] | BLAS, `matrixmultiply` | through [`product`] and [`triangular`], which have rules, and loops |
//! | [`complex`] | roots of `num-complex` | with a rule |
//! | [`lapack`] | factors, systems, inverses | through [`cholesky`], [`lu`] and [`triangular`], which have rules |
//! | [`rustfft`] | Fourier transforms | through [`fourier`], which has a rule |
//!
//! Nothing here is for use by hand.

mod abi;
mod cholesky;
mod complex;
mod fourier;
mod gemm;
mod lapack;
mod level1;
mod level2;
mod level3;
mod library;
mod lu;
mod number;
mod product;
mod real;
mod rustfft;
mod scalar;
mod triangular;
mod view;
