//! BLAS under C's names and Fortran's.

use super::functional;
use super::reference::double::c;
use super::sweep::Case;
use testing::{assert_close, noise};

/// Any numbers will do.
fn anywhere(_: &mut [f64], _: &Case) {}

/// Matrices whose elements are positive: what divides by those of the diagonal has a smooth result nearby.
fn positive(x: &mut [f64], _: &Case) {
    x.iter_mut().for_each(|x| *x = x.abs());
}

swept! { reference:
    dot |case, [alpha, beta], [a, b, c]| {
        *c = call!(dot, case, [], int case.sizes[0], input a, int case.steps[0], input b, int case.steps[1]);
    }, super::anywhere;
    dot_with_itself |case, [alpha, beta], [a, b, c]| {
        *c = call!(dot, case, [], int case.sizes[0], input a, int case.steps[0], input a, int case.steps[0]);
    }, super::anywhere;
    axpy |case, [alpha, beta], [a, b, c]| {
        call!(axpy, case, [], int case.sizes[0], num alpha, input a, int case.steps[0], output b, int case.steps[1]);
    }, super::anywhere;
    scal |case, [alpha, beta], [a, b, c]| {
        call!(scal, case, [], int case.sizes[0], num alpha, output a, int case.steps[0]);
    }, super::anywhere;
    copy |case, [alpha, beta], [a, b, c]| {
        call!(copy, case, [], int case.sizes[0], input a, int case.steps[0], output b, int case.steps[1]);
    }, super::anywhere;
    swap |case, [alpha, beta], [a, b, c]| {
        call!(swap, case, [], int case.sizes[0], output a, int case.steps[0], output b, int case.steps[1]);
    }, super::anywhere;
    rot |case, [alpha, beta], [a, b, c]| {
        call!(rot, case, [], int case.sizes[0], output a, int case.steps[0], output b, int case.steps[1], num alpha, num beta);
    }, super::unscaled;
    nrm2 |case, [alpha, beta], [a, b, c]| {
        *c = call!(nrm2, case, [], int case.sizes[0], input a, int case.steps[0]);
    }, super::anywhere;
    asum |case, [alpha, beta], [a, b, c]| {
        *c = call!(asum, case, [], int case.sizes[0], input a, int case.steps[0]);
    }, super::anywhere;
    gemv |case, [alpha, beta], [a, b, c]| {
        let [m, n, _] = case.sizes;
        call!(gemv, case, [order], option case.trans[0], int m, int n, num alpha, input a, int case.ld(m, n),
            input b, int case.steps[0], num beta, output c, int case.steps[1]);
    }, super::anywhere;
    ger |case, [alpha, beta], [a, b, c]| {
        let [m, n, _] = case.sizes;
        call!(ger, case, [order], int m, int n, num alpha, input b, int case.steps[0], input c, int case.steps[1],
            output a, int case.ld(m, n));
    }, super::anywhere;
    symv |case, [alpha, beta], [a, b, c]| {
        let n = case.sizes[0];
        call!(symv, case, [order], option case.half, int n, num alpha, input a, int case.ld(n, n),
            input b, int case.steps[0], num beta, output c, int case.steps[1]);
    }, super::anywhere;
    syr |case, [alpha, beta], [a, b, c]| {
        let n = case.sizes[0];
        call!(syr, case, [order], option case.half, int n, num alpha, input b, int case.steps[0], output a, int case.ld(n, n));
    }, super::anywhere;
    trmv |case, [alpha, beta], [a, b, c]| {
        let n = case.sizes[0];
        call!(trmv, case, [order], option case.half, option case.trans[0], option case.diagonal, int n,
            input a, int case.ld(n, n), output b, int case.steps[0]);
    }, super::anywhere;
    trsv |case, [alpha, beta], [a, b, c]| {
        let n = case.sizes[0];
        call!(trsv, case, [order], option case.half, option case.trans[0], option case.diagonal, int n,
            input a, int case.ld(n, n), output b, int case.steps[0]);
    }, super::positive;
    gemm |case, [alpha, beta], [a, b, c]| {
        let ([m, n, k], [ta, tb]) = (case.sizes, case.trans);
        call!(gemm, case, [order], option ta, option tb, int m, int n, int k, num alpha, input a, int case.ld_of(ta, m, k),
            input b, int case.ld_of(tb, k, n), num beta, output c, int case.ld(m, n));
    }, super::anywhere;
    gemm_with_itself |case, [alpha, beta], [a, b, c]| {
        let [m, _, k] = case.sizes;
        let other = if case.trans[0] == b'N' { b'T' } else { b'N' };
        let ld = case.ld_of(case.trans[0], m, k);
        call!(gemm, case, [order], option case.trans[0], option other, int m, int m, int k, num alpha, input a, int ld,
            input a, int ld, num beta, output c, int case.ld(m, m));
    }, super::anywhere;
    symm |case, [alpha, beta], [a, b, c]| {
        let [m, n, _] = case.sizes;
        let size = case.side_of(m, n);
        call!(symm, case, [order], option case.side, option case.half, int m, int n, num alpha, input a, int case.ld(size, size),
            input b, int case.ld(m, n), num beta, output c, int case.ld(m, n));
    }, super::anywhere;
    syrk |case, [alpha, beta], [a, b, c]| {
        let ([n, _, k], trans) = (case.sizes, case.trans[0]);
        call!(syrk, case, [order], option case.half, option trans, int n, int k, num alpha, input a, int case.ld_of(trans, n, k),
            num beta, output c, int case.ld(n, n));
    }, super::anywhere;
    syr2k |case, [alpha, beta], [a, b, c]| {
        let ([n, _, k], trans) = (case.sizes, case.trans[0]);
        let ld = case.ld_of(trans, n, k);
        call!(syr2k, case, [order], option case.half, option trans, int n, int k, num alpha, input a, int ld, input b, int ld,
            num beta, output c, int case.ld(n, n));
    }, super::anywhere;
    trmm |case, [alpha, beta], [a, b, c]| {
        let [m, n, _] = case.sizes;
        let size = case.side_of(m, n);
        call!(trmm, case, [order], option case.side, option case.half, option case.trans[0], option case.diagonal, int m, int n,
            num alpha, input a, int case.ld(size, size), output b, int case.ld(m, n));
    }, super::anywhere;
    trsm |case, [alpha, beta], [a, b, c]| {
        let [m, n, _] = case.sizes;
        let size = case.side_of(m, n);
        call!(trsm, case, [order], option case.side, option case.half, option case.trans[0], option case.diagonal, int m, int n,
            num alpha, input a, int case.ld(size, size), output b, int case.ld(m, n));
    }, super::positive;
}

