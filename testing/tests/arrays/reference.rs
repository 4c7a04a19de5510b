//! Routines of BLAS, as the books define them: what the tests' programs are linked with. Each passes its results through integers,
//! so that a derivative of its body would be refused.

use std::hint::black_box;
use testing::differences::Real;

/// The number, by way of its bits.
fn opaque(value: f64) -> f64 {
    f64::from_bits(black_box(value.to_bits()))
}

/// A matrix, or a vector as a column.
pub struct Matrix<T> {
    data: *mut T,
    down: isize,
    across: isize,
}

impl<T> Clone for Matrix<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Matrix<T> {}

impl<T: Real> Matrix<T> {
    pub fn new(by_rows: bool, data: *const T, ld: isize) -> Matrix<T> {
        let (down, across) = if by_rows { (ld, 1) } else { (1, ld) };
        Matrix { data: data.cast_mut(), down, across }
    }

    /// A vector of BLAS: with a negative step it is given from its end.
    fn vector(n: isize, data: *const T, step: isize) -> Matrix<T> {
        let start = if step < 0 { (1 - n) * step } else { 0 };
        Matrix { data: data.wrapping_offset(start).cast_mut(), down: step, across: 0 }
    }

    pub fn transposed(self) -> Matrix<T> {
        Matrix { data: self.data, down: self.across, across: self.down }
    }

    /// The matrix, or the transposed one.
    pub fn option(self, trans: u8) -> Matrix<T> {
        if trans == b'N' { self } else { self.transposed() }
    }

    pub fn get(self, row: isize, column: isize) -> f64 {
        unsafe { self.data.offset(row * self.down + column * self.across).read() }.value()
    }

    pub fn set(self, row: isize, column: isize, value: f64) {
        unsafe { self.data.offset(row * self.down + column * self.across).write(T::of(opaque(value))) };
    }

    fn symmetric(self, half: u8, row: isize, column: isize) -> f64 {
        if in_half(half, row, column) { self.get(row, column) } else { self.get(column, row) }
    }

    fn triangular(self, half: u8, diagonal: u8, row: isize, column: isize) -> f64 {
        match in_half(half, row, column) {
            true if diagonal == b'U' && row == column => 1.0,
            true => self.get(row, column),
            false => 0.0,
        }
    }
}

fn in_half(half: u8, row: isize, column: isize) -> bool {
    if half == b'L' { row >= column } else { row <= column }
}

fn other_half(half: u8) -> u8 {
    if half == b'L' { b'U' } else { b'L' }
}

/// `beta * c`, where nothing is asked of `c` if `beta` is 0.
fn scaled(beta: f64, c: f64) -> f64 {
    if beta == 0.0 { 0.0 } else { beta * c }
}

fn sum(n: isize, term: impl Fn(isize) -> f64) -> f64 {
    (0..n).map(term).sum()
}

blas! {
    dot [] (n int, x input, inc_x int, y input, inc_y int) T;
    axpy [] (n int, alpha num, x input, inc_x int, y output, inc_y int);
    scal [] (n int, alpha num, x output, inc_x int);
    copy [] (n int, x input, inc_x int, y output, inc_y int);
    swap [] (n int, x output, inc_x int, y output, inc_y int);
    rot [] (n int, x output, inc_x int, y output, inc_y int, c num, s num);
    nrm2 [] (n int, x input, inc_x int) T;
    asum [] (n int, x input, inc_x int) T;
    gemv [by_rows] (trans option, m int, n int, alpha num, a input, ld int, x input, inc_x int, beta num, y output, inc_y int);
    ger [by_rows] (m int, n int, alpha num, x input, inc_x int, y input, inc_y int, a output, ld int);
    symv [by_rows] (half option, n int, alpha num, a input, ld int, x input, inc_x int, beta num, y output, inc_y int);
    syr [by_rows] (half option, n int, alpha num, x input, inc_x int, a output, ld int);
    trmv [by_rows] (half option, trans option, diagonal option, n int, a input, ld int, x output, inc_x int);
    trsv [by_rows] (half option, trans option, diagonal option, n int, a input, ld int, x output, inc_x int);
    gemm [by_rows] (trans_a option, trans_b option, m int, n int, k int, alpha num, a input, ld_a int, b input, ld_b int, beta num, c output, ld_c int);
    symm [by_rows] (side option, half option, m int, n int, alpha num, a input, ld_a int, b input, ld_b int, beta num, c output, ld_c int);
    syrk [by_rows] (half option, trans option, n int, k int, alpha num, a input, ld_a int, beta num, c output, ld_c int);
    syr2k [by_rows] (half option, trans option, n int, k int, alpha num, a input, ld_a int, b input, ld_b int, beta num, c output, ld_c int);
    trmm [by_rows] (side option, half option, trans option, diagonal option, m int, n int, alpha num, a input, ld_a int, b output, ld_b int);
    trsm [by_rows] (side option, half option, trans option, diagonal option, m int, n int, alpha num, a input, ld_a int, b output, ld_b int);
}

