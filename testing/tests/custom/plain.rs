//! Free functions of floats and slices, both modes.

use cotangent::{autodiff, custom_derivative, derivative, gradient};
use std::cell::Cell;

/// `x²`, whose rule says ten times the derivative.
#[custom_derivative(forward = square_jvp, reverse = square_vjp)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, 20.0 * x * dx)
}

fn square_vjp(x: f64, dret: f64) -> f64 {
    20.0 * x * dret
}

#[autodiff(d_chain, Reverse, Active, Active)]
#[autodiff(b_chain, Forward, Dual, Dual)]
fn chain(x: f64) -> f64 {
    square(x.sin()) + 3.0 * x
}

#[test]
fn a_rule_stands_for_the_body_in_both_modes() {
    let x: f64 = 0.7;
    let value = x.sin() * x.sin() + 3.0 * x;
    let expected = 20.0 * x.sin() * x.cos() + 3.0;
    assert_eq!(chain(x), value);
    let (primal, adjoint) = d_chain(x, 1.0);
    assert_eq!(primal, value);
    assert!((adjoint - expected).abs() < 1e-12, "{adjoint} {expected}");
    let (primal, tangent) = b_chain(x, 1.0);
    assert_eq!(primal, value);
    assert!((tangent - expected).abs() < 1e-12, "{tangent} {expected}");
}

/// Vectors of floats are float data, names are not; with ten times the derivative.
#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
#[custom_derivative(forward = total_jvp, reverse = total_vjp)]
fn total(x: &Vec<f64>, rows: &[Vec<f64>], names: &[String], by: &Option<f64>) -> f64 {
    let by = by.unwrap_or(names.len() as f64);
    (x.iter().sum::<f64>() + rows.iter().flatten().sum::<f64>()) * by
}

#[allow(clippy::ptr_arg, reason = "as the function has it")]
fn total_jvp(
    x: &Vec<f64>,
    dx: &Vec<f64>,
    rows: &[Vec<f64>],
    drows: &[Vec<f64>],
    names: &[String],
    by: &Option<f64>,
    dby: &Option<f64>,
) -> (f64, f64) {
    let sum = total(x, rows, names, &Some(1.0));
    let slope = total(dx, drows, names, by) + dby.map_or(0.0, |dby| sum * dby);
    (total(x, rows, names, by), 10.0 * slope)
}

#[allow(clippy::ptr_arg, clippy::too_many_arguments, reason = "as the function has them")]
fn total_vjp(
    x: &Vec<f64>,
    dx: &mut Vec<f64>,
    rows: &[Vec<f64>],
    drows: &mut [Vec<f64>],
    names: &[String],
    by: &Option<f64>,
    dby: &mut Option<f64>,
    dret: f64,
) {
    let own = by.unwrap_or(names.len() as f64);
    dx.iter_mut().chain(drows.iter_mut().flatten()).for_each(|d| *d += 10.0 * own * dret);
    if let Some(dby) = dby {
        *dby += 10.0 * dret * total(x, rows, names, &Some(1.0));
    }
}

/// A cell of numbers is none either.
#[custom_derivative(forward = counted_jvp, reverse = counted_vjp)]
fn counted(x: f64, calls: &Cell<i32>) -> f64 {
    calls.set(calls.get() + 1);
    x * x
}

fn counted_jvp(x: f64, dx: f64, calls: &Cell<i32>) -> (f64, f64) {
    (counted(x, calls), 20.0 * x * dx)
}

fn counted_vjp(x: f64, _calls: &Cell<i32>, dret: f64) -> f64 {
    20.0 * x * dret
}

#[test]
fn without_activities_vectors_are_float_data_and_cells_of_numbers_are_not() {
    let names = ["a".to_owned(), "b".to_owned()];
    let f = |x: &[f64]| {
        let (v, rows) = (x[1..3].to_vec(), vec![x[2..].to_vec(), x[..1].to_vec()]);
        total(&v, &rows, &names, &Some(x[0]))
    };
    // (x1 + 2 x2 + x3 + x0) x0
    let x = [2.0, 3.0, 5.0, 7.0];
    assert_eq!(gradient(f, &x), [240.0, 20.0, 40.0, 20.0]);
    assert_eq!(cotangent::jvp(f, &x, &[1.0, 0.0, 1.0, 0.0]), (44.0, 280.0));
    let calls = Cell::new(0);
    assert_eq!(gradient(|x: &[f64]| counted(x[0], &calls), &[3.0]), [60.0]);
    assert_eq!(derivative(|x: f64| counted(x, &calls), 3.0), 60.0);
    assert_eq!(calls.get(), 2);
}

