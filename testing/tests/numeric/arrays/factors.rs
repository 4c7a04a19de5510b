//! Routines of LAPACK, as the books define them; see [`super::reference`].

use super::reference::{Matrix, cblas_dtrsm};
use std::ffi::c_char;

#[unsafe(no_mangle)]
extern "C" fn dpotrf_(half: *const c_char, n: *const i32, a: *mut f64, ld: *const i32, info: *mut i32) {
    let (n, lower) = unsafe { (*n, *half as u8 == b'L') };
    let a = Matrix::new(102, if lower { 111 } else { 112 }, a, unsafe { *ld });
    unsafe { *info = 0 };
    for i in 0..n {
        for j in 0..=i {
            let sum = a.get(i, j) - (0..j).map(|l| a.get(i, l) * a.get(j, l)).sum::<f64>();
            if i == j && sum <= 0.0 {
                unsafe { *info = i + 1 };
                return;
            }
            a.set(i, j, if i == j { sum.sqrt() } else { sum / a.get(j, j) });
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn dpotrs_(
    half: *const c_char,
    n: *const i32,
    columns: *const i32,
    a: *const f64,
    ld_a: *const i32,
    b: *mut f64,
    ld_b: *const i32,
    info: *mut i32,
) {
    let lower = unsafe { *half } as u8 == b'L';
    let (half, options) = if lower { (122, [111, 112]) } else { (121, [112, 111]) };
    for trans in options {
        unsafe { cblas_dtrsm(102, 141, half, trans, 131, *n, *columns, 1.0, a, *ld_a, b, *ld_b) };
    }
    unsafe { *info = 0 };
}

fn c_option(letter: *const c_char) -> i32 {
    if unsafe { *letter } as u8 == b'N' { 111 } else { 112 }
}

#[unsafe(no_mangle)]
pub extern "C" fn dgetrf_(m: *const i32, n: *const i32, a: *mut f64, ld: *const i32, order: *mut i32, info: *mut i32) {
    unsafe { *info = LAPACKE_dgetrf(102, *m, *n, a, *ld, order) };
}

#[unsafe(no_mangle)]
pub extern "C" fn LAPACKE_dgetrf(layout: i32, m: i32, n: i32, a: *mut f64, ld: i32, order: *mut i32) -> i32 {
    let a = Matrix::new(layout, 111, a, ld);
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
        unsafe { *order.offset(j as isize) = best + 1 };
        for column in 0..n {
            let (upper, lower) = (a.get(j, column), a.get(best, column));
            a.set(j, column, lower);
            a.set(best, column, upper);
        }
        if a.get(j, j) == 0.0 {
            info = if info == 0 { j + 1 } else { info };
            continue;
        }
        (j + 1..m).for_each(|i| a.set(i, j, a.get(i, j) / a.get(j, j)));
    }
    info
}

#[unsafe(no_mangle)]
pub extern "C" fn dgetrs_(
    trans: *const c_char,
    n: *const i32,
    columns: *const i32,
    a: *const f64,
    ld_a: *const i32,
    order: *const i32,
    b: *mut f64,
    ld_b: *const i32,
    info: *mut i32,
) {
    let (n, columns, ld_a, ld_b) = unsafe { (*n, *columns, *ld_a, *ld_b) };
    let rows = Matrix::new(102, 111, b, ld_b);
    let swap = |step: i32| {
        let other = unsafe { *order.offset(step as isize) } - 1;
        for column in 0..columns {
            let (here, there) = (rows.get(step, column), rows.get(other, column));
            rows.set(step, column, there);
            rows.set(other, column, here);
        }
    };
    let solve = |half: i32, trans: i32, diagonal: i32| {
        cblas_dtrsm(102, 141, half, trans, diagonal, n, columns, 1.0, a, ld_a, b, ld_b);
    };
    if c_option(trans) == 111 {
        (0..n).for_each(swap);
        solve(122, 111, 132);
        solve(121, 111, 131);
    } else {
        solve(121, 112, 131);
        solve(122, 112, 132);
        (0..n).rev().for_each(swap);
    }
    unsafe { *info = 0 };
}

#[unsafe(no_mangle)]
pub extern "C" fn dgesv_(
    n: *const i32,
    columns: *const i32,
    a: *mut f64,
    ld_a: *const i32,
    order: *mut i32,
    b: *mut f64,
    ld_b: *const i32,
    info: *mut i32,
) {
    dgetrf_(n, n, a, ld_a, order, info);
    if unsafe { *info } == 0 {
        dgetrs_(&(b'N' as c_char), n, columns, a, ld_a, order, b, ld_b, info);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dgetri_(
    n: *const i32,
    a: *mut f64,
    ld: *const i32,
    order: *const i32,
    work: *mut f64,
    size: *const i32,
    info: *mut i32,
) {
    let (count, ld_a) = unsafe { (*n, *ld) };
    unsafe {
        *work = f64::from(count);
        *info = 0;
        if *size == -1 {
            return;
        }
    }
    let mut inverse: Vec<f64> = (0..count * count).map(|at| f64::from(u8::from(at % count == at / count))).collect();
    dgetrs_(&(b'N' as c_char), n, n, a, ld, order, inverse.as_mut_ptr(), n, info);
    let a = Matrix::new(102, 111, a, ld_a);
    inverse.iter().zip(0..).for_each(|(value, at)| a.set(at % count, at / count, *value));
}

#[unsafe(no_mangle)]
pub extern "C" fn LAPACKE_dpotrf(layout: i32, half: c_char, n: i32, a: *mut f64, ld: i32) -> i32 {
    // By rows, the lower half is the upper half of the same numbers by columns.
    let lower = (half as u8 == b'L') == (layout == 102);
    let mut info = 0;
    dpotrf_(&((if lower { b'L' } else { b'U' }) as c_char), &n, a, &ld, &mut info);
    info
}

#[unsafe(no_mangle)]
pub extern "C" fn dposv_(
    half: *const c_char,
    n: *const i32,
    columns: *const i32,
    a: *mut f64,
    ld_a: *const i32,
    b: *mut f64,
    ld_b: *const i32,
    info: *mut i32,
) {
    dpotrf_(half, n, a, ld_a, info);
    dpotrs_(half, n, columns, a, ld_a, b, ld_b, info);
}

#[unsafe(no_mangle)]
pub extern "C" fn dtrtrs_(
    half: *const c_char,
    trans: *const c_char,
    diagonal: *const c_char,
    n: *const i32,
    columns: *const i32,
    a: *const f64,
    ld_a: *const i32,
    b: *mut f64,
    ld_b: *const i32,
    info: *mut i32,
) {
    unsafe {
        let half = if *half as u8 == b'L' { 122 } else { 121 };
        let diagonal = if *diagonal as u8 == b'U' { 132 } else { 131 };
        cblas_dtrsm(102, 141, half, c_option(trans), diagonal, *n, *columns, 1.0, a, *ld_a, b, *ld_b);
        *info = 0;
    }
}
