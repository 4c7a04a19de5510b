//! Matrices: `symm`, `syrk`, `syr2k`, `trmm`, `trsm`, and what all routines of matrices share.
//!
//! A symmetric or triangular matrix of which one half is given is written out in full, so that everything comes down to the product
//! and to one kind of triangular system. The copies are ordinary loops, which take their adjoints back into the half.
#![allow(clippy::too_many_arguments, reason = "as in BLAS")]

use super::abi::routines;
use super::library::Library;
use super::number::Number;
use super::product::product;
use super::real::Real;
use super::view::View;
use core::ops::Range;

/// A matrix of BLAS.
#[inline(always)]
pub(super) fn matrix<T: Real>(by_rows: bool, data: *const T, ld: isize) -> View<T> {
    if by_rows { View::of(data, ld, 1) } else { View::of(data, 1, ld) }
}

/// Rows of a column in one half of a matrix, with the diagonal.
#[inline(always)]
pub(super) fn triangle(half: u8, column: isize, n: isize) -> Range<isize> {
    if half == b'L' { column..n } else { 0..column + 1 }
}

/// `C *= beta`; for `beta = 0` what `C` was is not looked at, and the derivative by `beta` is 0.
///
/// # Safety
/// The view may be read and written.
#[inline]
pub(super) unsafe fn scale<T: Number>(beta: T, c: View<T>, m: isize, n: isize) {
    for column in 0..n {
        for row in 0..m {
            let place = c.at(row, column);
            // SAFETY: by the function's own contract.
            unsafe { *place = if beta == T::ZERO { T::ZERO } else { beta * *place } };
        }
    }
}

pub(super) fn zeros<T: Real>(rows: isize, columns: isize) -> Vec<T> {
    vec![T::ZERO; rows.max(0).unsigned_abs() * columns.max(0).unsigned_abs()]
}

/// The whole of a symmetric matrix, by columns.
///
/// # Safety
/// The half may be read.
pub(super) unsafe fn symmetric<T: Real>(a: View<T>, half: u8, n: isize) -> Vec<T> {
    let mut whole = zeros(n, n);
    let to = View::of(whole.as_mut_ptr(), 1, n);
    for column in 0..n {
        for row in triangle(half, column, n) {
            // SAFETY: by the function's own contract; the places are in the vector.
            unsafe {
                *to.at(row, column) = *a.at(row, column);
                *to.at(column, row) = *a.at(row, column);
            }
        }
    }
    whole
}

/// A triangular matrix, transposed or not, as a lower one by columns: an upper one with its rows and columns in opposite order, which the
/// answer says.
///
/// # Safety
/// The half may be read.
unsafe fn lower<T: Real>(a: View<T>, half: u8, trans: u8, unit: bool, n: isize) -> (Vec<T>, bool) {
    let mut whole = zeros(n, n);
    let to = View::of(whole.as_mut_ptr(), 1, n);
    let a = if trans == b'N' { a } else { a.transposed() };
    let turned = (half == b'L') != (trans == b'N');
    for column in 0..n {
        for row in column..n {
            let from = if turned { a.at(n - 1 - row, n - 1 - column) } else { a.at(row, column) };
            // SAFETY: by the function's own contract; the places are in the vector.
            unsafe { *to.at(row, column) = if unit && row == column { T::ONE } else { *from } };
        }
    }
    (whole, turned)
}

/// A view with its rows in opposite order.
fn turned_over<T: Real>(b: View<T>, rows: isize) -> View<T> {
    View::of(b.at(rows - 1, 0), b.layout.down.wrapping_neg(), b.layout.across)
}

/// Copies a matrix.
///
/// # Safety
/// The one may be read, the other written.
pub(super) unsafe fn copy<T: Real>(from: View<T>, to: View<T>, rows: isize, columns: isize) {
    for column in 0..columns {
        for row in 0..rows {
            // SAFETY: by the function's own contract.
            unsafe { *to.at(row, column) = *from.at(row, column) };
        }
    }
}

/// `B = alpha * op(A) * B`, of `n` rows and `m` columns.
///
/// # Safety
/// As in BLAS.
pub(super) unsafe fn triangular_product<T: Real>(
    half: u8,
    trans: u8,
    diagonal: u8,
    [n, m]: [isize; 2],
    alpha: T,
    a: View<T>,
    b: View<T>,
) {
    if n <= 0 || m <= 0 {
        return;
    }
    // SAFETY: by the function's own contract.
    unsafe {
        let (t, turned) = lower(a, half, trans, diagonal == b'U', n);
        let b = if turned { turned_over(b, n) } else { b };
        let mut result = zeros(n, m);
        let to = View::of(result.as_mut_ptr(), 1, n);
        product(Library::Loops, [n, n, m], alpha, View::of(t.as_ptr(), 1, n), b, to);
        copy(to, b, n, m);
    }
}

