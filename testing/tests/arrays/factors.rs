//! Routines of LAPACK, as the books define them; see [`super::reference`].

use super::reference::{Matrix, triangular_solution};
use testing::differences::Real;

lapack! {
    potrf (half option, n int, a output, ld int);
    potrs (half option, n int, columns int, a input, ld_a int, b output, ld_b int);
    posv (half option, n int, columns int, a output, ld_a int, b output, ld_b int);
    trtrs (half option, trans option, diagonal option, n int, columns int, a input, ld_a int, b output, ld_b int);
    getrf (m int, n int, a output, ld int, order order);
    getrs (trans option, n int, columns int, a input, ld_a int, order order, b output, ld_b int);
    gesv (n int, columns int, a output, ld_a int, order order, b output, ld_b int);
    getri (n int, a output, ld int, order order; work size);
}

unsafe fn potrf<T: Real>(by_rows: bool, half: u8, n: isize, a: *mut T, ld: isize) -> i32 {
    // The upper factor is the transposed lower one.
    let a = Matrix::new(by_rows, a, ld).option(if half == b'L' { b'N' } else { b'T' });
    for i in 0..n {
        for j in 0..=i {
            let sum = a.get(i, j) - (0..j).map(|l| a.get(i, l) * a.get(j, l)).sum::<f64>();
            if i == j && sum <= 0.0 {
                return i as i32 + 1;
            }
            a.set(i, j, if i == j { sum.sqrt() } else { sum / a.get(j, j) });
        }
    }
    0
}

unsafe fn potrs<T: Real>(
    by_rows: bool,
    half: u8,
    n: isize,
    columns: isize,
    a: *const T,
    ld_a: isize,
    b: *mut T,
    ld_b: isize,
) -> i32 {
    for trans in if half == b'L' { [b'N', b'T'] } else { [b'T', b'N'] } {
        let (a, b) = (Matrix::new(by_rows, a, ld_a), Matrix::new(by_rows, b, ld_b));
        triangular_solution(half, trans, b'N', n, columns, 1.0, a, b);
    }
    0
}

unsafe fn posv<T: Real>(
    by_rows: bool,
    half: u8,
    n: isize,
    columns: isize,
    a: *mut T,
    ld_a: isize,
    b: *mut T,
    ld_b: isize,
) -> i32 {
    unsafe {
        match potrf(by_rows, half, n, a, ld_a) {
            0 => potrs(by_rows, half, n, columns, a, ld_a, b, ld_b),
            info => info,
        }
    }
}

unsafe fn trtrs<T: Real>(
    by_rows: bool,
    half: u8,
    trans: u8,
    diagonal: u8,
    n: isize,
    columns: isize,
    a: *const T,
    ld_a: isize,
    b: *mut T,
    ld_b: isize,
) -> i32 {
    let (a, b) = (Matrix::new(by_rows, a, ld_a), Matrix::new(by_rows, b, ld_b));
    triangular_solution(half, trans, diagonal, n, columns, 1.0, a, b);
    0
}

/// By the sums that the factors are defined by, one column after another, as Crout did it.
unsafe fn getrf<T: Real>(by_rows: bool, m: isize, n: isize, a: *mut T, ld: isize, order: *mut i32) -> i32 {
    let a = Matrix::new(by_rows, a, ld);
    let mut info = 0;
    for j in 0..n {
        for i in 0..m {
            let sum: f64 = (0..i.min(j)).map(|l| a.get(i, l) * a.get(l, j)).sum();
            a.set(i, j, a.get(i, j) - sum);
        }
        if j >= m {
            continue;
        }
        let best = (j..m).fold(j, |best, i| if a.get(i, j).abs() > a.get(best, j).abs() { i } else { best });
        unsafe { *order.offset(j) = best as i32 + 1 };
        swap_rows(a, n, j, best);
        if a.get(j, j) == 0.0 {
            info = if info == 0 { j as i32 + 1 } else { info };
            continue;
        }
        (j + 1..m).for_each(|i| a.set(i, j, a.get(i, j) / a.get(j, j)));
    }
    info
}

fn swap_rows<T: Real>(a: Matrix<T>, columns: isize, one: isize, other: isize) {
    for column in 0..columns {
        let (here, there) = (a.get(one, column), a.get(other, column));
        a.set(one, column, there);
        a.set(other, column, here);
    }
}

unsafe fn getrs<T: Real>(
    by_rows: bool,
    trans: u8,
    n: isize,
    columns: isize,
    a: *const T,
    ld_a: isize,
    order: *mut i32,
    b: *mut T,
    ld_b: isize,
) -> i32 {
    let (a, b) = (Matrix::new(by_rows, a, ld_a), Matrix::new(by_rows, b, ld_b));
    let swap = |step: isize| swap_rows(b, columns, step, unsafe { *order.offset(step) } as isize - 1);
    let solve = |half: u8, diagonal: u8| triangular_solution(half, trans, diagonal, n, columns, 1.0, a, b);
    if trans == b'N' {
        (0..n).for_each(swap);
        solve(b'L', b'U');
        solve(b'U', b'N');
    } else {
        solve(b'U', b'N');
        solve(b'L', b'U');
        (0..n).rev().for_each(swap);
    }
    0
}

unsafe fn gesv<T: Real>(
    by_rows: bool,
    n: isize,
    columns: isize,
    a: *mut T,
    ld_a: isize,
    order: *mut i32,
    b: *mut T,
    ld_b: isize,
) -> i32 {
    unsafe {
        match getrf(by_rows, n, n, a, ld_a, order) {
            0 => getrs(by_rows, b'N', n, columns, a, ld_a, order, b, ld_b),
            info => info,
        }
    }
}

unsafe fn getri<T: Real>(by_rows: bool, n: isize, a: *mut T, ld: isize, order: *mut i32) -> i32 {
    let mut inverse: Vec<T> = (0..n * n).map(|at| T::of(f64::from(u8::from(at % n == at / n)))).collect();
    unsafe { getrs(by_rows, b'N', n, n, a, ld, order, inverse.as_mut_ptr(), n) };
    let (from, to) = (Matrix::new(by_rows, inverse.as_ptr(), n), Matrix::new(by_rows, a, ld));
    (0..n * n).for_each(|at| to.set(at % n, at / n, from.get(at % n, at / n)));
    0
}