unsafe fn dot<T: Real>(n: isize, x: *const T, inc_x: isize, y: *const T, inc_y: isize) -> T {
    let (x, y) = (Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    T::of(opaque(sum(n, |i| x.get(i, 0) * y.get(i, 0))))
}

unsafe fn axpy<T: Real>(n: isize, alpha: f64, x: *const T, inc_x: isize, y: *mut T, inc_y: isize) {
    let (x, y) = (Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    (0..n).for_each(|i| y.set(i, 0, y.get(i, 0) + alpha * x.get(i, 0)));
}

unsafe fn scal<T: Real>(n: isize, alpha: f64, x: *mut T, inc_x: isize) {
    let x = Matrix::vector(if inc_x > 0 { n } else { 0 }, x, inc_x);
    (0..if inc_x > 0 { n } else { 0 }).for_each(|i| x.set(i, 0, alpha * x.get(i, 0)));
}

unsafe fn copy<T: Real>(n: isize, x: *const T, inc_x: isize, y: *mut T, inc_y: isize) {
    let (x, y) = (Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    (0..n).for_each(|i| y.set(i, 0, x.get(i, 0)));
}

unsafe fn swap<T: Real>(n: isize, x: *mut T, inc_x: isize, y: *mut T, inc_y: isize) {
    let (x, y) = (Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    for i in 0..n {
        let (a, b) = (x.get(i, 0), y.get(i, 0));
        x.set(i, 0, b);
        y.set(i, 0, a);
    }
}

unsafe fn rot<T: Real>(n: isize, x: *mut T, inc_x: isize, y: *mut T, inc_y: isize, c: f64, s: f64) {
    let (x, y) = (Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    for i in 0..n {
        let (a, b) = (x.get(i, 0), y.get(i, 0));
        x.set(i, 0, c * a + s * b);
        y.set(i, 0, c * b - s * a);
    }
}

unsafe fn nrm2<T: Real>(n: isize, x: *const T, inc_x: isize) -> T {
    let n = if inc_x > 0 { n } else { 0 };
    let x = Matrix::vector(n, x, inc_x);
    let largest = (0..n).map(|i| x.get(i, 0).abs()).fold(0.0, f64::max);
    let scale = if largest == 0.0 { 1.0 } else { largest };
    T::of(opaque(sum(n, |i| (x.get(i, 0) / scale).powi(2)).sqrt() * scale))
}

unsafe fn asum<T: Real>(n: isize, x: *const T, inc_x: isize) -> T {
    let n = if inc_x > 0 { n } else { 0 };
    let x = Matrix::vector(n, x, inc_x);
    T::of(opaque(sum(n, |i| x.get(i, 0).abs())))
}

unsafe fn gemv<T: Real>(
    by_rows: bool,
    trans: u8,
    m: isize,
    n: isize,
    alpha: f64,
    a: *const T,
    ld: isize,
    x: *const T,
    inc_x: isize,
    beta: f64,
    y: *mut T,
    inc_y: isize,
) {
    let (rows, columns) = if trans == b'N' { (m, n) } else { (n, m) };
    let a = Matrix::new(by_rows, a, ld).option(trans);
    let (x, y) = (Matrix::vector(columns, x, inc_x), Matrix::vector(rows, y, inc_y));
    for i in 0..rows {
        let sum = sum(columns, |j| a.get(i, j) * x.get(j, 0));
        y.set(i, 0, scaled(beta, y.get(i, 0)) + alpha * sum);
    }
}

unsafe fn ger<T: Real>(
    by_rows: bool,
    m: isize,
    n: isize,
    alpha: f64,
    x: *const T,
    inc_x: isize,
    y: *const T,
    inc_y: isize,
    a: *mut T,
    ld: isize,
) {
    let (a, x, y) = (Matrix::new(by_rows, a, ld), Matrix::vector(m, x, inc_x), Matrix::vector(n, y, inc_y));
    for i in 0..m {
        (0..n).for_each(|j| a.set(i, j, a.get(i, j) + alpha * x.get(i, 0) * y.get(j, 0)));
    }
}

unsafe fn symv<T: Real>(
    by_rows: bool,
    half: u8,
    n: isize,
    alpha: f64,
    a: *const T,
    ld: isize,
    x: *const T,
    inc_x: isize,
    beta: f64,
    y: *mut T,
    inc_y: isize,
) {
    let (a, x, y) = (Matrix::new(by_rows, a, ld), Matrix::vector(n, x, inc_x), Matrix::vector(n, y, inc_y));
    for i in 0..n {
        let sum = sum(n, |j| a.symmetric(half, i, j) * x.get(j, 0));
        y.set(i, 0, scaled(beta, y.get(i, 0)) + alpha * sum);
    }
}

unsafe fn syr<T: Real>(by_rows: bool, half: u8, n: isize, alpha: f64, x: *const T, inc_x: isize, a: *mut T, ld: isize) {
    let (a, x) = (Matrix::new(by_rows, a, ld), Matrix::vector(n, x, inc_x));
    update_half(half, n, a, 1.0, |i, j| alpha * x.get(i, 0) * x.get(j, 0));
}

/// One half of `beta * c`, plus a symmetric matrix.
fn update_half<T: Real>(half: u8, n: isize, c: Matrix<T>, beta: f64, added: impl Fn(isize, isize) -> f64) {
    for i in 0..n {
        for j in (0..n).filter(|j| in_half(half, i, *j)) {
            c.set(i, j, scaled(beta, c.get(i, j)) + added(i, j));
        }
    }
}

/// Routines on a triangular matrix, of a vector and of a matrix, by what they do with it.
macro_rules! triangular {
    ($($of_vector:ident, $of_matrix:ident: $with:ident;)*) => {$(
        unsafe fn $of_vector<T: Real>(
            by_rows: bool,
            half: u8,
            trans: u8,
            diagonal: u8,
            n: isize,
            a: *const T,
            ld: isize,
            x: *mut T,
            inc_x: isize,
        ) {
            $with(half, trans, diagonal, n, 1, 1.0, Matrix::new(by_rows, a, ld), Matrix::vector(n, x, inc_x));
        }

        unsafe fn $of_matrix<T: Real>(
            by_rows: bool,
            side: u8,
            half: u8,
            trans: u8,
            diagonal: u8,
            m: isize,
            n: isize,
            alpha: f64,
            a: *const T,
            ld_a: isize,
            b: *mut T,
            ld_b: isize,
        ) {
            let (a, b) = (Matrix::new(by_rows, a, ld_a), Matrix::new(by_rows, b, ld_b));
            let (trans, m, n, b) = from_the_left(side, trans, m, n, b);
            $with(half, trans, diagonal, m, n, alpha, a, b);
        }
    )*};
}
triangular! {
    trmv, trmm: triangular_product;
    trsv, trsm: triangular_solution;
}

unsafe fn gemm<T: Real>(
    by_rows: bool,
    trans_a: u8,
    trans_b: u8,
    m: isize,
    n: isize,
    k: isize,
    alpha: f64,
    a: *const T,
    ld_a: isize,
    b: *const T,
    ld_b: isize,
    beta: f64,
    c: *mut T,
    ld_c: isize,
) {
    let long = |trans: u8, rows: isize, columns: isize| if by_rows == (trans == b'N') { columns } else { rows };
    assert!(m >= 0 && n >= 0 && k >= 0 && ld_c >= long(b'N', m, n).max(1), "as BLAS checks it");
    assert!(ld_a >= long(trans_a, m, k).max(1) && ld_b >= long(trans_b, k, n).max(1), "as BLAS checks it");
    let (a, b) = (Matrix::new(by_rows, a, ld_a).option(trans_a), Matrix::new(by_rows, b, ld_b).option(trans_b));
    let c = Matrix::new(by_rows, c, ld_c);
    for i in 0..m {
        for j in 0..n {
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum(k, |l| a.get(i, l) * b.get(l, j)));
        }
    }
}

unsafe fn symm<T: Real>(
    by_rows: bool,
    side: u8,
    half: u8,
    m: isize,
    n: isize,
    alpha: f64,
    a: *const T,
    ld_a: isize,
    b: *const T,
    ld_b: isize,
    beta: f64,
    c: *mut T,
    ld_c: isize,
) {
    let [a, b, c] = [(a, ld_a), (b, ld_b), (c.cast_const(), ld_c)].map(|(data, ld)| Matrix::new(by_rows, data, ld));
    for i in 0..m {
        for j in 0..n {
            let sum = match side {
                b'L' => sum(m, |l| a.symmetric(half, i, l) * b.get(l, j)),
                _ => sum(n, |l| b.get(i, l) * a.symmetric(half, l, j)),
            };
            c.set(i, j, scaled(beta, c.get(i, j)) + alpha * sum);
        }
    }
}

unsafe fn syrk<T: Real>(
    by_rows: bool,
    half: u8,
    trans: u8,
    n: isize,
    k: isize,
    alpha: f64,
    a: *const T,
    ld_a: isize,
    beta: f64,
    c: *mut T,
    ld_c: isize,
) {
    let a = Matrix::new(by_rows, a, ld_a).option(trans);
    let added = |i, j| alpha * sum(k, |l| a.get(i, l) * a.get(j, l));
    update_half(half, n, Matrix::new(by_rows, c, ld_c), beta, added);
}

unsafe fn syr2k<T: Real>(
    by_rows: bool,
    half: u8,
    trans: u8,
    n: isize,
    k: isize,
    alpha: f64,
    a: *const T,
    ld_a: isize,
    b: *const T,
    ld_b: isize,
    beta: f64,
    c: *mut T,
    ld_c: isize,
) {
    let [a, b] = [(a, ld_a), (b, ld_b)].map(|(data, ld)| Matrix::new(by_rows, data, ld).option(trans));
    let added = |i, j| alpha * sum(k, |l| a.get(i, l) * b.get(j, l) + b.get(i, l) * a.get(j, l));
    update_half(half, n, Matrix::new(by_rows, c, ld_c), beta, added);
}

/// A product or system from the right is the transposed one from the left.
fn from_the_left<T: Real>(side: u8, trans: u8, m: isize, n: isize, b: Matrix<T>) -> (u8, isize, isize, Matrix<T>) {
    match (side, trans) {
        (b'L', _) => (trans, m, n, b),
        (_, b'N') => (b'T', n, m, b.transposed()),
        _ => (b'N', n, m, b.transposed()),
    }
}

fn triangular_product<T: Real>(
    half: u8,
    trans: u8,
    diagonal: u8,
    m: isize,
    n: isize,
    alpha: f64,
    a: Matrix<T>,
    b: Matrix<T>,
) {
    let (a, half) = (a.option(trans), if trans == b'N' { half } else { other_half(half) });
    for j in 0..n {
        let column: Vec<f64> =
            (0..m).map(|i| alpha * sum(m, |l| a.triangular(half, diagonal, i, l) * b.get(l, j))).collect();
        column.iter().zip(0..).for_each(|(value, i)| b.set(i, j, *value));
    }
}

pub fn triangular_solution<T: Real>(
    half: u8,
    trans: u8,
    diagonal: u8,
    m: isize,
    n: isize,
    alpha: f64,
    a: Matrix<T>,
    b: Matrix<T>,
) {
    let (a, half) = (a.option(trans), if trans == b'N' { half } else { other_half(half) });
    for j in 0..n {
        let mut x = vec![0.0; m.unsigned_abs()];
        for step in 0..m {
            let i = if half == b'L' { step } else { m - 1 - step };
            let known = sum(m, |l| if l == i { 0.0 } else { a.triangular(half, diagonal, i, l) * x[l as usize] });
            x[i as usize] = (alpha * b.get(i, j) - known) / a.triangular(half, diagonal, i, i);
        }
        x.iter().zip(0..).for_each(|(value, i)| b.set(i, j, *value));
    }
}
