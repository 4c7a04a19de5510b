//! Routines of BLAS, as the books define them: what the tests' programs are linked with. Each passes its results through integers,
//! so that a derivative of its body would be refused.

use std::ffi::c_char;
use std::hint::black_box;

/// The number, by way of its bits.
fn opaque(value: f64) -> f64 {
    f64::from_bits(black_box(value.to_bits()))
}

fn opaque32(value: f32) -> f32 {
    f32::from_bits(black_box(value.to_bits()))
}

/// The index of an element of a vector.
fn place(n: i32, index: i32, step: i32) -> isize {
    (if step < 0 { (index + 1 - n) * step } else { index * step }) as isize
}

#[unsafe(no_mangle)]
extern "C" fn cblas_ddot(n: i32, x: *const f64, inc_x: i32, y: *const f64, inc_y: i32) -> f64 {
    let term = |i| unsafe { *x.offset(place(n, i, inc_x)) * *y.offset(place(n, i, inc_y)) };
    opaque((0..n).map(term).sum())
}

#[unsafe(no_mangle)]
extern "C" fn sdot_(n: *const i32, x: *const f32, inc_x: *const i32, y: *const f32, inc_y: *const i32) -> f32 {
    let (n, inc_x, inc_y) = unsafe { (*n, *inc_x, *inc_y) };
    let term = |i| unsafe { *x.offset(place(n, i, inc_x)) * *y.offset(place(n, i, inc_y)) };
    opaque32((0..n).map(term).sum())
}

