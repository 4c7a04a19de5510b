//! `matrixmultiply`, which `ndarray` and `nalgebra` multiply matrices with.

use super::{functional, in_place, map, noise};
use ::matrixmultiply::{dgemm, sgemm};

fn weighted(c: &[f64]) -> f64 {
    c.iter().enumerate().map(|(i, c)| c * c * (i as f64 + 1.0)).sum()
}

functional! {
    fn product_of_two_matrices(x: &[f64]) -> f64 {
        let mut c = [0.5f64; 6];
        unsafe { dgemm(2, 4, 3, 1.5, x.as_ptr(), 4, 1, x.as_ptr().add(8), 3, 1, 0.0, c.as_mut_ptr(), 3, 1) };
        weighted(&c)
    } at noise(3, 20);
    fn factors_are_active(x: &[f64]) -> f64 {
        let mut c = [x[0], x[1] * x[1], 0.25, x[2], 1.0, x[3]];
        let (a, b) = (x.as_ptr(), unsafe { x.as_ptr().add(8) });
        unsafe { dgemm(2, 4, 3, x[4], a, 1, 2, b, 1, 4, x[5] * x[6], c.as_mut_ptr(), 1, 2) };
        weighted(&c)
    } at noise(3, 20);
    fn a_factor_of_one_is_active(x: &[f64]) -> f64 {
        let mut c = [x[1], x[2], x[3], x[4]];
        unsafe { dgemm(2, 2, 2, x[5], x.as_ptr(), 2, 1, x.as_ptr(), 1, 2, x[0], c.as_mut_ptr(), 2, 1) };
        weighted(&c)
    } at [1.0, 0.3, -0.7, 0.2, 0.9, 1.0];
    fn a_matrix_with_itself(x: &[f64]) -> f64 {
        let mut c = [0.0; 4];
        unsafe { dgemm(2, 4, 2, 1.0, x.as_ptr(), 4, 1, x.as_ptr(), 1, 4, 0.0, c.as_mut_ptr(), 2, 1) };
        c[0] * c[1] + c[2] * c[3] + c[3]
    } at noise(3, 8);
    fn operands_that_are_overwritten_in_a_loop(x: &[f64]) -> f64 {
        let mut a = x[..4].to_vec();
        let mut c = vec![0.1; 4];
        for _ in 0..3 {
            unsafe { dgemm(2, 2, 2, 1.0, a.as_ptr(), 2, 1, x.as_ptr().add(2), 2, 1, 0.5, c.as_mut_ptr(), 2, 1) };
            for i in 0..4 {
                a[i] = c[i].sin();
            }
        }
        weighted(&c)
    } at noise(3, 6);
    fn a_row_that_stands_for_all_rows(x: &[f64]) -> f64 {
        let mut c = [0.5f64; 6];
        unsafe { dgemm(2, 4, 3, 1.5, x.as_ptr(), 0, 1, x.as_ptr().add(8), 3, 1, 0.0, c.as_mut_ptr(), 3, 1) };
        weighted(&c)
    } at noise(3, 20);
    fn rows_in_opposite_order(x: &[f64]) -> f64 {
        let mut c = [0.5f64; 6];
        unsafe { dgemm(2, 4, 3, 1.5, x.as_ptr().add(4), -4, 1, x.as_ptr().add(19), -3, -1, 0.0, c.as_mut_ptr().add(5), -3, -1) };
        weighted(&c)
    } at noise(3, 20);
    fn nothing_to_multiply(x: &[f64]) -> f64 {
        let mut c = [x[0], x[1]];
        unsafe { dgemm(1, 0, 2, 1.5, x.as_ptr(), 4, 1, x.as_ptr(), 3, 1, 0.5, c.as_mut_ptr(), 2, 1) };
        weighted(&c)
    } at noise(3, 2);
    fn in_single_precision(x: &[f32]) -> f32 {
        let mut c = [0.5f32; 6];
        unsafe { sgemm(2, 4, 3, x[0], x.as_ptr(), 4, 1, x.as_ptr().add(8), 3, 1, 0.0, c.as_mut_ptr(), 3, 1) };
        c.iter().enumerate().map(|(i, c)| c * c * (i as f32 + 1.0)).sum()
    } at noise(3, 20).iter().map(|v| *v as f32).collect::<Vec<f32>>();
}

map! {
    fn into_an_argument(x: &[f64], y: &mut [f64]) {
        unsafe { dgemm(2, 4, 3, 1.5, x.as_ptr(), 4, 1, x.as_ptr().add(8), 3, 1, 0.0, y.as_mut_ptr(), 3, 1) };
    } at noise(3, 20) => 6;
}

in_place! {
    fn one_product_after_the_other(x: &mut [f64]) {
        let x = x.as_mut_ptr();
        unsafe {
            dgemm(2, 2, 2, 1.5, x, 2, 1, x.add(4), 2, 1, 0.5, x.add(8), 2, 1);
            dgemm(2, 2, 2, 1.5, x.add(8), 2, 1, x.add(4), 2, 1, 1.0, x, 2, 1);
        }
    } at noise(3, 12);
}

#[test]
fn what_is_multiplied_by_zero_is_not_looked_at() {
    let f = |x: &[f64]| {
        let mut c = [f64::NAN; 4];
        unsafe { dgemm(2, 2, 2, 1.0, x.as_ptr(), 2, 1, x.as_ptr(), 2, 1, 0.0, c.as_mut_ptr(), 2, 1) };
        c[0]
    };
    assert_eq!(cotangent::gradient(f, &[1.0, 2.0, 3.0, 4.0]), [2.0, 3.0, 2.0, 0.0]);
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| {
        let mut c = [0.0; 4];
        unsafe { dgemm(2, 4, 2, 1.0, x.as_ptr(), 4, 1, x.as_ptr(), 1, 4, 0.0, c.as_mut_ptr(), 2, 1) };
        c[0] * c[1] + c[3]
    };
    let x = noise(3, 8);
    let hessian = cotangent::hessian(f, &x);
    for (i, row) in hessian.chunks(8).enumerate() {
        let direction: Vec<f64> = (0..8).map(|j| f64::from(i == j)).collect();
        let expected = testing::differences::along(|x| cotangent::gradient(f, x), &x, &direction);
        testing::assert_close!(row, expected, 1e-7);
    }
}
