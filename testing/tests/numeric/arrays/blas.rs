//! BLAS and LAPACK under C's names and Fortran's.

use super::factors::{LAPACKE_dgetrf, LAPACKE_dpotrf, dgesv_, dgetrf_, dgetri_, dgetrs_, dposv_, dtrtrs_};
use super::reference::{cblas_dcopy, cblas_dsyr, cblas_dsyr2k, cblas_dtrmv, cblas_sgemm, drot_, dswap_};
use super::{functional, in_place, noise};
use std::ffi::c_char;

unsafe extern "C" {
    fn cblas_ddot(n: i32, x: *const f64, inc_x: i32, y: *const f64, inc_y: i32) -> f64;
    fn sdot_(n: *const i32, x: *const f32, inc_x: *const i32, y: *const f32, inc_y: *const i32) -> f32;
    fn cblas_daxpy(n: i32, alpha: f64, x: *const f64, inc_x: i32, y: *mut f64, inc_y: i32);
    fn dscal_(n: *const i32, alpha: *const f64, x: *mut f64, inc_x: *const i32);
    fn cblas_dnrm2(n: i64, x: *const f64, inc_x: i64) -> f64;
    fn cblas_dasum(n: i32, x: *const f64, inc_x: i32) -> f64;
    fn cblas_dgemv(
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
    );
    fn cblas_dger(
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
    );
    fn cblas_dsymv(
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
    );
    fn cblas_dgemm(
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
    );
    fn dgemm_(
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
    );
    fn cblas_dsymm(
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
    );
    fn cblas_dsyrk(
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
    );
    fn cblas_dtrmm(
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
    );
    fn cblas_dtrsm(
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
    );
    fn cblas_dtrsv(
        order: i32,
        half: i32,
        trans: i32,
        diagonal: i32,
        n: i32,
        a: *const f64,
        ld_a: i32,
        x: *mut f64,
        inc_x: i32,
    );
    fn dpotrf_(half: *const c_char, n: *const i32, a: *mut f64, ld: *const i32, info: *mut i32);
    fn dpotrs_(
        half: *const c_char,
        n: *const i32,
        columns: *const i32,
        a: *const f64,
        ld_a: *const i32,
        b: *mut f64,
        ld_b: *const i32,
        info: *mut i32,
    );
}

const BY_ROWS: i32 = 101;
const BY_COLUMNS: i32 = 102;
const N: i32 = 111;
const T: i32 = 112;
const UPPER: i32 = 121;
const LOWER: i32 = 122;
const NON_UNIT: i32 = 131;
const UNIT: i32 = 132;
const LEFT: i32 = 141;
const RIGHT: i32 = 142;

functional! {
    fn dot(x: &[f64]) -> f64 {
        let there = unsafe { cblas_ddot(7, x.as_ptr(), 1, x.as_ptr().add(7), 1) };
        let back = unsafe { cblas_ddot(3, x.as_ptr(), -2, x.as_ptr().add(1), 3) };
        there * back
    } at noise(1, 14);
    fn dot_with_itself(x: &[f64]) -> f64 { unsafe { cblas_ddot(5, x.as_ptr(), 1, x.as_ptr(), 1).sqrt() } } at noise(1, 5);
    fn dot_in_single_precision(x: &[f32]) -> f32 {
        unsafe { sdot_(&3, x.as_ptr(), &1, x.as_ptr().add(2), &-1) * x[0] }
    } at [0.3, 0.5, -0.7, 0.9, 1.1];
    fn norm(x: &[f64]) -> f64 { unsafe { cblas_dnrm2(3, x.as_ptr(), 2) * x[1] } } at noise(1, 5);
    fn sum_of_absolute_values(x: &[f64]) -> f64 { unsafe { cblas_dasum(3, x.as_ptr(), 2) * x[1] } } at noise(1, 5);
    fn with_a_constant_operand(x: &[f64]) -> f64 {
        let a = [0.5, -1.5, 2.5, 0.25];
        let mut y = [1.0, 2.0];
        unsafe { cblas_dgemv(BY_ROWS, N, 2, 2, 1.0, a.as_ptr(), 2, x.as_ptr(), 1, 0.0, y.as_mut_ptr(), 1) };
        y[0] * y[1]
    } at [0.3, 0.7];
    fn a_system_solved_by_a_factor(x: &[f64]) -> f64 {
        let mut a = [0.0; 9];
        unsafe { cblas_dsyrk(BY_COLUMNS, LOWER, N, 3, 3, 1.0, x.as_ptr(), 3, 0.0, a.as_mut_ptr(), 3) };
        (0..3).for_each(|i| a[4 * i] += 1.0);
        let (mut b, mut info) = ([x[0], 1.0, x[1], x[2] * x[3], 0.5, 2.0], 0);
        unsafe {
            dpotrf_(&(b'L' as c_char), &3, a.as_mut_ptr(), &3, &mut info);
            assert_eq!(info, 0);
            dpotrs_(&(b'L' as c_char), &3, &2, a.as_ptr(), &3, b.as_mut_ptr(), &3, &mut info);
        }
        b.iter().enumerate().map(|(i, b)| b * b * (i as f64 - 2.5)).sum()
    } at noise(1, 9);
}

