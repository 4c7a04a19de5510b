//! The Lorenz system, integrated by the classical Runge-Kutta method.

use super::Case;
use crate::report::{Row, USUAL};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::largest_distance;
use std::hint::black_box;

type Vector = [f64; 3];

/// The right-hand side at `u` with the parameters `[sigma, rho, beta]`.
fn field(u: Vector, p: &Vector) -> Vector {
    let [x, y, z] = u;
    [p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z]
}

/// `u + h k`.
fn shifted(u: Vector, h: f64, k: Vector) -> Vector {
    [u[0] + h * k[0], u[1] + h * k[1], u[2] + h * k[2]]
}

fn step(u: Vector, p: &Vector, h: f64) -> Vector {
    let k1 = field(u, p);
    let k2 = field(shifted(u, 0.5 * h, k1), p);
    let k3 = field(shifted(u, 0.5 * h, k2), p);
    let k4 = field(shifted(u, h, k3), p);
    let mut next = u;
    for i in 0..3 {
        next[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    next
}

/// The sum of the coordinates after `steps` steps of size `h` from `start`.
#[autodiff(d_lorenz, Reverse, Duplicated, Duplicated, Const, Const, Active)]
pub fn lorenz(start: &[f64; 3], p: &[f64; 3], steps: usize, h: f64) -> f64 {
    let mut u = *start;
    for _ in 0..steps {
        u = step(u, p, h);
    }
    u.iter().sum()
}

/// The gradient by hand: `states` keeps the state before each step, and each step's stages are computed again.
pub fn lorenz_by_hand(
    (start, d_start): (&Vector, &mut Vector),
    (p, dp): (&Vector, &mut Vector),
    steps: usize,
    h: f64,
    seed: f64,
    states: &mut Vec<Vector>,
) -> f64 {
    states.clear();
    states.reserve(steps);
    let mut u = *start;
    for _ in 0..steps {
        states.push(u);
        u = step(u, p, h);
    }
    let mut du = [seed; 3];
    let mut dp_sum = [0.0; 3];
    for &u in states.iter().rev() {
        let u2 = shifted(u, 0.5 * h, field(u, p));
        let u3 = shifted(u, 0.5 * h, field(u2, p));
        let u4 = shifted(u, h, field(u3, p));
        let d4 = pull_field(u4, p, du.map(|d| h / 6.0 * d), &mut dp_sum);
        let d3 = pull_field(u3, p, shifted(du.map(|d| h / 3.0 * d), h, d4), &mut dp_sum);
        let d2 = pull_field(u2, p, shifted(du.map(|d| h / 3.0 * d), 0.5 * h, d3), &mut dp_sum);
        let d1 = pull_field(u, p, shifted(du.map(|d| h / 6.0 * d), 0.5 * h, d2), &mut dp_sum);
        for i in 0..3 {
            du[i] += d1[i] + d2[i] + d3[i] + d4[i];
        }
    }
    for i in 0..3 {
        d_start[i] += du[i];
        dp[i] += dp_sum[i];
    }
    u.iter().sum()
}

/// The adjoint of `field`'s point for the adjoint `dk` of its value; that of the parameters is added to `dp`.
fn pull_field(u: Vector, p: &Vector, dk: Vector, dp: &mut Vector) -> Vector {
    let [x, y, z] = u;
    dp[0] += dk[0] * (y - x);
    dp[1] += dk[1] * x;
    dp[2] -= dk[2] * z;
    [-p[0] * dk[0] + (p[1] - z) * dk[1] + y * dk[2], p[0] * dk[0] - dk[1] + x * dk[2], -x * dk[1] - p[2] * dk[2]]
}

const START: Vector = [1.0, 1.0, 1.0];
const PARAMETERS: Vector = [10.0, 28.0, 8.0 / 3.0];

/// One case: 100,000 steps, so small that the system's chaos does not drown the gradient in rounding.
pub fn cases() -> Vec<Case> {
    vec![Case::new("lorenz rk4 100000", |name| measure(name, 100_000, 2e-5))]
}

fn measure(name: String, steps: usize, h: f64) -> Row {
    let (mut ds, mut dp, mut ds_hand, mut dp_hand) = ([0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3]);
    let mut states = Vec::new();
    let value = d_lorenz(&START, &mut ds, &PARAMETERS, &mut dp, steps, h, 1.0);
    let value_hand = lorenz_by_hand((&START, &mut ds_hand), (&PARAMETERS, &mut dp_hand), steps, h, 1.0, &mut states);
    let distance =
        largest_distance(&[&ds[..], &dp, &[value]].concat(), &[&ds_hand[..], &dp_hand, &[value_hand]].concat());
    let [primal, gradient, hand] = medians([
        &mut || {
            black_box(lorenz(black_box(&START), black_box(&PARAMETERS), steps, h));
        },
        &mut || {
            black_box(d_lorenz(black_box(&START), &mut ds, black_box(&PARAMETERS), &mut dp, steps, h, 1.0));
        },
        &mut || {
            let (start, p) = ((black_box(&START), &mut ds_hand), (black_box(&PARAMETERS), &mut dp_hand));
            black_box(lorenz_by_hand(start, p, steps, h, 1.0, &mut states));
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: USUAL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_gradient;

    #[test]
    fn by_hand_agrees_with_differences() {
        let (mut ds, mut dp) = ([0.0; 3], [0.0; 3]);
        lorenz_by_hand((&START, &mut ds), (&PARAMETERS, &mut dp), 50, 0.01, 1.0, &mut Vec::new());
        let value = |x: &[f64]| lorenz(&[x[0], x[1], x[2]], &[x[3], x[4], x[5]], 50, 0.01);
        assert_gradient(value, &[START, PARAMETERS].concat(), &[ds, dp].concat(), 1e-3, 1e-7);
    }

    #[test]
    fn generated_agrees_with_the_one_by_hand() {
        let (mut ds, mut dp, mut ds_hand, mut dp_hand) = ([0.5; 3], [0.5; 3], [0.5; 3], [0.5; 3]);
        d_lorenz(&START, &mut ds, &PARAMETERS, &mut dp, 70, 0.01, 2.0);
        let states = &mut Vec::new();
        lorenz_by_hand((&START, &mut ds_hand), (&PARAMETERS, &mut dp_hand), 70, 0.01, 2.0, states);
        assert!(largest_distance(&[ds, dp].concat(), &[ds_hand, dp_hand].concat()) < 1e-12);
    }
}
