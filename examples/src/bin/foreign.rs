//! A derivative through a routine of the C library, by a rule: the Bessel function of the first kind, `jn` of `libm`.
//!
//! Nothing in the program shows the body of `jn`. The rule says what is known of it: its derivative is
//! `(J(n - 1) - J(n + 1)) / 2`. (Functions of `libm` have such rules already, so that this one takes the place of another; routines of
//! any other library get theirs in the same way.)

use cotangent::{autodiff, derivative_rule};

unsafe extern "C" {
    fn jn(order: i32, x: f64) -> f64;
}

derivative_rule! { jn: unsafe extern "C" fn(i32, f64) -> f64, forward = jn_tangent, reverse = jn_pullback }

/// `J` of an order at a point.
fn bessel(order: i32, x: f64) -> f64 {
    // SAFETY: a function of two numbers, defined for all of them.
    unsafe { jn(order, x) }
}

fn slope(order: i32, x: f64) -> f64 {
    0.5 * (bessel(order - 1, x) - bessel(order + 1, x))
}

fn jn_tangent(order: i32, x: f64, dx: f64) -> (f64, f64) {
    (bessel(order, x), slope(order, x) * dx)
}

fn jn_pullback(order: i32, x: f64, dret: f64) -> f64 {
    slope(order, x) * dret
}

/// The signal of a wave with a phase that is modulated: its sidebands are Bessel functions of the depth of the modulation.
#[autodiff(d_signal, Reverse, Active, Const, Active)]
#[autodiff(signal_tangent, Forward, Dual, Const, Dual)]
fn signal(depth: f64, time: f64) -> f64 {
    bessel(0, depth) + (1..20).map(|k| 2.0 * bessel(2 * k, depth) * (2.0 * f64::from(k) * time).cos()).sum::<f64>()
}

fn main() {
    for (depth, time) in [(0.5, 0.3), (1.7, 1.1), (4.0, -0.8)] {
        let (value, slope) = d_signal(depth, time, 1.0);
        println!("signal({depth}, {time}) = {value:.12}, slope {slope:.12}");
        // Jacobi and Anger: the sidebands add up to a cosine.
        let (sin, cos) = (depth * f64::sin(time)).sin_cos();
        assert!((value - cos).abs() < 1e-13);
        assert!((slope + sin * f64::sin(time)).abs() < 1e-13);
        let (same, tangent) = signal_tangent(depth, 1.0, time);
        assert!(same == value && (tangent - slope).abs() < 1e-14);
    }
}