/// `B = alpha * inverse(op(A)) * B`, of `n` rows and `m` columns.
///
/// # Safety
/// As in BLAS.
pub(super) unsafe fn triangular_solution<T: Real>(
    half: u8,
    trans: u8,
    diagonal: u8,
    [n, m]: [isize; 2],
    alpha: T,
    a: View<T>,
    b: View<T>,
) {
    if n <= 0 || m <= 0 {
        return;
    }
    // SAFETY: by the function's own contract.
    unsafe {
        let unit = diagonal == b'U';
        let (t, turned) = lower(a, half, trans, unit, n);
        let b = if turned { turned_over(b, n) } else { b };
        let mut x = zeros(n, m);
        let to = View::of(x.as_mut_ptr(), 1, n);
        for column in 0..m {
            for row in 0..n {
                *to.at(row, column) = alpha * *b.at(row, column);
            }
        }
        T::solve(unit, n.unsigned_abs(), &t, &mut x);
        copy(to, b, n, m);
    }
}

/// Which transposition undoes another one.
fn opposite(trans: u8) -> u8 {
    if trans == b'N' { b'T' } else { b'N' }
}

/// One half of `C *= beta`, then `C += S`.
///
/// # Safety
/// The views may be read, and `c` written.
unsafe fn add_half<T: Real>(half: u8, n: isize, beta: T, c: View<T>, sum: View<T>) {
    for column in 0..n {
        for row in triangle(half, column, n) {
            let place = c.at(row, column);
            // SAFETY: by the function's own contract.
            unsafe {
                let old = if beta == T::ZERO { T::ZERO } else { beta * *place };
                *place = old + *sum.at(row, column);
            }
        }
    }
}

routines! { matrices by_rows:
    "symm" fn symm(side: option, half: option, m: int, n: int, alpha: num, a: input, ld_a: int, b: input, ld_b: int, beta: num, c: output, ld_c: int) {
        let (b, c) = (matrix(by_rows, b, ld_b), matrix(by_rows, c, ld_c));
        // SAFETY: by the function's own contract.
        unsafe {
            scale(beta, c, m, n);
            let size = if side == b'L' { m } else { n };
            let whole = symmetric(matrix(by_rows, a, ld_a), half, size);
            let whole_view = View::of(whole.as_ptr(), 1, size);
            if side == b'L' {
                product(Library::Loops, [m, size, n], alpha, whole_view, b, c);
            } else {
                product(Library::Loops, [m, size, n], alpha, b, whole_view, c);
            }
        }
    }

    "syrk" fn syrk(half: option, trans: option, n: int, k: int, alpha: num, a: input, ld_a: int, beta: num, c: output, ld_c: int) {
        let a = matrix(by_rows, a, ld_a);
        let a = if trans == b'N' { a } else { a.transposed() };
        let mut sum = zeros(n, n);
        let to = View::of(sum.as_mut_ptr(), 1, n);
        // SAFETY: by the function's own contract.
        unsafe {
            product(Library::Loops, [n, k, n], alpha, a, a.transposed(), to);
            add_half(half, n, beta, matrix(by_rows, c, ld_c), to);
        }
    }

    "syr2k" fn syr2k(half: option, trans: option, n: int, k: int, alpha: num, a: input, ld_a: int, b: input, ld_b: int, beta: num, c: output, ld_c: int) {
        let (a, b) = (matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b));
        let a = if trans == b'N' { a } else { a.transposed() };
        let b = if trans == b'N' { b } else { b.transposed() };
        let mut sum = zeros(n, n);
        let to = View::of(sum.as_mut_ptr(), 1, n);
        // SAFETY: by the function's own contract.
        unsafe {
            product(Library::Loops, [n, k, n], alpha, a, b.transposed(), to);
            product(Library::Loops, [n, k, n], alpha, b, a.transposed(), to);
            add_half(half, n, beta, matrix(by_rows, c, ld_c), to);
        }
    }

    "trmm" fn trmm(side: option, half: option, trans: option, diagonal: option, m: int, n: int, alpha: num, a: input, ld_a: int, b: output, ld_b: int) {
        let (a, b) = (matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b));
        // SAFETY: by the function's own contract. From the right it is the transposed product from the left.
        unsafe {
            if side == b'L' {
                triangular_product(half, trans, diagonal, [m, n], alpha, a, b);
            } else {
                triangular_product(half, opposite(trans), diagonal, [n, m], alpha, a, b.transposed());
            }
        }
    }

    "trsm" fn trsm(side: option, half: option, trans: option, diagonal: option, m: int, n: int, alpha: num, a: input, ld_a: int, b: output, ld_b: int) {
        let (a, b) = (matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b));
        // SAFETY: by the function's own contract. From the right it is the transposed system from the left.
        unsafe {
            if side == b'L' {
                triangular_solution(half, trans, diagonal, [m, n], alpha, a, b);
            } else {
                triangular_solution(half, opposite(trans), diagonal, [n, m], alpha, a, b.transposed());
            }
        }
    }
}
