//! A Fourier transform of `rustfft` with a rule. Its plans are called through pointers that are not known when compiling, which is refused without
//! one; the rule is short, since the transform is linear, and its transpose is the transform in the other direction.

use super::{functional, noise};
use cotangent::custom_derivative;
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};
use std::cell::RefCell;

thread_local! {
    static PLANNER: RefCell<FftPlanner<f64>> = RefCell::new(FftPlanner::new());
}

/// The transform, without a factor in either direction, of real and imaginary parts by turns.
#[custom_derivative(Const, Duplicated, forward = transform_jvp, reverse = transform_vjp)]
fn transform(inverse: bool, parts: &mut [f64]) {
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let mut buffer: Vec<Complex<f64>> = parts.chunks(2).map(|z| Complex::new(z[0], z[1])).collect();
    PLANNER.with_borrow_mut(|planner| planner.plan_fft(buffer.len(), direction)).process(&mut buffer);
    parts.chunks_mut(2).zip(&buffer).for_each(|(part, z)| part.copy_from_slice(&[z.re, z.im]));
}

fn transform_jvp(inverse: bool, parts: &mut [f64], tangent: &mut [f64]) {
    transform(inverse, parts);
    transform(inverse, tangent);
}

fn transform_vjp(inverse: bool, _: &mut [f64], adjoint: &mut [f64]) {
    transform(!inverse, adjoint);
}

fn filtered(x: &[f64]) -> f64 {
    let mut parts: Vec<f64> = x.iter().flat_map(|v| [*v, v * v]).collect();
    transform(false, &mut parts);
    parts.iter_mut().enumerate().for_each(|(i, v)| *v = *v * *v * i as f64);
    transform(true, &mut parts);
    parts.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
}

functional! {
    fn there_and_back(x: &[f64]) -> f64 { filtered(x) } at noise(3, 12), noise(1, 7);
}

#[test]
fn second_derivatives() {
    let x = noise(3, 4);
    let direction = noise(4, 4);
    let found = cotangent::hvp(filtered, &x, &direction);
    let expected = testing::differences::along(|x| cotangent::gradient(filtered, x), &x, &direction);
    testing::assert_close!(found, expected, 1e-7);
}