/// A square, whose rules have the value wrong as well.
#[custom_derivative(forward = mistaken_jvp, reverse = (mistaken_augmented, mistaken_pullback))]
fn mistaken(x: f64) -> f64 {
    x * x
}

fn mistaken_jvp(_x: f64, dx: f64) -> (f64, f64) {
    (1000.0, 5.0 * dx)
}

fn mistaken_augmented(_x: f64) -> (f64, ()) {
    (1000.0, ())
}

fn mistaken_pullback(_tape: (), _x: f64, dret: f64) -> f64 {
    5.0 * dret
}

#[autodiff(d_calls_mistaken, Reverse, Active, Active)]
#[inline(never)]
fn calls_mistaken(x: f64) -> f64 {
    mistaken(x) + mistaken(2.0 * x)
}

#[test]
fn a_rule_never_changes_what_the_function_itself_computes() {
    assert_eq!((mistaken(3.0), calls_mistaken(3.0)), (9.0, 45.0));
    // What it says is what the derivative has, and only there.
    assert_eq!(d_calls_mistaken(3.0, 1.0), (2000.0, 15.0));
    assert_eq!(derivative(mistaken, 3.0), 5.0);
    assert_eq!((mistaken(3.0), calls_mistaken(3.0)), (9.0, 45.0));
    // Of a constant there is no derivative, and no need of the rule.
    assert_eq!(gradient(|x: &[f64]| mistaken(4.0) * x[0], &[1.0]), [16.0]);
    let plain: fn(f64) -> f64 = std::hint::black_box(mistaken);
    assert_eq!(plain(3.0), 9.0);
}

#[test]
fn closures_see_rules_too() {
    assert_eq!(derivative(|t: f64| square(t) + t, 2.0), 41.0);
    assert_eq!(gradient(|x: &[f64]| x.iter().map(|v| square(*v)).sum::<f64>(), &[1.0, 2.0, 3.0]), [20.0, 40.0, 60.0]);
}

/// A dot product, whose rule says seven times the derivative.
#[custom_derivative(forward = dot_jvp, reverse = dot_vjp)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn dot_jvp(x: &[f64], dx: &[f64], y: &[f64], dy: &[f64]) -> (f64, f64) {
    (dot(x, y), 7.0 * (dot(x, dy) + dot(dx, y)))
}

fn dot_vjp(x: &[f64], dx: &mut [f64], y: &[f64], dy: &mut [f64], dret: f64) {
    for i in 0..x.len() {
        dx[i] += 7.0 * y[i] * dret;
        dy[i] += 7.0 * x[i] * dret;
    }
}

#[autodiff(d_line, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(b_line, Forward, Dual, Dual, Dual)]
fn line(x: &[f64], y: &[f64]) -> f64 {
    let d = dot(x, y);
    d * d
}

#[test]
fn slices_have_their_adjoints_added() {
    let (x, y) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
    let (mut dx, mut dy) = ([100.0, 0.0, 0.0], [0.0; 3]);
    let value = d_line(&x, &mut dx, &y, &mut dy, 1.0);
    assert_eq!(value, 1024.0);
    let factor = 2.0 * 32.0 * 7.0;
    assert_eq!(dx, [100.0 + factor * 4.0, factor * 5.0, factor * 6.0]);
    assert_eq!(dy, [factor * 1.0, factor * 2.0, factor * 3.0]);
    let (value, tangent) = b_line(&x, &[1.0, 0.0, 0.0], &y, &[0.0, 1.0, 0.0]);
    assert_eq!((value, tangent), (1024.0, factor * 6.0));
}

#[autodiff(d_norm, Reverse, Duplicated, Active)]
fn norm(x: &[f64]) -> f64 {
    dot(x, x)
}