in_place! {
    fn axpy(x: &mut [f64]) {
        let alpha = x[0] * x[1];
        unsafe { cblas_daxpy(3, alpha, x.as_ptr(), 1, x.as_mut_ptr().add(3), -2) };
    } at noise(1, 8);
    fn scal(x: &mut [f64]) {
        let alpha = x[0] * x[1];
        unsafe { dscal_(&3, &alpha, x.as_mut_ptr().add(1), &2) };
    } at noise(1, 6);
    fn gemv(x: &mut [f64]) {
        let (alpha, beta, x) = (x[0], x[1], x.as_mut_ptr());
        unsafe {
            cblas_dgemv(BY_ROWS, N, 2, 3, alpha, x, 4, x.add(8), 1, beta, x.add(14), 1);
            cblas_dgemv(BY_ROWS, T, 2, 3, alpha, x, 4, x.add(14), -1, 0.5, x.add(8), 2);
            cblas_dgemv(BY_COLUMNS, N, 3, 2, 1.0, x, 4, x.add(14), 1, beta, x.add(8), 2);
        }
    } at noise(1, 16);
    fn ger(x: &mut [f64]) {
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            cblas_dger(BY_ROWS, 2, 3, alpha, x, 2, x.add(4), 1, x.add(8), 4);
            cblas_dger(BY_COLUMNS, 2, 3, 1.0, x.add(4), -1, x, 1, x.add(8), 2);
        }
    } at noise(1, 16);
    fn symv(x: &mut [f64]) {
        let (alpha, beta, x) = (x[9], x[10], x.as_mut_ptr());
        unsafe {
            cblas_dsymv(BY_ROWS, UPPER, 3, alpha, x, 3, x.add(9), 1, beta, x.add(12), 1);
            cblas_dsymv(BY_COLUMNS, LOWER, 3, 1.0, x, 3, x.add(12), 1, beta, x.add(9), -1);
        }
    } at noise(1, 15);
    fn gemm_of_c(x: &mut [f64]) {
        let (alpha, beta, x) = (x[0], x[1], x.as_mut_ptr());
        unsafe {
            cblas_dgemm(BY_ROWS, N, T, 2, 3, 2, alpha, x, 2, x.add(4), 2, beta, x.add(10), 4);
            cblas_dgemm(BY_COLUMNS, T, N, 2, 2, 3, 1.0, x.add(10), 4, x.add(4), 3, 0.0, x, 2);
            cblas_dgemm(BY_ROWS, T, T, 2, 1, 3, 1.0, x.add(4), 2, x.add(10), 3, 1.0, x, 1);
        }
    } at noise(1, 18);
    fn gemm_of_fortran(x: &mut [f64]) {
        let [n, t] = [b'N', b'T'].map(|letter| letter as c_char);
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            dgemm_(&n, &t, &2, &3, &2, &alpha, x, &2, x.add(4), &3, &0.5, x.add(10), &2);
            dgemm_(&t, &n, &3, &2, &2, &1.0, x.add(10), &2, x, &2, &1.0, x.add(4), &3);
        }
    } at noise(1, 16);
    fn symm(x: &mut [f64]) {
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            cblas_dsymm(BY_ROWS, LEFT, LOWER, 2, 3, alpha, x, 2, x.add(4), 3, 0.5, x.add(10), 3);
            cblas_dsymm(BY_COLUMNS, RIGHT, UPPER, 3, 2, 1.0, x, 2, x.add(10), 3, 0.0, x.add(4), 3);
        }
    } at noise(1, 16);
    fn syrk(x: &mut [f64]) {
        let (alpha, beta, x) = (x[0], x[1], x.as_mut_ptr());
        unsafe {
            cblas_dsyrk(BY_ROWS, UPPER, T, 3, 2, alpha, x, 3, beta, x.add(6), 3);
            cblas_dsyrk(BY_COLUMNS, LOWER, N, 2, 3, 1.0, x.add(6), 2, 0.0, x, 2);
        }
    } at noise(1, 15);
    fn trmm(x: &mut [f64]) {
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            cblas_dtrmm(BY_ROWS, LEFT, LOWER, N, NON_UNIT, 2, 3, alpha, x, 2, x.add(4), 3);
            cblas_dtrmm(BY_COLUMNS, RIGHT, UPPER, N, UNIT, 3, 2, 1.0, x, 2, x.add(4), 3);
            cblas_dtrmm(BY_ROWS, RIGHT, UPPER, T, NON_UNIT, 3, 2, 2.0, x, 2, x.add(4), 2);
        }
    } at noise(1, 10);
    fn trsm(x: &mut [f64]) {
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            cblas_dtrsm(BY_ROWS, LEFT, LOWER, N, NON_UNIT, 2, 3, alpha, x, 2, x.add(4), 3);
            cblas_dtrsm(BY_COLUMNS, RIGHT, UPPER, N, UNIT, 3, 2, 1.0, x, 2, x.add(4), 3);
            cblas_dtrsm(BY_ROWS, RIGHT, LOWER, T, NON_UNIT, 3, 2, 2.0, x, 2, x.add(4), 2);
        }
    } at [0.9, 0.3, -0.4, 1.2, 0.5, -0.6, 0.7, 0.8, -0.9, 1.0];
    fn trsv(x: &mut [f64]) {
        let x = x.as_mut_ptr();
        unsafe {
            cblas_dtrsv(BY_ROWS, UPPER, N, NON_UNIT, 2, x, 3, x.add(5), 2);
            cblas_dtrsv(BY_COLUMNS, UPPER, T, UNIT, 2, x, 3, x.add(5), 2);
        }
    } at [0.9, 0.3, -0.4, 1.2, 0.5, -0.6, 0.7, 0.8];
    fn potrf(x: &mut [f64]) {
        let mut info = 0;
        unsafe {
            dpotrf_(&(b'L' as c_char), &3, x.as_mut_ptr(), &4, &mut info);
            dpotrf_(&(b'U' as c_char), &2, x.as_mut_ptr().add(12), &2, &mut info);
        }
        assert_eq!(info, 0);
    } at [2.0, 0.5, -0.3, 0.1, 0.7, 1.5, 0.4, 0.1, 0.2, 0.3, 1.8, 0.1, 3.0, 7.0, 0.5, 2.0];
}

