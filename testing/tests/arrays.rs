//! Routines on arrays of other libraries: `matrixmultiply` (also behind `ndarray`), `gemm`, BLAS, LAPACK, `rustfft`. Each against differences and in both modes; the
//! value that the derivatives compute is held against the routine's own.

#![allow(clippy::too_many_arguments, reason = "as the routines have them")]

use testing::{functional, in_place, map, noise};

mod arrays {
    use super::{functional, in_place, map, noise};

    #[macro_use]
    mod abi;
    #[macro_use]
    mod sweep;

    mod blas;
    mod complex;
    mod factors;
    mod foreign;
    mod fourier;
    mod gemm;
    mod lapack;
    mod matrixmultiply;
    mod products;
    mod reference;

    /// The Hessian against differences of the gradient.
    #[track_caller]
    fn assert_hessian(f: impl Fn(&[f64]) -> f64, x: &[f64]) {
        for (i, row) in cotangent::hessian(&f, x).chunks(x.len()).enumerate() {
            let direction: Vec<f64> = (0..x.len()).map(|j| f64::from(i == j)).collect();
            let expected = testing::differences::along(|x| cotangent::gradient(&f, x), x, &direction);
            testing::assert_close!(row, expected, 1e-7);
        }
    }
}
