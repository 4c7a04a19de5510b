//! Arithmetic, casts and bits.

use crate::{assert_close, functional, scalar};
use cotangent::autodiff;

scalar! {
    fn sums_differences_products_and_quotients(x: f64) -> f64 {
        (x + 3.0) * (2.0 - x) / (x * x + 1.0) - x
    } at 0.3, -2.0, 10.0;

    fn the_same_in_f32(x: f32) -> f32 {
        (x + 3.0) * (2.0 - x) / (x * x + 1.0) - x
    } at 0.3, -2.0, 10.0;

    fn negation(x: f64) -> f64 { -(-x * -x * -x) } at 0.7, -1.5;

    fn remainder(x: f64) -> f64 { (x * 3.0) % 2.0 + 7.6 % x } at 0.3, -1.1, 5.3;

    fn euclidean_remainder(x: f64) -> f64 { (x * x).rem_euclid(1.75) } at 0.8, -2.2;

    fn a_value_used_many_times(x: f64) -> f64 {
        let a = x * x;
        let b = a * x + a;
        let c = b * a + b + x;
        c * b * a * x
    } at 0.6, -0.4;

    fn a_constant_times_zero_is_not_lost(x: f64) -> f64 { 0.0 * x + x * 0.0 + x } at 0.0, 2.0;

    fn conversions_between_f32_and_f64(x: f64) -> f64 {
        let single = (x * x) as f32;
        f64::from(single) * x + f64::from((x as f32) * 2.0)
    } at 0.5, -2.0, 1.5;

    fn conversions_between_f64_and_f32(x: f32) -> f32 {
        let double = f64::from(x) * f64::from(x);
        (double.sqrt() * 3.0) as f32 + x
    } at 0.5, 2.0;

    fn integers_on_the_way_are_constant(x: f64) -> f64 {
        let steps = (x * 10.0) as usize;
        let half = (x as i32) as f64;
        x * steps as f64 + half * x
    } at 1.23, 0.57;

    fn unsigned_and_signed_conversions(x: f64) -> f64 {
        let a = x as u8;
        let b = x as i64;
        x * (f64::from(a) + b as f64 + (b as u32) as f64)
    } at 3.3;

    fn fused_multiply_add(x: f64) -> f64 { x.mul_add(x, 3.0 * x).mul_add(2.0, x * x) } at 0.4, -3.0;

    fn copysign_carries_the_sign_of_both(x: f64) -> f64 {
        (x * x * x).copysign(x - 5.0) + x.copysign(-1.0)
    } at 0.4, -0.4, 6.0;

    fn signum_is_flat(x: f64) -> f64 { x.signum() * x * x } at 0.4, -0.4;

    fn bits_taken_apart_and_put_together(x: f64) -> f64 {
        let y = f64::from_bits(x.to_bits() ^ (1 << 63));
        y * y * y
    } at 0.8, -1.1;

    fn degrees_and_radians(x: f64) -> f64 { x.to_radians().sin() + x.to_degrees() * x } at 30.0;

    fn reciprocal(x: f64) -> f64 { x.recip() * x.recip() } at 0.4, -3.0;
}

functional! {
    fn the_same_input_twice(x: &[f64]) -> f64 { x[0] * x[0] + x[0] * x[1] + x[1] / x[0] } at [0.5, 3.0];

    fn an_input_that_is_not_used(x: &[f64]) -> f64 { x[2] * x[2] } at [1.0, 2.0, 3.0];

    fn an_input_returned(x: &[f64]) -> f64 { x[1] } at [1.0, 2.0];

    // What continued fractions for Bessel functions begin with: the reciprocal is finite, its square is not.
    fn a_quotient_by_a_tiny_number(x: &[f64]) -> f64 {
        let tiny = f64::MIN_POSITIVE / f64::EPSILON;
        let scale = if x[0] > 10.0 { x[0] * tiny } else { tiny };
        x[1] / scale * tiny
    } at [0.5, 3.0];

    fn indices_computed_from_floats_are_constant(x: &[f64]) -> f64 {
        let i = (x[0] * 2.0) as usize;
        x[i] * x[0]
    } at [0.6, 2.0, 3.0], [1.1, 2.0, 3.0];

    fn a_slice_of_f32(x: &[f32]) -> f32 {
        let mut sum = 0.0f32;
        for v in x {
            sum += v * v * 0.5;
        }
        sum / x[0]
    } at [1.5f32, -2.0, 0.5];

    fn sums_in_f64_of_f32(x: &[f32]) -> f32 {
        let sum: f64 = x.iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
        sum.sqrt() as f32
    } at [1.5f32, -2.0, 0.5];
}

#[autodiff(unit_forward, Forward, Dual, Dual)]
#[autodiff(unit_reverse, Reverse, Duplicated, Active)]
fn horner(c: &[f64; 5]) -> f64 {
    let x = 1.5;
    (((c[4] * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]
}

#[test]
fn a_polynomial_in_its_coefficients_has_the_powers_as_gradient() {
    let mut d = [0.0; 5];
    unit_reverse(&[1.0, -2.0, 3.0, -4.0, 5.0], &mut d, 1.0);
    assert_close!(d, [1.0, 1.5, 2.25, 3.375, 5.0625]);
    assert_close!(unit_forward(&[0.0; 5], &[1.0; 5]).1, 13.1875);
}
