//! Routines on arrays of other libraries: `matrixmultiply`, BLAS, LAPACK. Each against differences and in both modes; the value that the
//! derivatives compute is held against the routine's own.

use crate::{functional, in_place, map};
use testing::noise;

mod blas;
mod factors;
mod foreign;
mod fourier;
mod gemm;
mod matrixmultiply;
mod reference;