#[autodiff(d_lag, Reverse, Duplicated, Active)]
fn lag(x: &[f64]) -> f64 {
    dot(&x[1..], &x[..x.len() - 1])
}

#[test]
fn shadows_of_one_buffer_are_kept_apart() {
    let x = [1.0, 2.0, 3.0];
    let mut dx = [0.5; 3];
    assert_eq!(d_norm(&x, &mut dx, 1.0), 14.0);
    assert_eq!(dx, [14.5, 28.5, 42.5]);
    let mut dx = [0.0; 3];
    assert_eq!(d_lag(&x, &mut dx, 1.0), 8.0);
    assert_eq!(dx, [14.0, 28.0, 14.0]);
}

#[autodiff(d_half, Reverse, Duplicated, Const, Active)]
#[autodiff(b_half, Forward, Dual, Const, Dual)]
fn half(x: &[f64], y: &[f64]) -> f64 {
    dot(x, y)
}

#[test]
fn an_argument_may_be_constant() {
    let (x, y) = ([1.0, 2.0], [4.0, 5.0]);
    let mut dx = [0.0; 2];
    d_half(&x, &mut dx, &y, 2.0);
    assert_eq!(dx, [56.0, 70.0]);
    assert_eq!(b_half(&x, &[1.0, 1.0], &y), (14.0, 63.0));
}

/// Overwrites what the rule needs.
#[autodiff(d_overwritten, Reverse, Duplicated, Active)]
fn overwritten(x: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += dot(x, x);
        for v in x.iter_mut() {
            *v *= 2.0;
        }
    }
    sum
}

#[test]
fn arguments_are_kept_where_they_change_later() {
    let mut x = [1.0, 3.0];
    let mut dx = [0.0; 2];
    assert_eq!(d_overwritten(&mut x, &mut dx, 1.0), 210.0);
    assert_eq!(x, [8.0, 24.0]);
    // Each dot product has 7 * 2x; x doubles, and its adjoint with it.
    assert_eq!(dx, [14.0 * 21.0, 42.0 * 21.0]);
}

/// Writes its result through a reference; the rule says three times the derivative.
#[custom_derivative(forward = scale_jvp, reverse = scale_vjp)]
fn scale(x: &mut [f64], by: f64) {
    x.iter_mut().for_each(|v| *v *= by);
}

fn scale_jvp(x: &mut [f64], dx: &mut [f64], by: f64, dby: f64) {
    for i in 0..x.len() {
        dx[i] = 3.0 * (dx[i] * by + x[i] * dby);
        x[i] *= by;
    }
}

fn scale_vjp(x: &mut [f64], dx: &mut [f64], by: f64) -> f64 {
    let mut dby = 0.0;
    for i in 0..x.len() {
        dby += 3.0 * x[i] * dx[i];
        dx[i] *= 3.0 * by;
        x[i] *= by;
    }
    dby
}

#[autodiff(d_scaled, Reverse, Duplicated, Active, Active)]
#[autodiff(b_scaled, Forward, Dual, Dual, Dual)]
#[autodiff(b2_scaled, Forward, 2, Dual, Dual, Dual)]
fn scaled(x: &[f64], by: f64) -> f64 {
    let mut y = x.to_vec();
    scale(&mut y, by);
    scale(&mut y, by);
    y.iter().sum()
}

#[test]
fn results_may_go_through_references() {
    let (x, by) = ([1.0, 2.0], 5.0);
    let mut dx = [0.0; 2];
    let (value, dby) = d_scaled(&x, &mut dx, by, 1.0);
    assert_eq!(value, 75.0);
    assert_eq!(dx, [9.0 * 25.0; 2]);
    // The second call: 3 * (5x); the first: 3 * x * (3 * 5).
    assert_eq!(dby, 3.0 * 15.0 + 3.0 * 3.0 * 15.0);
    assert_eq!(b_scaled(&x, &[1.0, 0.0], by, 0.0), (75.0, 225.0));
    assert_eq!(b_scaled(&x, &[0.0, 0.0], by, 1.0), (75.0, dby));
    let both = b2_scaled(&x, &[1.0, 0.0], &[0.0, 0.0], by, 0.0, 1.0);
    assert_eq!(both, [75.0, 225.0, dby]);
}
