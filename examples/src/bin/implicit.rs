//! The derivative of a solution, by the implicit function theorem instead of through the solver's iterations.
//!
//! A reaction-diffusion equation `-u'' + k u^3 = 1` on a grid is solved by Newton's method. Its derivative with respect to
//! the coefficients `k` needs one linear system at the solution; differentiating the iterations needs all of them. Both give
//! the same gradient.
#![forbid(unsafe_code)]

use cotangent::{autodiff, custom_derivative, tape};
use examples::differences::largest_distance;
use examples::random::Random;
use std::time::Instant;

const POINTS: usize = 2000;

/// Solves a tridiagonal system with this diagonal and `off` beside it; `x` is the right-hand side and becomes the solution.
fn solve_tridiagonal(diagonal: &[f64], off: f64, x: &mut [f64]) {
    let n = x.len();
    let mut factors = vec![0.0; n];
    let mut pivot = diagonal[0];
    x[0] /= pivot;
    for i in 1..n {
        factors[i] = off / pivot;
        pivot = diagonal[i] - off * factors[i];
        x[i] = (x[i] - off * x[i - 1]) / pivot;
    }
    for i in (0..n - 1).rev() {
        x[i] -= factors[i + 1] * x[i + 1];
    }
}

/// Minus one over the squared distance of the grid's points: what stands beside the diagonal.
fn coupling(n: usize) -> f64 {
    -((n + 1) as f64).powi(2)
}

/// The diagonal of the derivative of the equations at `u`.
fn diagonal(k: &[f64], u: &[f64]) -> Vec<f64> {
    let off = coupling(k.len());
    k.iter().zip(u).map(|(k, u)| 3.0 * k * u * u - 2.0 * off).collect()
}

/// Newton's method: `u` becomes the solution for the coefficients `k`.
fn newton(k: &[f64], u: &mut [f64]) {
    let n = k.len();
    let off = coupling(n);
    u.fill(0.0);
    let mut step = vec![0.0; n];
    for _ in 0..50 {
        for i in 0..n {
            let left = if i > 0 { u[i - 1] } else { 0.0 };
            let right = if i + 1 < n { u[i + 1] } else { 0.0 };
            step[i] = 1.0 - (off * (left + right - 2.0 * u[i]) + k[i] * u[i].powi(3));
        }
        solve_tridiagonal(&diagonal(k, u), off, &mut step);
        let mut largest: f64 = 0.0;
        for (u, step) in u.iter_mut().zip(&step) {
            *u += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-13 {
            break;
        }
    }
}

/// [`newton`] with a derivative of its own.
#[custom_derivative(reverse = (solve_augmented, solve_pullback))]
fn solve(k: &[f64], u: &mut [f64]) {
    newton(k, u);
}

/// The solution, which is also what the pullback needs.
fn solve_augmented(k: &[f64], u: &mut [f64]) -> ((), Vec<f64>) {
    newton(k, u);
    ((), u.to_vec())
}

/// Of `F(u, k) = 0` follows `J du = -u^3 dk`, and `J` is symmetric: the adjoint of `k` is `-u^3` times the solution of
/// `J x = adjoint of u`.
fn solve_pullback(solution: Vec<f64>, k: &[f64], dk: &mut [f64], _u: &mut [f64], du: &mut [f64]) {
    solve_tridiagonal(&diagonal(k, &solution), coupling(k.len()), du);
    for ((dk, u), x) in dk.iter_mut().zip(&solution).zip(&mut *du) {
        *dk -= u.powi(3) * *x;
        // What was in `u` before the call does not matter.
        *x = 0.0;
    }
}

/// The mean square of the solution.
#[autodiff(d_implicit, Reverse, Duplicated, Active)]
fn objective(k: &[f64]) -> f64 {
    let mut u = vec![0.0; k.len()];
    solve(k, &mut u);
    u.iter().map(|u| u * u).sum::<f64>() / k.len() as f64
}

/// [`objective`] whose derivative goes through the iterations.
#[autodiff(d_unrolled, Reverse, Duplicated, Active)]
fn objective_unrolled(k: &[f64]) -> f64 {
    let mut u = vec![0.0; k.len()];
    newton(k, &mut u);
    u.iter().map(|u| u * u).sum::<f64>() / k.len() as f64
}

/// The gradient, its time in seconds and the bytes of tape that it took.
fn measured(derivative: fn(&[f64], &mut [f64], f64) -> f64, k: &[f64]) -> (Vec<f64>, f64, usize) {
    tape::trim();
    let mut gradient = vec![0.0; k.len()];
    derivative(k, &mut gradient, 1.0);
    let held = tape::held();
    let mut again = vec![0.0; k.len()];
    let start = Instant::now();
    derivative(k, &mut again, 1.0);
    (gradient, start.elapsed().as_secs_f64(), held)
}

fn main() {
    let k = Random::new(21).uniforms(POINTS, 1e3, 1e5);
    let (implicit, implicit_time, implicit_bytes) = measured(d_implicit, &k);
    let (unrolled, unrolled_time, unrolled_bytes) = measured(d_unrolled, &k);
    println!("objective {:.12e}", objective(&k));
    println!("implicit: {:8.3} ms, {implicit_bytes:9} bytes of tape", implicit_time * 1e3);
    println!("unrolled: {:8.3} ms, {unrolled_bytes:9} bytes of tape", unrolled_time * 1e3);

    let scale = implicit.iter().fold(0.0, |largest, g| f64::max(largest, g.abs()));
    let relative = |g: &[f64]| g.iter().map(|g| g / scale).collect::<Vec<_>>();
    let distance = largest_distance(&relative(&implicit), &relative(&unrolled));
    println!("the gradients differ by {distance:.1e} of the largest component");
    assert!(scale > 0.0 && distance < 1e-8);
    assert!(implicit_bytes < unrolled_bytes);
}
