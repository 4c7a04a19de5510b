//! A matrix and vectors: `gemv`, `ger`, `symv`, `syr`, `trmv`, `trsv`.
#![allow(clippy::too_many_arguments, reason = "as in BLAS")]

use super::abi::routines;
use super::level1::column;
use super::level3::{matrix, scale, symmetric, triangle, triangular_product, triangular_solution};
use super::library::Library;
use super::product::product;
use super::real::Real;
use super::view::View;

routines! { matrices by_rows:
    "gemv" fn gemv(trans: option, m: int, n: int, alpha: num, a: input, ld_a: int, x: input, inc_x: int, beta: num, y: output, inc_y: int) {
        let a = matrix(by_rows, a, ld_a);
        let (a, rows, columns) = if trans == b'N' { (a, m, n) } else { (a.transposed(), n, m) };
        let y = column(rows, y, inc_y);
        // SAFETY: by the function's own contract.
        unsafe {
            scale(beta, y, rows, 1);
            product(Library::Loops, [rows, columns, 1], alpha, a, column(columns, x, inc_x), y);
        }
    }

    "ger" fn ger(m: int, n: int, alpha: num, x: input, inc_x: int, y: input, inc_y: int, a: output, ld_a: int) {
        let (x, y) = (column(m, x, inc_x), column(n, y, inc_y));
        // SAFETY: by the function's own contract.
        unsafe { product(Library::Loops, [m, 1, n], alpha, x, y.transposed(), matrix(by_rows, a, ld_a)) }
    }

    "symv" fn symv(half: option, n: int, alpha: num, a: input, ld_a: int, x: input, inc_x: int, beta: num, y: output, inc_y: int) {
        let y = column(n, y, inc_y);
        // SAFETY: by the function's own contract.
        unsafe {
            let a = symmetric(matrix(by_rows, a, ld_a), half, n);
            scale(beta, y, n, 1);
            product(Library::Loops, [n, n, 1], alpha, View::of(a.as_ptr(), 1, n), column(n, x, inc_x), y);
        }
    }

    "syr" fn syr(half: option, n: int, alpha: num, x: input, inc_x: int, a: output, ld_a: int) {
        let (x, a) = (column(n, x, inc_x), matrix(by_rows, a, ld_a));
        for column in 0..n {
            for row in triangle(half, column, n) {
                // SAFETY: by the function's own contract.
                unsafe { *a.at(row, column) += alpha * *x.at(row, 0) * *x.at(column, 0) };
            }
        }
    }

    "trmv" fn trmv(half: option, trans: option, diagonal: option, n: int, a: input, ld_a: int, x: output, inc_x: int) {
        let a = matrix(by_rows, a, ld_a);
        // SAFETY: by the function's own contract.
        unsafe { triangular_product(half, trans, diagonal, [n, 1], T::ONE, a, column(n, x, inc_x)) }
    }

    "trsv" fn trsv(half: option, trans: option, diagonal: option, n: int, a: input, ld_a: int, x: output, inc_x: int) {
        let a = matrix(by_rows, a, ld_a);
        // SAFETY: by the function's own contract.
        unsafe { triangular_solution(half, trans, diagonal, [n, 1], T::ONE, a, column(n, x, inc_x)) }
    }
}
