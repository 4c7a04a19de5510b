//! A matrix and vectors: `gemv`, `ger`, `symv`, `syr`, `trmv`, `trsv`.
#![allow(clippy::too_many_arguments, reason = "as in BLAS")]

use super::abi::routines;
use super::level1::column;
use super::level3::{matrix, scale, symmetric, triangle, triangular_product, triangular_solution};
use super::library::Library;
use super::product::product;
use super::real::Real;
use super::view::View;

/// # Safety
/// As in BLAS.
unsafe fn gemv<T: Real>(
    by_rows: bool,
    trans: u8,
    m: isize,
    n: isize,
    alpha: T,
    a: *const T,
    ld_a: isize,
    x: *const T,
    inc_x: isize,
    beta: T,
    y: *mut T,
    inc_y: isize,
) {
    let a = matrix(by_rows, a, ld_a);
    let (a, rows, columns) = if trans == b'N' { (a, m, n) } else { (a.transposed(), n, m) };
    let y = column(rows, y, inc_y);
    // SAFETY: by the function's own contract.
    unsafe {
        scale(beta, y, rows, 1);
        product(Library::Loops, [rows, columns, 1], alpha, a, column(columns, x, inc_x), y);
    }
}

/// # Safety
/// As in BLAS.
unsafe fn ger<T: Real>(
    by_rows: bool,
    m: isize,
    n: isize,
    alpha: T,
    x: *const T,
    inc_x: isize,
    y: *const T,
    inc_y: isize,
    a: *mut T,
    ld_a: isize,
) {
    let (x, y) = (column(m, x, inc_x), column(n, y, inc_y));
    // SAFETY: by the function's own contract.
    unsafe { product(Library::Loops, [m, 1, n], alpha, x, y.transposed(), matrix(by_rows, a, ld_a)) }
}

/// # Safety
/// As in BLAS.
unsafe fn symv<T: Real>(
    by_rows: bool,
    half: u8,
    n: isize,
    alpha: T,
    a: *const T,
    ld_a: isize,
    x: *const T,
    inc_x: isize,
    beta: T,
    y: *mut T,
    inc_y: isize,
) {
    let y = column(n, y, inc_y);
    // SAFETY: by the function's own contract.
    unsafe {
        let a = symmetric(matrix(by_rows, a, ld_a), half, n);
        scale(beta, y, n, 1);
        product(Library::Loops, [n, n, 1], alpha, View::of(a.as_ptr(), 1, n), column(n, x, inc_x), y);
    }
}

/// # Safety
/// As in BLAS.
unsafe fn syr<T: Real>(by_rows: bool, half: u8, n: isize, alpha: T, x: *const T, inc_x: isize, a: *mut T, ld_a: isize) {
    let (x, a) = (column(n, x, inc_x), matrix(by_rows, a, ld_a));
    for column in 0..n {
        for row in triangle(half, column, n) {
            // SAFETY: by the function's own contract.
            unsafe { *a.at(row, column) += alpha * *x.at(row, 0) * *x.at(column, 0) };
        }
    }
}

/// # Safety
/// As in BLAS.
unsafe fn trmv<T: Real>(
    by_rows: bool,
    half: u8,
    trans: u8,
    diagonal: u8,
    n: isize,
    a: *const T,
    ld_a: isize,
    x: *mut T,
    inc_x: isize,
) {
    let a = matrix(by_rows, a, ld_a);
    // SAFETY: by the function's own contract.
    unsafe { triangular_product(half, trans, diagonal, [n, 1], T::ONE, a, column(n, x, inc_x)) }
}

/// # Safety
/// As in BLAS.
unsafe fn trsv<T: Real>(
    by_rows: bool,
    half: u8,
    trans: u8,
    diagonal: u8,
    n: isize,
    a: *const T,
    ld_a: isize,
    x: *mut T,
    inc_x: isize,
) {
    let a = matrix(by_rows, a, ld_a);
    // SAFETY: by the function's own contract.
    unsafe { triangular_solution(half, trans, diagonal, [n, 1], T::ONE, a, column(n, x, inc_x)) }
}

routines! { matrices:
    "gemv" fn gemv(
        trans: option, m: int, n: int, alpha: num, a: input, ld_a: int, x: input, inc_x: int, beta: num, y: output, inc_y: int
    );
    "ger" fn ger(m: int, n: int, alpha: num, x: input, inc_x: int, y: input, inc_y: int, a: output, ld_a: int);
    "symv" fn symv(
        half: option, n: int, alpha: num, a: input, ld_a: int, x: input, inc_x: int, beta: num, y: output, inc_y: int
    );
    "syr" fn syr(half: option, n: int, alpha: num, x: input, inc_x: int, a: output, ld_a: int);
    "trmv" fn trmv(half: option, trans: option, diagonal: option, n: int, a: input, ld_a: int, x: output, inc_x: int);
    "trsv" fn trsv(half: option, trans: option, diagonal: option, n: int, a: input, ld_a: int, x: output, inc_x: int);
}
