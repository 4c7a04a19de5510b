//! Rules of another signature than the function's: the compiler shows the one expected.
use cotangent::{custom_derivative, derivative_rule};

#[custom_derivative(forward = jvp, reverse = vjp)]
fn f(x: &[f64], y: f64) -> f64 {
    x[0] * y
}

fn jvp(x: &[f64], y: f64) -> (f64, f64) {
    (x[0] * y, 0.0)
}

fn vjp(x: &[f64], dx: &[f64], y: f64, dret: f64) -> f64 {
    x[0] * dx[0] * y * dret
}

#[custom_derivative(reverse = (augmented, pullback))]
fn g(x: f64) -> f64 {
    x
}

fn augmented(x: f64) -> (f64, Vec<f64>) {
    (x, vec![x])
}

fn pullback(tape: String, x: f64, dret: f64) -> f64 {
    tape.len() as f64 * x * dret
}

fn foreign(x: f64) -> f64 {
    x
}

derivative_rule! { foreign: fn(f64) -> f64, forward = foreign }

fn main() {}