in_place! {
    fn copy_swap_and_rot(x: &mut [f64]) {
        let ([c, s], x) = ([x[0], x[1] * x[2]], x.as_mut_ptr());
        unsafe {
            cblas_dcopy(2, x, 2, x.add(4), -1);
            dswap_(&3, x, &1, x.add(3), &-2);
            drot_(&3, x, &2, x.add(1), &2, &c, &s);
        }
    } at noise(1, 8);
    fn syr(x: &mut [f64]) {
        let (alpha, x) = (x[0], x.as_mut_ptr());
        unsafe {
            cblas_dsyr(BY_ROWS, LOWER, 2, alpha, x, 2, x.add(3), 3);
            cblas_dsyr(BY_COLUMNS, UPPER, 2, 1.5, x.add(1), -1, x.add(3), 2);
        }
    } at noise(1, 9);
    fn syr2k(x: &mut [f64]) {
        let (alpha, beta, x) = (x[0], x[1], x.as_mut_ptr());
        unsafe {
            cblas_dsyr2k(BY_ROWS, UPPER, N, 3, 2, alpha, x, 2, x.add(6), 2, beta, x.add(12), 3);
            cblas_dsyr2k(BY_COLUMNS, LOWER, T, 2, 3, 1.0, x.add(6), 3, x.add(12), 3, 0.0, x, 2);
        }
    } at noise(1, 21);
    fn trmv(x: &mut [f64]) {
        let x = x.as_mut_ptr();
        unsafe {
            cblas_dtrmv(BY_ROWS, UPPER, N, NON_UNIT, 3, x, 3, x.add(9), 1);
            cblas_dtrmv(BY_COLUMNS, UPPER, T, UNIT, 2, x, 3, x.add(9), -2);
        }
    } at noise(1, 12);
    fn getrf(x: &mut [f64]) {
        let (mut order, mut info, x) = ([0; 3], 0, x.as_mut_ptr());
        unsafe {
            dgetrf_(&3, &3, x, &4, order.as_mut_ptr(), &mut info);
            assert_eq!(info, 0);
            // Tall, wide, and by rows.
            dgetrf_(&3, &2, x.add(12), &3, order.as_mut_ptr(), &mut info);
            dgetrf_(&2, &4, x.add(18), &2, order.as_mut_ptr(), &mut info);
            info += LAPACKE_dgetrf(101, 2, 3, x.add(26), 3, order.as_mut_ptr());
        }
        assert_eq!(info, 0);
    } at noise(1, 32), noise(5, 32);
    fn getri(x: &mut [f64]) {
        let (mut order, mut info) = ([0; 3], 0);
        let mut asked = 0.0;
        dgetri_(&3, x.as_mut_ptr(), &3, order.as_ptr(), &mut asked, &-1, &mut info);
        let mut work = vec![0.0; asked as usize];
        dgetrf_(&3, &3, x.as_mut_ptr(), &3, order.as_mut_ptr(), &mut info);
        dgetri_(&3, x.as_mut_ptr(), &3, order.as_ptr(), work.as_mut_ptr(), &(asked as i32), &mut info);
        assert_eq!(info, 0);
    } at noise(2, 9);
    fn systems_by_factors(x: &mut [f64]) {
        let (mut order, mut info, x) = ([0; 3], 0, x.as_mut_ptr());
        unsafe {
            dgetrf_(&3, &3, x, &3, order.as_mut_ptr(), &mut info);
            dgetrs_(&(b'T' as c_char), &3, &2, x, &3, order.as_ptr(), x.add(9), &3, &mut info);
            dgetrs_(&(b'N' as c_char), &3, &1, x, &3, order.as_ptr(), x.add(12), &3, &mut info);
        }
        assert_eq!(info, 0);
    } at noise(2, 15), noise(7, 15);
    fn systems_of_every_sort(x: &mut [f64]) {
        let (mut order, mut info, x) = ([0; 2], 0, x.as_mut_ptr());
        unsafe {
            dgesv_(&2, &2, x, &2, order.as_mut_ptr(), x.add(4), &2, &mut info);
            assert_eq!(info, 0);
            dposv_(&(b'U' as c_char), &2, &1, x.add(8), &2, x.add(4), &2, &mut info);
            assert_eq!(info, 0);
            let [u, t, n] = [b'U', b'T', b'N'].map(|letter| letter as c_char);
            dtrtrs_(&u, &t, &n, &2, &2, x.add(8), &2, x.add(4), &2, &mut info);
            assert_eq!(info, 0);
            info = LAPACKE_dpotrf(101, b'L' as c_char, 2, x.add(12), 2);
        }
        assert_eq!(info, 0);
    } at [0.3, 1.2, -0.7, 0.4, 0.5, -0.6, 0.7, 0.8, 2.0, 9.0, 0.5, 1.5, 3.0, 7.0, 0.5, 2.0];
}

