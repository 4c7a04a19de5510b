//! Products by the crate `gemm`, of which processors and threads would each have their own body.

use super::{functional, noise};
use ::gemm::{Parallelism, gemm};

functional! {
    fn a_product_of_the_crate_gemm(x: &[f64]) -> f64 {
        let (mut c, [a, b]) = ([x[0], x[1], x[2], x[3] * x[3], 0.5, x[5]], [x.as_ptr(), x[8..].as_ptr()]);
        let mut product = |is_read: bool, alpha: f64, beta: f64| unsafe {
            gemm(2, 3, 4, c.as_mut_ptr(), 2, 1, is_read, a, 2, 1, b, 1, 3, alpha, beta, false, false, false, Parallelism::None);
        };
        product(true, x[2] * 2.0, x[1]);
        product(true, 0.5, 1.0);
        let before = x[6];
        let first = c[0] * c[5];
        let mut d = [f64::NAN; 4];
        unsafe {
            gemm(2, 2, 2, d.as_mut_ptr(), 1, 2, false, a, 1, 2, b, 2, 1, 1.0, before, false, false, false, Parallelism::None);
        }
        first + c.iter().chain(&d).enumerate().map(|(i, c)| c * c * (i as f64 + 1.0)).sum::<f64>()
    } at noise(3, 20);
    fn in_single_precision(x: &[f32]) -> f32 {
        let mut c = [x[0]; 4];
        let (a, b) = (x.as_ptr(), x[4..].as_ptr());
        unsafe {
            gemm(2, 2, 2, c.as_mut_ptr(), 1, 2, true, a, 2, 1, b, 1, 2, 0.5, x[1], false, false, false, Parallelism::None);
        }
        c.iter().enumerate().map(|(i, c)| c * c * (i as f32 + 1.0)).sum()
    } at [0.5, 0.25, 1.0, 0.75, 0.3, 1.0, 0.5, 0.25];
}
