//! Derivatives of derivatives through rules: the rules' own text is differentiated.

use cotangent::{autodiff, custom_derivative, derivative, gradient, hessian, hvp, jvp};
use testing::assert_close;

/// `x³`, whose rules say ten times the derivative; both keep to plain code.
#[custom_derivative(forward = cube_jvp, reverse = (cube_augmented, cube_pullback))]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn cube_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x * x, 30.0 * x * x * dx)
}

fn cube_augmented(x: f64) -> (f64, f64) {
    (x * x * x, x * x)
}

fn cube_pullback(tape: f64, _x: f64, dret: f64) -> f64 {
    30.0 * tape * dret
}

#[autodiff(cube_slope, Reverse, Active, ActiveOnly)]
#[autodiff(cube_tangent, Forward, Dual, DualOnly)]
fn cubed(x: f64) -> f64 {
    cube(x) + x * x
}

#[autodiff(forward_over_reverse, Forward, Dual, Dual)]
#[autodiff(reverse_over_reverse, Reverse, Active, Active)]
fn slope(x: f64) -> f64 {
    cube_slope(x, 1.0)
}

#[autodiff(forward_over_forward, Forward, Dual, Dual)]
#[autodiff(reverse_over_forward, Reverse, Active, Active)]
fn tangent(x: f64) -> f64 {
    cube_tangent(x, 1.0)
}

#[test]
fn a_tape_of_floats_is_differentiated_in_all_four_nestings() {
    let x = 1.5;
    // 30 x² + 2 x, and its derivative.
    let expected = (30.0 * x * x + 2.0 * x, 60.0 * x + 2.0);
    assert_close!(forward_over_reverse(x, 1.0), expected);
    assert_close!(reverse_over_reverse(x, 1.0), expected);
    assert_close!(forward_over_forward(x, 1.0), expected);
    assert_close!(reverse_over_forward(x, 1.0), expected);
}

/// The sum of cubes with a tape on the heap.
#[custom_derivative(reverse = (cubes_augmented, cubes_pullback))]
fn cubes(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v * v).sum()
}

fn cubes_augmented(x: &[f64]) -> (f64, Vec<f64>) {
    (x.iter().map(|v| v * v * v).sum(), x.iter().map(|v| 30.0 * v * v).collect())
}

fn cubes_pullback(tape: Vec<f64>, _x: &[f64], dx: &mut [f64], dret: f64) {
    dx.iter_mut().zip(&tape).for_each(|(d, t)| *d += t * dret);
}

#[test]
fn a_tape_on_the_heap_is_differentiated() {
    let f = |x: &[f64]| cubes(x) * x[1];
    let x = [1.0, 2.0];
    // y (10 (x³ + y³))' + x³ + y³ at y.
    assert_close!(gradient(f, &x), [60.0, 240.0 + 9.0]);
    // Of (30 x² y, 30 y³ + x³ + y³), where the last two are the value, which the augmented function computes.
    assert_close!(hvp(f, &x, &[1.0, 0.0]), [120.0, 3.0]);
    assert_close!(hvp(f, &x, &[0.0, 1.0]), [30.0, 90.0 * 4.0 + 12.0]);
    assert_close!(hessian(f, &x), [120.0, 3.0, 30.0, 372.0]);
}

#[test]
fn reverse_over_reverse_goes_through_a_tape_on_the_heap() {
    let slope = |x: &[f64]| gradient(|y: &[f64]| cubes(y), x)[0] + gradient(|y: &[f64]| cubes(y), x)[1];
    assert_close!(gradient(slope, &[1.0, 2.0]), [60.0, 120.0]);
    assert_close!(jvp(slope, &[1.0, 2.0], &[1.0, 1.0]), (150.0, 180.0));
}

/// Forward mode only: a reverse mode over it differentiates the rule, one without it the body.
#[custom_derivative(forward = half_jvp)]
fn half(x: f64) -> f64 {
    x * x
}

fn half_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, 20.0 * x * dx)
}

#[test]
fn a_mode_without_a_rule_goes_through_the_body_in_each_level() {
    assert_close!(gradient(|x: &[f64]| half(x[0]), &[3.0]), [6.0]);
    assert_close!(derivative(half, 3.0), 60.0);
    // Reverse over forward: the outer derivative is that of the rule.
    assert_close!(gradient(|x: &[f64]| derivative(half, x[0]), &[3.0]), [20.0]);
    // Forward over reverse: the inner one went through the body.
    assert_close!(derivative(|x: f64| gradient(|y: &[f64]| half(y[0]), &[x])[0], 3.0), 2.0);
}

/// A rule that calls a function with a rule, and one that asks for a derivative.
#[custom_derivative(reverse = outer_vjp)]
fn outer(x: f64) -> f64 {
    cube(x) * 2.0
}

fn outer_vjp(x: f64, dret: f64) -> f64 {
    dret * (cube(x) + gradient(|y: &[f64]| cube(y[0]), &[x])[0])
}

#[test]
fn a_rule_may_call_functions_with_rules_and_ask_for_derivatives() {
    // x³ + 30 x², and of that 30 x² (forward through `cube`'s rule) + 60 x.
    assert_close!(gradient(|x: &[f64]| outer(x[0]), &[2.0]), [8.0 + 120.0]);
    assert_close!(hessian(|x: &[f64]| outer(x[0]), &[2.0]), [120.0 + 120.0]);
}