functional! {
    fn products_in_single_precision(x: &[f32]) -> f32 {
        let mut c = [x[0], x[1], 0.5, x[2]];
        let b = x.as_ptr();
        unsafe { cblas_sgemm(BY_ROWS, N, T, 2, 2, 3, x[3], b, 3, b.add(3), 3, x[4], c.as_mut_ptr(), 2) };
        c.iter().enumerate().map(|(i, c)| c * c * (i as f32 + 1.0)).sum()
    } at [0.3, 0.5, -0.7, 0.9, 1.1, 0.2, -0.4, 0.8, 0.6];
    fn a_determinant(x: &[f64]) -> f64 {
        let (mut a, mut order, mut info) = (x.to_vec(), [0; 3], 0);
        dgetrf_(&3, &3, a.as_mut_ptr(), &3, order.as_mut_ptr(), &mut info);
        let swaps = order.iter().zip(1..).filter(|(at, row)| *at != row).count();
        let product = a[0] * a[4] * a[8];
        if swaps % 2 == 0 { product } else { -product }
    } at noise(3, 9);
}

#[test]
fn factors_with_a_pivot_that_is_zero_have_no_derivative() {
    let f = |x: &[f64]| {
        let (mut a, mut order, mut info) = ([x[0], x[1], 2.0 * x[0], 2.0 * x[1]], [0; 2], 0);
        dgetrf_(&2, &2, a.as_mut_ptr(), &2, order.as_mut_ptr(), &mut info);
        assert_eq!(info, 2);
        a[2]
    };
    assert!(cotangent::gradient(f, &[1.0, 3.0]).iter().all(|g| g.is_nan()));
}

