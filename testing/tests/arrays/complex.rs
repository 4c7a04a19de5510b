//! Products of complex matrices: `matrixmultiply`'s `zgemm` and `cgemm`, which `ndarray` multiplies with.

use super::{assert_hessian, functional, in_place, noise};
use ::matrixmultiply::CGemmOption::Standard;
use ::matrixmultiply::{cgemm, zgemm};
use cotangent::gradient;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, LinalgScalar, s};
use num_complex::{Complex, Complex64, ComplexFloat};

/// A matrix of real and imaginary parts by turns.
fn matrix<T: Copy>(x: &[T], rows: usize, columns: usize) -> Array2<Complex<T>> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let at = 2 * (i * columns + j);
        Complex::new(x[at], x[at + 1])
    })
}

/// A number that depends on every part in a way of its own.
fn weighted<'a>(z: impl IntoIterator<Item = &'a Complex64>) -> f64 {
    z.into_iter().enumerate().map(|(i, z)| (i as f64 + 1.0) * z.re * z.im + z.re * z.re - 0.5 * z.im).sum()
}

fn z(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

functional! {
    fn a_product_of_matrices_of_ndarray(x: &[f64]) -> f64 {
        weighted(&matrix(x, 2, 3).dot(&matrix(&x[12..], 3, 2)))
    } at noise(1, 24);

    fn a_matrix_with_its_conjugate_transposed(x: &[f64]) -> f64 {
        let a = matrix(x, 2, 3);
        let square = a.dot(&a.t().mapv(|z| z.conj()));
        weighted(&square) + square[[0, 1]].norm()
    } at noise(2, 12);

    fn a_chain_of_products_transposed_and_in_steps(x: &[f64]) -> f64 {
        let a = matrix(x, 4, 4);
        let (even, back) = (a.slice(s![..;2, ..]), a.slice(s![..;-1, ..;3]));
        weighted(&even.dot(&back).dot(&even.dot(&a.t()).mapv(|z| z * z)))
    } at noise(3, 32);

    fn a_constant_matrix_in_front(x: &[f64]) -> f64 {
        let unitary = Array2::from_shape_fn((2, 2), |(i, j)| if i == j { z(0.6, 0.0) } else { z(0.0, -0.8) });
        let state = unitary.dot(&matrix(x, 2, 2)).dot(&unitary.t());
        state.iter().map(|z| z.norm_sqr()).sum::<f64>() + weighted(&state)
    } at noise(4, 8);

    fn a_matrix_and_a_vector(x: &[f64]) -> f64 {
        let v: Array1<Complex64> = x[18..].chunks(2).map(|z| Complex64::new(z[0], z[1])).collect();
        let a = matrix(x, 3, 3);
        weighted(&a.dot(&v)) + weighted(&v.dot(&a)) + v.dot(&v).im
    } at noise(5, 24);

    fn powers_of_a_matrix_in_a_loop(x: &[f64]) -> f64 {
        let a = matrix(x, 2, 2);
        let mut power = Array2::eye(2);
        let mut sum = 0.0;
        for k in 1..5 {
            power = power.dot(&a) / k as f64;
            sum += weighted(&power);
        }
        sum
    } at noise(6, 8);

    fn active_factors_of_a_general_product(x: &[f64]) -> f64 {
        let mut c = matrix(&x[4..], 2, 2);
        let (a, b) = (matrix(&x[12..], 2, 3), matrix(&x[24..], 3, 2));
        general_mat_mul(z(x[0], x[1]), &a, &b, z(x[2], x[3]), &mut c);
        weighted(&c)
    } at noise(7, 36);

    fn one_row_or_column_or_no_inner_index(x: &[f64]) -> f64 {
        let (row, column) = (matrix(x, 1, 3), matrix(&x[6..], 3, 1));
        let empty: Array2<Complex64> = matrix(x, 2, 0).dot(&matrix(x, 0, 2));
        weighted(&row.dot(&column)) + weighted(&column.dot(&row)) + weighted(&empty)
    } at noise(8, 12);

    fn nothing_to_multiply_and_a_factor_of_what_was_there(x: &[f64]) -> f64 {
        let mut c = [[x[0], x[1]], [x[2], x[3]]];
        let (a, beta) = (c.as_ptr(), [x[4], x[5]]);
        unsafe { zgemm(Standard, Standard, 1, 0, 2, [1.5, 0.5], a, 4, 1, a, 3, 1, beta, c.as_mut_ptr(), 2, 1) };
        weighted(&c.map(|[re, im]| z(re, im)))
    } at noise(9, 6);

    fn a_row_that_stands_for_all_rows_and_rows_in_opposite_order(x: &[f64]) -> f64 {
        let numbers: Vec<[f64; 2]> = x.chunks(2).map(|z| [z[0], z[1]]).collect();
        let (a, b) = (numbers.as_ptr(), unsafe { numbers.as_ptr().add(11) });
        let mut c = [[0.5, 0.25]; 6];
        let to = unsafe { c.as_mut_ptr().add(5) };
        unsafe { zgemm(Standard, Standard, 2, 3, 3, [x[1], x[0]], a, 0, 1, b, -3, -1, [0.0; 2], to, -3, -1) };
        weighted(&c.map(|[re, im]| z(re, im)))
    } at noise(10, 24);
}

in_place! {
    fn one_product_after_the_other_where_the_numbers_lie(x: &mut [f64]) {
        let x = x.as_mut_ptr().cast::<[f64; 2]>();
        unsafe {
            zgemm(Standard, Standard, 2, 2, 2, [1.5, -0.5], x, 2, 1, x.add(4), 1, 2, [0.5, 0.25], x.add(8), 2, 1);
            zgemm(Standard, Standard, 2, 2, 2, [1.0, 0.0], x.add(8), 2, 1, x.add(4), 2, 1, [1.0, 0.0], x, 2, 1);
        }
    } at noise(11, 24);
}

#[test]
fn what_is_multiplied_by_zero_is_not_looked_at() {
    let f = |x: &[f64]| {
        let (a, mut c) = ([[x[0], x[1]]], [[f64::NAN; 2]]);
        let a = a.as_ptr();
        unsafe { zgemm(Standard, Standard, 1, 1, 1, [1.0, 0.0], a, 1, 1, a, 1, 1, [0.0; 2], c.as_mut_ptr(), 1, 1) };
        c[0][0]
    };
    assert_eq!(gradient(f, &[3.0, 2.0]), [6.0, -4.0]);
}

/// `tr(A * A^H)` is the sum of squares, so that its gradient is known.
fn squares<T: ComplexFloat<Real = T> + LinalgScalar>(a: ArrayView2<Complex<T>>) -> T
where
    Complex<T>: LinalgScalar + ComplexFloat<Real = T>,
{
    let square = a.dot(&a.t().mapv(|z| z.conj()));
    square.diag().iter().fold(T::zero(), |sum, z| sum + z.re)
}

#[test]
fn the_gradient_of_a_sum_of_squares_is_twice_the_numbers() {
    let double = [0.5, -1.5, 2.0, 0.25, 1.0, -0.75, 3.0, 0.125, -2.5, 1.75, 0.0, 1.5];
    let twice = double.map(|v| 2.0 * v);
    assert_eq!(gradient(|x: &[f64]| squares(matrix(x, 2, 3).view()), &double), twice);
    let single = double.map(|v| v as f32);
    assert_eq!(gradient(|x: &[f32]| squares(matrix(x, 2, 3).view()), &single), twice.map(|v| v as f32));
}

#[test]
fn factors_in_single_precision_have_the_derivatives_of_those_in_double_precision() {
    let double = |x: &[f64]| {
        let (z, mut c): (Vec<_>, _) = (x.chunks(2).map(|z| [z[0], z[1]]).collect(), [[x[0], x[3]]; 4]);
        let (a, b) = (z.as_ptr(), z[2..].as_ptr());
        unsafe { zgemm(Standard, Standard, 2, 2, 2, z[0], a, 2, 1, b, 1, 2, z[1], c.as_mut_ptr(), 2, 1) };
        c.iter().map(|[re, im]| re * im + re).sum::<f64>()
    };
    let single = |x: &[f32]| {
        let (z, mut c): (Vec<_>, _) = (x.chunks(2).map(|z| [z[0], z[1]]).collect(), [[x[0], x[3]]; 4]);
        let (a, b) = (z.as_ptr(), z[2..].as_ptr());
        unsafe { cgemm(Standard, Standard, 2, 2, 2, z[0], a, 2, 1, b, 1, 2, z[1], c.as_mut_ptr(), 2, 1) };
        c.iter().map(|[re, im]| re * im + re).sum::<f32>()
    };
    let x = noise(12, 12);
    let narrow: Vec<f32> = x.iter().map(|v| *v as f32).collect();
    let found: Vec<f64> = gradient(single, &narrow).iter().map(|v| f64::from(*v)).collect();
    testing::assert_close!(found, gradient(double, &x), 1e-5);
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| {
        let a = matrix(x, 2, 2);
        weighted(&a.dot(&a.t().mapv(|z| z.conj())).dot(&a))
    };
    assert_hessian(f, &noise(13, 8));
}
