//! Products by crates that take any strides, in every shape: rows or columns without gaps, with gaps, and rows in opposite order.

use super::sweep::Case;

pub mod double {
    pub type Float = f64;
    pub use ::gemm::{Parallelism, gemm};
    pub use ::matrixmultiply::dgemm as strided;
}

pub mod single {
    pub type Float = f32;
    pub use ::gemm::{Parallelism, gemm};
    pub use ::matrixmultiply::sgemm as strided;
}

/// A matrix from a place on: its first element and its strides.
pub fn laid_out<T>(case: &Case, trans: u8, data: *mut T, rows: isize, columns: isize) -> (*mut T, isize, isize) {
    let ld = case.ld_of(trans, rows, columns);
    let (down, across) = if case.by_rows == (trans == b'N') { (ld, 1) } else { (1, ld) };
    match case.half {
        b'U' if rows > 0 => (data.wrapping_offset((rows - 1) * down), -down, across),
        _ => (data, down, across),
    }
}

fn anywhere(_: &mut [f64], _: &Case) {}

swept! { products:
    matrixmultiply |case, [alpha, beta], [a, b, c]| {
        let ([m, n, k], [ta, tb]) = (case.sizes, case.trans);
        let (a, down_a, across_a) = crate::arrays::products::laid_out(case, ta, a, m, k);
        let (b, down_b, across_b) = crate::arrays::products::laid_out(case, tb, b, k, n);
        let (c, down_c, across_c) = crate::arrays::products::laid_out(case, b'N', c, m, n);
        let [m, n, k] = case.sizes.map(isize::unsigned_abs);
        strided(m, k, n, alpha, a, down_a, across_a, b, down_b, across_b, beta, c, down_c, across_c);
    }, super::anywhere;
    gemm |case, [alpha, beta], [a, b, c]| {
        let ([m, n, k], [ta, tb]) = (case.sizes, case.trans);
        let (a, down_a, across_a) = crate::arrays::products::laid_out(case, ta, a, m, k);
        let (b, down_b, across_b) = crate::arrays::products::laid_out(case, tb, b, k, n);
        let (c, down_c, across_c) = crate::arrays::products::laid_out(case, b'N', c, m, n);
        let [m, n, k] = case.sizes.map(isize::unsigned_abs);
        // What is not read is not looked at.
        let (is_read, threads) = (case.diagonal == b'n', if case.side == b'l' { Parallelism::None } else { Parallelism::Rayon(2) });
        gemm(m, n, k, c, across_c, down_c, is_read, a, across_a, down_a, b, across_b, down_b, beta, alpha, false, false, false, threads);
    }, super::anywhere;
}
