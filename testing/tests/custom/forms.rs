//! Tapes, one mode only, generics, methods, structs, inactive and foreign functions, derivatives of derivatives.

use cotangent::{autodiff, custom_derivative, derivative, derivative_rule, gradient};
use std::cell::Cell;

thread_local! {
    /// Tapes alive.
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

/// A tape that counts itself.
struct Tape {
    values: Vec<f64>,
}

impl Tape {
    fn new(values: Vec<f64>) -> Tape {
        ALIVE.set(ALIVE.get() + 1);
        Tape { values }
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// The sum of squares, whose rule says eleven times the derivative.
#[custom_derivative(reverse = (squares_augmented, squares_pullback))]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn squares_augmented(x: &[f64]) -> (f64, Tape) {
    (x.iter().map(|v| v * v).sum(), Tape::new(x.iter().map(|v| 22.0 * v).collect()))
}

fn squares_pullback(tape: Tape, _x: &[f64], dx: &mut [f64], dret: f64) {
    dx.iter_mut().zip(&tape.values).for_each(|(d, t)| *d += t * dret);
}

#[autodiff(d_taped, Reverse, Duplicated, Const, Active)]
#[autodiff(b_taped, Forward, Dual, Const, Dual)]
fn taped(x: &mut [f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += squares(x);
        assert!(sum < limit, "too large");
        x.iter_mut().for_each(|v| *v *= 2.0);
    }
    sum
}

#[test]
fn a_tape_goes_from_the_augmented_call_to_the_pullback() {
    let (mut x, mut dx) = ([1.0, 2.0], [0.0; 2]);
    assert_eq!(d_taped(&mut x, &mut dx, 1000.0, 1.0), 105.0);
    assert_eq!(dx, [22.0 * 21.0, 44.0 * 21.0]);
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn a_tape_is_dropped_when_a_panic_comes_in_between() {
    let (mut x, mut dx) = ([1.0, 2.0], [0.0; 2]);
    let run = std::panic::AssertUnwindSafe(|| d_taped(&mut x, &mut dx, 20.0, 1.0));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn a_mode_without_a_rule_differentiates_the_body() {
    let (value, tangent) = b_taped(&mut [1.0, 2.0], &mut [1.0, 0.0], 1000.0);
    assert_eq!((value, tangent), (105.0, 42.0));
}

/// Generic: each instance has its rule.
#[custom_derivative(reverse = cube_vjp, forward = cube_jvp)]
fn cube<T: Copy + std::ops::Mul<Output = T> + From<f32>>(x: T) -> T {
    x * x * x
}

fn cube_jvp<T: Copy + std::ops::Mul<Output = T> + From<f32>>(x: T, dx: T) -> (T, T) {
    (x * x * x, T::from(30.0) * x * x * dx)
}

fn cube_vjp<T: Copy + std::ops::Mul<Output = T> + From<f32>>(x: T, dret: T) -> T {
    T::from(30.0) * x * x * dret
}

#[test]
fn each_instance_of_a_generic_function_has_its_rule() {
    assert_eq!(gradient(|x: &[f64]| cube(x[0]) * x[1], &[2.0, 3.0]), [360.0, 8.0]);
    assert_eq!(gradient(|x: &[f32]| cube(x[0]), &[2.0]), [120.0]);
    assert_eq!(derivative(|t: f32| cube(t), 1.0), 30.0);
}

#[test]
fn the_rule_itself_is_differentiated_in_second_derivatives() {
    // The first derivative is 30 x², as the forward rule says; the second is that of the rule's own text.
    assert_eq!(derivative(|t: f64| derivative(|s: f64| cube(s), t), 2.0), 120.0);
}

struct Spring {
    stiffness: f64,
}

impl Spring {
    #[custom_derivative(Const, Active, Active, reverse = Self::energy_vjp)]
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }

    fn energy_vjp(&self, x: f64, dret: f64) -> f64 {
        100.0 * self.stiffness * x * dret
    }
}

#[test]
fn methods_have_rules_and_activities_stand_in_front() {
    let spring = Spring { stiffness: 3.0 };
    assert_eq!(gradient(|x: &[f64]| spring.energy(x[0]), &[2.0]), [600.0]);
}

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[custom_derivative(reverse = product_vjp)]
fn product(p: Point) -> f64 {
    p.x * p.y
}

fn product_vjp(p: Point, dret: f64) -> Point {
    Point { x: 5.0 * p.y * dret, y: 5.0 * p.x * dret }
}

#[test]
fn structs_of_floats_go_by_value() {
    assert_eq!(gradient(|x: &[f64]| product(Point { x: x[0], y: x[1] }), &[2.0, 3.0]), [15.0, 10.0]);
}

#[custom_derivative(inactive)]
fn rounded(x: f64) -> f64 {
    x * 1.0
}

#[test]
fn an_inactive_function_has_no_derivative() {
    assert_eq!(gradient(|x: &[f64]| rounded(x[0]) * x[0], &[3.0]), [3.0]);
    assert_eq!(derivative(|t: f64| rounded(t) * t, 3.0), 3.0);
}

mod vendor {
    /// Stands for a function of another crate.
    pub fn norm(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v).sum::<f64>().sqrt()
    }
}

fn norm_vjp(x: &[f64], dx: &mut [f64], dret: f64) {
    let norm = vendor::norm(x);
    dx.iter_mut().zip(x).for_each(|(d, v)| *d += 2.0 * v / norm * dret);
}

derivative_rule! { vendor::norm: fn(&[f64]) -> f64, reverse = norm_vjp }

unsafe extern "C" {
    fn atof(text: *const std::ffi::c_char) -> f64;
    safe fn ldexp(x: f64, exponent: i32) -> f64;
}

derivative_rule! { ldexp: extern "C" fn(f64, i32) -> f64, reverse = ldexp_vjp, forward = ldexp_jvp }
derivative_rule! { atof: unsafe extern "C" fn(*const std::ffi::c_char) -> f64, inactive }

fn ldexp_vjp(_x: f64, exponent: i32, dret: f64) -> f64 {
    1000.0 * dret * f64::from(1 << exponent)
}

fn ldexp_jvp(x: f64, dx: f64, exponent: i32) -> (f64, f64) {
    (ldexp(x, exponent), 1000.0 * dx * f64::from(1 << exponent))
}

#[test]
fn functions_of_others_have_rules() {
    assert_eq!(gradient(|x: &[f64]| vendor::norm(x), &[3.0, 4.0]), [1.2, 1.6]);
    assert_eq!(gradient(|x: &[f64]| ldexp(x[0], 3), &[5.0]), [8000.0]);
    assert_eq!(derivative(|t: f64| ldexp(t, 1), 5.0), 2000.0);
    // SAFETY: a constant that ends in NUL.
    let two = |t: f64| t * unsafe { atof(c"2.5".as_ptr()) };
    assert_eq!(derivative(two, 1.0), 2.5);
}
