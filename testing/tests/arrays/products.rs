//! Products by crates that take any strides, in every shape: rows or columns without gaps, with gaps, and rows in opposite order.

use super::sweep::Case;

/// How many numbers there is room for in each operand.
const ROOM: usize = 14;

pub mod double {
    pub type Float = f64;
    pub use ::gemm::{Parallelism, gemm};
    pub use ::matrixmultiply::{dgemm as strided, zgemm as strided_complex};
}

pub mod single {
    pub type Float = f32;
    pub use ::gemm::{Parallelism, gemm};
    pub use ::matrixmultiply::{cgemm as strided_complex, sgemm as strided};
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

/// As many complex numbers as an operand has floats, each of two of them; conjugated where the case says so.
///
/// # Safety
/// The operand can be read.
pub unsafe fn complex<T: Copy + std::ops::Neg<Output = T>>(case: &Case, data: *const T) -> [[T; 2]; ROOM] {
    // SAFETY: there is room for as many.
    let at = |index: usize| unsafe { *data.add(index % ROOM) };
    std::array::from_fn(|i| [at(i), if case.diagonal == b'u' { -at(i + 5) } else { at(i + 5) }])
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
    matrixmultiply_of_complex_numbers |case, [alpha, beta], [a, b, c]| {
        use ::matrixmultiply::CGemmOption::Standard;
        use crate::arrays::products::{complex, laid_out};
        let ([m, n, k], [ta, tb]) = (case.sizes, case.trans);
        let (mut of_a, mut of_b, mut of_c) = (complex(case, a), complex(case, b), complex(case, c));
        let (a, down_a, across_a) = laid_out(case, ta, of_a.as_mut_ptr(), m, k);
        let (b, down_b, across_b) = laid_out(case, tb, of_b.as_mut_ptr(), k, n);
        let (to, down_c, across_c) = laid_out(case, b'N', of_c.as_mut_ptr(), m, n);
        let [m, n, k] = case.sizes.map(isize::unsigned_abs);
        let (alpha, beta) = ([alpha, alpha * alpha], [beta, -2.0 * beta]);
        strided_complex(
            Standard, Standard, m, k, n, alpha, a, down_a, across_a, b, down_b, across_b, beta, to, down_c, across_c,
        );
        for (i, [re, im]) in of_c.into_iter().enumerate() {
            *c.add(i) = re * im + re;
        }
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
