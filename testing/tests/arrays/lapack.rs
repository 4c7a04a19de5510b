//! LAPACK under Fortran's names and those that `LAPACKE` has for C.

use super::factors::double::fortran;
use super::functional;
use super::sweep::{Case, OPERANDS};
use std::ffi::c_char;
use testing::noise;

/// A matrix whose pivots are large, none of them in its place: nearby the same rows are exchanged.
fn pivoted(x: &mut [f64], case: &Case, rows: isize, columns: isize) {
    let ld = case.ld(rows, columns);
    for row in 0..rows.min(columns) {
        let column = (row + 1) % rows.min(columns);
        let at = if case.by_rows { row * ld + column } else { column * ld + row };
        x[OPERANDS[0] + at.unsigned_abs()] += (3 + 2 * row) as f64;
    }
}

fn any_shape(x: &mut [f64], case: &Case) {
    pivoted(x, case, case.sizes[0], case.sizes[1]);
}

fn square(x: &mut [f64], case: &Case) {
    pivoted(x, case, case.sizes[0], case.sizes[0]);
}

/// A matrix that is positive definite.
fn definite(x: &mut [f64], case: &Case) {
    let size = case.sizes[0];
    let ld = case.ld(size, size);
    (0..size).for_each(|at| x[OPERANDS[0] + (at * (ld + 1)).unsigned_abs()] += 5.0);
}

swept! { factors:
    potrf |case, [alpha, beta], [a, b, c]| {
        let n = case.sizes[0];
        assert_eq!(factor!(potrf, case, option case.half, int n, output a, int case.ld(n, n)), 0);
    }, super::definite;
    potrs |case, [alpha, beta], [a, b, c]| {
        let [n, columns, _] = case.sizes;
        let solved = factor!(potrs, case, option case.half, int n, int columns, input a, int case.ld(n, n), output b, int case.ld(n, columns));
        assert_eq!(solved, 0);
    }, super::definite;
    posv |case, [alpha, beta], [a, b, c]| {
        let [n, columns, _] = case.sizes;
        let solved = factor!(posv, case, option case.half, int n, int columns, output a, int case.ld(n, n), output b, int case.ld(n, columns));
        assert_eq!(solved, 0);
    }, super::definite;
    trtrs |case, [alpha, beta], [a, b, c]| {
        let [n, columns, _] = case.sizes;
        let solved = factor!(trtrs, case, option case.half, option case.trans[0], option case.diagonal, int n, int columns,
            input a, int case.ld(n, n), output b, int case.ld(n, columns));
        assert_eq!(solved, 0);
    }, super::definite;
    getrf |case, [alpha, beta], [a, b, c]| {
        let ([m, n, _], mut order) = (case.sizes, [0; 3]);
        assert_eq!(factor!(getrf, case, int m, int n, output a, int case.ld(m, n), order order.as_mut_ptr()), 0);
        // Which rows were exchanged has no derivative, and is a result like the others.
        *c = order.iter().zip([1.0, 5.0, 25.0]).map(|(row, weight)| *row as Float * weight).sum();
    }, super::any_shape;
    getrs |case, [alpha, beta], [a, b, c]| {
        let ([n, columns, _], mut order) = (case.sizes, [0; 3]);
        assert_eq!(factor!(getrf, case, int n, int n, output a, int case.ld(n, n), order order.as_mut_ptr()), 0);
        let solved = factor!(getrs, case, option case.trans[0], int n, int columns, input a, int case.ld(n, n),
            order order.as_mut_ptr(), output b, int case.ld(n, columns));
        assert_eq!(solved, 0);
    }, super::square;
    gesv |case, [alpha, beta], [a, b, c]| {
        let ([n, columns, _], mut order) = (case.sizes, [0; 3]);
        let solved = factor!(gesv, case, int n, int columns, output a, int case.ld(n, n), order order.as_mut_ptr(),
            output b, int case.ld(n, columns));
        assert_eq!(solved, 0);
    }, super::square;
    getri |case, [alpha, beta], [a, b, c]| {
        let (n, mut order) = (case.sizes[0], [0; 3]);
        let ld = case.ld(n, n);
        let mut info = factor!(getrf, case, int n, int n, output a, int ld, order order.as_mut_ptr());
        if case.fortran {
            let (n, ld, mut asked) = (n as i32, ld as i32, 0.0);
            fortran::getri(&n, a, &ld, order.as_mut_ptr(), &mut asked, &-1, &mut info);
            let mut work = vec![0.0; asked as usize];
            fortran::getri(&n, a, &ld, order.as_mut_ptr(), work.as_mut_ptr(), &(asked as i32), &mut info);
        } else {
            info += lapacke::getri(case.order(), n as i32, a, ld as i32, order.as_mut_ptr());
        }
        assert_eq!(info, 0);
    }, super::square;
}

functional! {
    fn a_determinant(x: &[f64]) -> f64 {
        let (mut a, mut order, mut info) = (x.to_vec(), [0; 3], 0);
        unsafe { fortran::getrf(&3, &3, a.as_mut_ptr(), &3, order.as_mut_ptr(), &mut info) };
        let swaps = order.iter().zip(1..).filter(|(at, row)| *at != row).count();
        let product = a[0] * a[4] * a[8];
        if swaps % 2 == 0 { product } else { -product }
    } at noise(3, 9);
}

#[test]
fn factors_with_a_pivot_that_is_zero_have_no_derivative() {
    let f = |x: &[f64]| {
        let (mut a, mut order, mut info) = ([x[0], x[1], 2.0 * x[0], 2.0 * x[1]], [0; 2], 0);
        unsafe { fortran::getrf(&2, &2, a.as_mut_ptr(), &2, order.as_mut_ptr(), &mut info) };
        assert_eq!(info, 2);
        a[2]
    };
    assert!(cotangent::gradient(f, &[1.0, 3.0]).iter().all(|g| g.is_nan()));
}

#[test]
fn a_factor_that_is_not_there_has_no_derivative() {
    let f = |x: &[f64]| {
        let (mut a, mut info) = ([x[0], x[1], 0.0, 1.0], 0);
        unsafe { fortran::potrf(&(b'L' as c_char), &2, a.as_mut_ptr(), &2, &mut info) };
        a[3]
    };
    assert!(cotangent::gradient(f, &[1.0, 3.0])[1].is_nan());
}

#[test]
fn second_derivatives() {
    let system = |x: &[f64]| {
        let (mut a, mut b, mut order, mut info) = ([x[0], x[1], x[2], x[3]], [x[4], x[5]], [0; 2], 0);
        unsafe { fortran::gesv(&2, &1, a.as_mut_ptr(), &2, order.as_mut_ptr(), b.as_mut_ptr(), &2, &mut info) };
        b[0] * b[1]
    };
    super::assert_hessian(system, &[1.3, 0.7, -0.4, 0.9, 0.5, -0.8]);
    let definite = |x: &[f64]| {
        let (mut a, mut b, mut info) = ([x[0], x[1], 0.0, x[2]], [x[4], x[5]], 0);
        unsafe { fortran::posv(&(b'L' as c_char), &2, &1, a.as_mut_ptr(), &2, b.as_mut_ptr(), &2, &mut info) };
        b[0] * b[1] * x[3]
    };
    super::assert_hessian(definite, &[1.3, 0.7, 2.4, 0.9, 0.5, -0.8]);
}