#[test]
fn the_length_of_nothing_has_derivative_zero() {
    let f = |x: &[f64]| unsafe { cblas_dnrm2(2, x.as_ptr(), 1) };
    assert_eq!(cotangent::gradient(f, &[0.0, 0.0]), [0.0, 0.0]);
}

#[test]
fn lengths_whose_squares_vanish_or_overflow() {
    let f = |x: &[f64]| unsafe { cblas_dnrm2(2, x.as_ptr(), 1) };
    for far in [1e-200, 1e200] {
        testing::assert_close!(cotangent::gradient(f, &[3.0 * far, 4.0 * far]), [0.6, 0.8]);
    }
}

#[test]
fn a_factor_that_is_not_there_has_no_derivative() {
    let f = |x: &[f64]| {
        let (mut a, mut info) = ([x[0], x[1], 0.0, 1.0], 0);
        unsafe { dpotrf_(&(b'L' as c_char), &2, a.as_mut_ptr(), &2, &mut info) };
        a[3]
    };
    assert!(cotangent::gradient(f, &[1.0, 3.0])[1].is_nan());
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| unsafe {
        let mut y = [0.0; 2];
        cblas_dgemv(BY_ROWS, N, 2, 2, x[4], x.as_ptr(), 2, x.as_ptr().add(4), 1, 0.0, y.as_mut_ptr(), 1);
        cblas_dtrsv(BY_ROWS, LOWER, N, NON_UNIT, 2, x.as_ptr(), 2, y.as_mut_ptr(), 1);
        y[0] * y[1]
    };
    let x = [1.3, 0.7, -0.4, 0.9, 0.5, -0.8];
    assert_hessian(f, &x);
    let system = |x: &[f64]| {
        let (mut a, mut b, mut order, mut info) = ([x[0], x[1], x[2], x[3]], [x[4], x[5]], [0; 2], 0);
        dgesv_(&2, &1, a.as_mut_ptr(), &2, order.as_mut_ptr(), b.as_mut_ptr(), &2, &mut info);
        b[0] * b[1]
    };
    assert_hessian(system, &x);
}

fn assert_hessian(f: impl Fn(&[f64]) -> f64, x: &[f64]) {
    let hessian = cotangent::hessian(&f, x);
    for (i, row) in hessian.chunks(6).enumerate() {
        let direction: Vec<f64> = (0..6).map(|j| f64::from(i == j)).collect();
        let expected = testing::differences::along(|x| cotangent::gradient(&f, x), x, &direction);
        testing::assert_close!(row, expected, 1e-7);
    }
}