#[unsafe(no_mangle)]
extern "C" fn cblas_daxpy(n: i32, alpha: f64, x: *const f64, inc_x: i32, y: *mut f64, inc_y: i32) {
    for i in 0..n {
        unsafe {
            let to = y.offset(place(n, i, inc_y));
            *to = opaque(*to + alpha * *x.offset(place(n, i, inc_x)));
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn dscal_(n: *const i32, alpha: *const f64, x: *mut f64, inc_x: *const i32) {
    for i in 0..unsafe { *n } {
        unsafe {
            let to = x.offset(place(*n, i, *inc_x));
            *to = opaque(*to * *alpha);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dnrm2(n: i64, x: *const f64, inc_x: i64) -> f64 {
    let largest = (0..n).map(|i| unsafe { *x.offset((i * inc_x) as isize) }.abs()).fold(0.0, f64::max);
    let scale = if largest == 0.0 { 1.0 } else { largest };
    let term = |i| unsafe { *x.offset((i * inc_x) as isize) / scale };
    opaque((0..n).map(term).map(|v| v * v).sum::<f64>().sqrt() * scale)
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dasum(n: i32, x: *const f64, inc_x: i32) -> f64 {
    opaque((0..n).map(|i| unsafe { *x.offset(place(n, i, inc_x)) }.abs()).sum())
}

/// An element of a matrix, of its transposed one, or of what one half of it stands for.
#[derive(Clone, Copy)]
pub struct Matrix {
    data: *mut f64,
    down: isize,
    across: isize,
}

impl Matrix {
    pub fn new(order: i32, trans: i32, data: *const f64, ld: i32) -> Matrix {
        let by_rows = (order == 101) == (trans == 111);
        let (down, across) = if by_rows { (ld as isize, 1) } else { (1, ld as isize) };
        Matrix { data: data.cast_mut(), down, across }
    }
    pub fn get(self, row: i32, column: i32) -> f64 {
        unsafe { *self.data.offset(row as isize * self.down + column as isize * self.across) }
    }
    pub fn set(self, row: i32, column: i32, value: f64) {
        unsafe { *self.data.offset(row as isize * self.down + column as isize * self.across) = opaque(value) };
    }
    fn symmetric(self, half: i32, row: i32, column: i32) -> f64 {
        let given = if half == 122 { row >= column } else { row <= column };
        if given { self.get(row, column) } else { self.get(column, row) }
    }
}

/// `beta * c`, where nothing is asked of `c` if `beta` is 0.
fn scaled(beta: f64, c: f64) -> f64 {
    if beta == 0.0 { 0.0 } else { beta * c }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dgemv(
    order: i32,
    trans: i32,
    m: i32,
    n: i32,
    alpha: f64,
    a: *const f64,
    ld: i32,
    x: *const f64,
    inc_x: i32,
    beta: f64,
    y: *mut f64,
    inc_y: i32,
) {
    let (rows, columns) = if trans == 111 { (m, n) } else { (n, m) };
    let a = Matrix::new(order, trans, a, ld);
    for i in 0..rows {
        let sum: f64 = (0..columns).map(|j| a.get(i, j) * unsafe { *x.offset(place(columns, j, inc_x)) }).sum();
        unsafe {
            let to = y.offset(place(rows, i, inc_y));
            *to = opaque(scaled(beta, *to) + alpha * sum);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dger(
    order: i32,
    m: i32,
    n: i32,
    alpha: f64,
    x: *const f64,
    inc_x: i32,
    y: *const f64,
    inc_y: i32,
    a: *mut f64,
    ld: i32,
) {
    let a = Matrix::new(order, 111, a, ld);
    for i in 0..m {
        for j in 0..n {
            let term = unsafe { *x.offset(place(m, i, inc_x)) * *y.offset(place(n, j, inc_y)) };
            a.set(i, j, a.get(i, j) + alpha * term);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dsymv(
    order: i32,
    half: i32,
    n: i32,
    alpha: f64,
    a: *const f64,
    ld: i32,
    x: *const f64,
    inc_x: i32,
    beta: f64,
    y: *mut f64,
    inc_y: i32,
) {
    let a = Matrix::new(order, 111, a, ld);
    for i in 0..n {
        let sum: f64 = (0..n).map(|j| a.symmetric(half, i, j) * unsafe { *x.offset(place(n, j, inc_x)) }).sum();
        unsafe {
            let to = y.offset(place(n, i, inc_y));
            *to = opaque(scaled(beta, *to) + alpha * sum);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dgemm(
    order: i32,
    trans_a: i32,
    trans_b: i32,
    m: i32,
    n: i32,
    k: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    b: *const f64,
    ld_b: i32,
    beta: f64,
    c: *mut f64,
    ld_c: i32,
) {
    assert!(m >= 0 && n >= 0 && k >= 0 && (order == 101 || order == 102));
    let [of_a, of_b] = [(trans_a, m, k, ld_a), (trans_b, k, n, ld_b)].map(|(trans, rows, columns, ld)| {
        let long = if (order == 101) == (trans == 111) { columns } else { rows };
        assert!(ld >= long.max(1) && (trans == 111 || trans == 112), "as BLAS checks it");
    });
    let ((), ()) = (of_a, of_b);
    assert!(ld_c >= (if order == 101 { n } else { m }).max(1));
    let (a, b) = (Matrix::new(order, trans_a, a, ld_a), Matrix::new(order, trans_b, b, ld_b));
    let c = Matrix::new(order, 111, c, ld_c);
    for i in 0..m {
        for j in 0..n {
            let sum: f64 = (0..k).map(|l| a.get(i, l) * b.get(l, j)).sum();
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn dgemm_(
    trans_a: *const c_char,
    trans_b: *const c_char,
    m: *const i32,
    n: *const i32,
    k: *const i32,
    alpha: *const f64,
    a: *const f64,
    ld_a: *const i32,
    b: *const f64,
    ld_b: *const i32,
    beta: *const f64,
    c: *mut f64,
    ld_c: *const i32,
) {
    let option = |letter: *const c_char| if unsafe { *letter } as u8 == b'N' { 111 } else { 112 };
    unsafe {
        let (ta, tb) = (option(trans_a), option(trans_b));
        cblas_dgemm(102, ta, tb, *m, *n, *k, *alpha, a, *ld_a, b, *ld_b, *beta, c, *ld_c);
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dsymm(
    order: i32,
    side: i32,
    half: i32,
    m: i32,
    n: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    b: *const f64,
    ld_b: i32,
    beta: f64,
    c: *mut f64,
    ld_c: i32,
) {
    let [a, b, c] = [(a, ld_a), (b, ld_b), (c.cast_const(), ld_c)].map(|(data, ld)| Matrix::new(order, 111, data, ld));
    for i in 0..m {
        for j in 0..n {
            let sum: f64 = if side == 141 {
                (0..m).map(|l| a.symmetric(half, i, l) * b.get(l, j)).sum()
            } else {
                (0..n).map(|l| b.get(i, l) * a.symmetric(half, l, j)).sum()
            };
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum);
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cblas_dsyrk(
    order: i32,
    half: i32,
    trans: i32,
    n: i32,
    k: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    beta: f64,
    c: *mut f64,
    ld_c: i32,
) {
    let (a, c) = (Matrix::new(order, trans, a, ld_a), Matrix::new(order, 111, c, ld_c));
    for i in 0..n {
        for j in (0..n).filter(|j| if half == 122 { *j <= i } else { *j >= i }) {
            let sum: f64 = (0..k).map(|l| a.get(i, l) * a.get(j, l)).sum();
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum);
        }
    }
}

/// `op(A)` of a triangular matrix.
fn triangular(a: Matrix, half: i32, trans: i32, diagonal: i32, row: i32, column: i32) -> f64 {
    let (row, column) = if trans == 111 { (row, column) } else { (column, row) };
    let given = if half == 122 { row >= column } else { row <= column };
    match given {
        true if diagonal == 132 && row == column => 1.0,
        true => a.get(row, column),
        false => 0.0,
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dtrmm(
    order: i32,
    side: i32,
    half: i32,
    trans: i32,
    diagonal: i32,
    m: i32,
    n: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    b: *mut f64,
    ld_b: i32,
) {
    let (a, b) = (Matrix::new(order, 111, a, ld_a), Matrix::new(order, 111, b, ld_b));
    let whole = |row, column| triangular(a, half, trans, diagonal, row, column);
    let result = |i: i32, j: i32| -> f64 {
        let sum: f64 = if side == 141 {
            (0..m).map(|l| whole(i, l) * b.get(l, j)).sum()
        } else {
            (0..n).map(|l| b.get(i, l) * whole(l, j)).sum()
        };
        alpha * sum
    };
    let all: Vec<f64> = (0..m * n).map(|at| result(at / n, at % n)).collect();
    all.iter().zip(0..).for_each(|(value, at)| b.set(at / n, at % n, *value));
}

/// By Gauss elimination without looking at the zeros, which needs no order of rows.
#[unsafe(no_mangle)]
pub extern "C" fn cblas_dtrsm(
    order: i32,
    side: i32,
    half: i32,
    trans: i32,
    diagonal: i32,
    m: i32,
    n: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    b: *mut f64,
    ld_b: i32,
) {
    let a = Matrix::new(order, 111, a, ld_a);
    let b = Matrix::new(order, 111, b, ld_b);
    let (size, others) = if side == 141 { (m, n) } else { (n, m) };
    let whole = |row, column| {
        let (row, column) = if side == 141 { (row, column) } else { (column, row) };
        triangular(a, half, trans, diagonal, row, column)
    };
    let place = |i: i32, j: i32| if side == 141 { (i, j) } else { (j, i) };
    let is_lower = (1..size).any(|i| (0..i).any(|j| whole(i, j) != 0.0));
    for j in 0..others {
        let mut x = vec![0.0; size as usize];
        let rows: Vec<i32> = if is_lower { (0..size).collect() } else { (0..size).rev().collect() };
        for i in rows {
            let (row, column) = place(i, j);
            let known: f64 = (0..size).filter(|l| *l != i).map(|l| whole(i, l) * x[l as usize]).sum();
            x[i as usize] = (alpha * b.get(row, column) - known) / whole(i, i);
        }
        for i in 0..size {
            let (row, column) = place(i, j);
            b.set(row, column, x[i as usize]);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn cblas_dtrsv(
    order: i32,
    half: i32,
    trans: i32,
    diagonal: i32,
    n: i32,
    a: *const f64,
    ld_a: i32,
    x: *mut f64,
    inc_x: i32,
) {
    assert!(inc_x > 0);
    let by_rows = 101;
    let whole = Matrix::new(order, 111, a, ld_a);
    let copy: Vec<f64> = (0..n * n).map(|at| whole.get(at / n, at % n)).collect();
    cblas_dtrsm(by_rows, 141, half, trans, diagonal, n, 1, 1.0, copy.as_ptr(), n, x, inc_x);
}

/// By the sums that the factors are defined by, one column after another, as Crout did it.
#[unsafe(no_mangle)]
pub extern "C" fn cblas_dcopy(n: i32, x: *const f64, inc_x: i32, y: *mut f64, inc_y: i32) {
    for i in 0..n {
        unsafe { *y.offset(place(n, i, inc_y)) = opaque(*x.offset(place(n, i, inc_x))) };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dswap_(n: *const i32, x: *mut f64, inc_x: *const i32, y: *mut f64, inc_y: *const i32) {
    drot_(n, x, inc_x, y, inc_y, &0.0, &1.0);
    dscal_(n, &-1.0, y, inc_y);
}

#[unsafe(no_mangle)]
pub extern "C" fn drot_(
    n: *const i32,
    x: *mut f64,
    inc_x: *const i32,
    y: *mut f64,
    inc_y: *const i32,
    c: *const f64,
    s: *const f64,
) {
    let (n, inc_x, inc_y, c, s) = unsafe { (*n, *inc_x, *inc_y, *c, *s) };
    for i in 0..n {
        unsafe {
            let (x, y) = (x.offset(place(n, i, inc_x)), y.offset(place(n, i, inc_y)));
            (*x, *y) = (opaque(c * *x + s * *y), opaque(c * *y - s * *x));
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cblas_dsyr(
    order: i32,
    half: i32,
    n: i32,
    alpha: f64,
    x: *const f64,
    inc_x: i32,
    a: *mut f64,
    ld: i32,
) {
    let (a, x) = (Matrix::new(order, 111, a, ld), |i: i32| unsafe { *x.offset(place(n, i, inc_x)) });
    for i in 0..n {
        for j in (0..n).filter(|j| if half == 122 { *j <= i } else { *j >= i }) {
            a.set(i, j, a.get(i, j) + alpha * x(i) * x(j));
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cblas_dsyr2k(
    order: i32,
    half: i32,
    trans: i32,
    n: i32,
    k: i32,
    alpha: f64,
    a: *const f64,
    ld_a: i32,
    b: *const f64,
    ld_b: i32,
    beta: f64,
    c: *mut f64,
    ld_c: i32,
) {
    let [a, b] = [(a, ld_a), (b, ld_b)].map(|(data, ld)| Matrix::new(order, trans, data, ld));
    let c = Matrix::new(order, 111, c, ld_c);
    for i in 0..n {
        for j in (0..n).filter(|j| if half == 122 { *j <= i } else { *j >= i }) {
            let sum: f64 = (0..k).map(|l| a.get(i, l) * b.get(j, l) + b.get(i, l) * a.get(j, l)).sum();
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum);
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cblas_dtrmv(
    order: i32,
    half: i32,
    trans: i32,
    diagonal: i32,
    n: i32,
    a: *const f64,
    ld: i32,
    x: *mut f64,
    inc_x: i32,
) {
    let a = Matrix::new(order, 111, a, ld);
    let at = |i: i32| x.wrapping_offset(place(n, i, inc_x));
    let row = |i: i32| (0..n).map(|j| triangular(a, half, trans, diagonal, i, j) * unsafe { *at(j) }).sum::<f64>();
    let all: Vec<f64> = (0..n).map(row).collect();
    all.iter().zip(0..).for_each(|(value, i)| unsafe { *at(i) = opaque(*value) });
}

#[unsafe(no_mangle)]
pub extern "C" fn cblas_sgemm(
    order: i32,
    trans_a: i32,
    trans_b: i32,
    m: i32,
    n: i32,
    k: i32,
    alpha: f32,
    a: *const f32,
    ld_a: i32,
    b: *const f32,
    ld_b: i32,
    beta: f32,
    c: *mut f32,
    ld_c: i32,
) {
    let at = |trans: i32, i: i32, j: i32, ld: i32| {
        let (i, j) = if (order == 101) == (trans == 111) { (i, j) } else { (j, i) };
        (i * ld + j) as isize
    };
    for i in 0..m {
        for j in 0..n {
            unsafe {
                let term = |l: i32| *a.offset(at(trans_a, i, l, ld_a)) * *b.offset(at(trans_b, l, j, ld_b));
                let (sum, to) = ((0..k).map(term).sum::<f32>(), c.offset(at(111, i, j, ld_c)));
                *to = opaque32(if beta == 0.0 { 0.0 } else { beta * *to } + alpha * sum);
            }
        }
    }
}