/// Not with a second factor of 0, whose derivative is asked for.
fn unscaled(x: &mut [f64], _: &Case) {
    if x[1] == 0.0 {
        x[1] = 0.5;
    }
}

functional! {
    fn operands_that_are_overwritten(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let data = y.as_mut_ptr();
        for _ in 0..3 {
            unsafe {
                c::gemv(101, 111, 2, 3, x[0], data, 4, data.add(8), 1, x[1], data.add(14), 1);
                c::gemv(101, 112, 2, 3, 1.0, data, 4, data.add(14), -1, 0.5, data.add(8), 2);
                c::ger(102, 2, 3, x[2], data.add(14), 1, data.add(8), 2, data, 2);
                c::scal(2, 0.25, data.add(14), 1);
            }
        }
        y.iter().enumerate().map(|(i, y)| y * y * (i as f64 - 7.5)).sum()
    } at noise(1, 16);
    fn a_constant_operand(x: &[f64]) -> f64 {
        let a = [0.5, -1.5, 2.5, 0.25];
        let mut y = [1.0, 2.0];
        unsafe { c::gemv(101, 111, 2, 2, 1.0, a.as_ptr(), 2, x.as_ptr(), 1, 0.0, y.as_mut_ptr(), 1) };
        y[0] * y[1]
    } at [0.3, 0.7];
}

#[test]
fn the_length_of_nothing_has_derivative_zero() {
    let f = |x: &[f64]| unsafe { c::nrm2(2, x.as_ptr(), 1) };
    assert_eq!(cotangent::gradient(f, &[0.0, 0.0]), [0.0, 0.0]);
}

#[test]
fn lengths_whose_squares_vanish_or_overflow() {
    let f = |x: &[f64]| unsafe { c::nrm2(2, x.as_ptr(), 1) };
    for far in [1e-200, 1e200] {
        assert_close!(cotangent::gradient(f, &[3.0 * far, 4.0 * far]), [0.6, 0.8]);
    }
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| unsafe {
        let mut y = [0.0; 2];
        c::gemv(101, 111, 2, 2, x[4], x.as_ptr(), 2, x.as_ptr().add(4), 1, 0.0, y.as_mut_ptr(), 1);
        c::trsv(101, 122, 111, 131, 2, x.as_ptr(), 2, y.as_mut_ptr(), 1);
        y[0] * y[1]
    };
    super::assert_hessian(f, &[1.3, 0.7, -0.4, 0.9, 0.5, -0.8]);
}
