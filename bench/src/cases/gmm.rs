//! The Gaussian mixture of ADBench, d = 10, k = 25, n = 1000.

use super::Case;
use crate::report::{Row, USUAL};
use crate::timing::medians;
use examples::differences::{distance, largest_distance};
use examples::gmm::{Problem, Wishart, d_log_likelihood, log_likelihood, log_prior};
use std::f64::consts::PI;
use std::hint::black_box;

/// Memory that the gradient by hand keeps between calls.
#[derive(Default)]
pub struct Scratch {
    diagonals: Vec<f64>,
    d_diagonals: Vec<f64>,
    log_determinants: Vec<f64>,
    centred: Vec<f64>,
    scaled: Vec<f64>,
    weights: Vec<f64>,
    totals: Vec<f64>,
}

/// The gradient's parts for alphas, means and icf.
pub struct Gradient<'a> {
    /// Adjoints of the alphas.
    pub alphas: &'a mut [f64],
    /// Adjoints of the means.
    pub means: &'a mut [f64],
    /// Adjoints of the inverse covariance factors.
    pub icf: &'a mut [f64],
}

/// The gradient by hand: one sweep over the points, whose terms are pulled back while they are in the cache.
pub fn log_likelihood_by_hand(
    (alphas, means, icf): (&[f64], &[f64], &[f64]),
    x: &[f64],
    prior: Wishart,
    seed: f64,
    out: &mut Gradient,
    s: &mut Scratch,
) -> f64 {
    let k = alphas.len();
    let d = means.len() / k;
    let n = x.len() / d;
    let row = d * (d + 1) / 2;

    s.diagonals.clear();
    s.log_determinants.clear();
    for icf in icf.chunks_exact(row) {
        s.diagonals.extend(icf[..d].iter().map(|log| log.exp()));
        s.log_determinants.push(icf[..d].iter().sum());
    }
    for (buffer, length) in [
        (&mut s.d_diagonals, k * d),
        (&mut s.centred, k * d),
        (&mut s.scaled, k * d),
        (&mut s.weights, k),
        (&mut s.totals, k),
    ] {
        buffer.clear();
        buffer.resize(length, 0.0);
    }

    let mut total = 0.0;
    for point in x.chunks_exact(d) {
        for c in 0..k {
            let centred = &mut s.centred[c * d..][..d];
            for ((centred, x), mean) in centred.iter_mut().zip(point).zip(&means[c * d..][..d]) {
                *centred = x - mean;
            }
            let scaled = &mut s.scaled[c * d..][..d];
            multiply(&s.diagonals[c * d..][..d], &icf[c * row + d..(c + 1) * row], centred, scaled);
            let squares: f64 = scaled.iter().map(|x| x * x).sum();
            s.weights[c] = alphas[c] + s.log_determinants[c] - 0.5 * squares;
        }
        total += soften(&mut s.weights);
        for c in 0..k {
            let weight = seed * s.weights[c];
            s.totals[c] += weight;
            pull_multiply(
                (&s.diagonals[c * d..][..d], &mut s.d_diagonals[c * d..][..d]),
                (&icf[c * row + d..(c + 1) * row], &mut out.icf[c * row + d..(c + 1) * row]),
                &s.centred[c * d..][..d],
                &mut s.scaled[c * d..][..d],
                -weight,
                &mut out.means[c * d..][..d],
            );
        }
    }

    s.weights.copy_from_slice(alphas);
    let log_weights = soften(&mut s.weights);
    let square = seed * prior.gamma * prior.gamma;
    for c in 0..k {
        out.alphas[c] += s.totals[c] - seed * n as f64 * s.weights[c];
        let (d_logs, d_lower) = out.icf[c * row..(c + 1) * row].split_at_mut(d);
        for (d_lower, lower) in d_lower.iter_mut().zip(&icf[c * row + d..]) {
            *d_lower += square * lower;
        }
        let d_determinant = s.totals[c] - seed * f64::from(prior.m);
        for ((d_log, q), dq) in d_logs.iter_mut().zip(&s.diagonals[c * d..]).zip(&s.d_diagonals[c * d..]) {
            *d_log += (dq + square * q) * q + d_determinant;
        }
    }
    let constant = -(n as f64 * d as f64) * 0.5 * (2.0 * PI).ln();
    constant + total - n as f64 * log_weights + log_prior(prior, d, k, &s.diagonals, &s.log_determinants, icf)
}

/// `out = Q v` for a lower triangular `Q`, column by column.
fn multiply(diagonal: &[f64], lower: &[f64], v: &[f64], out: &mut [f64]) {
    for ((out, q), v) in out.iter_mut().zip(diagonal).zip(v) {
        *out = q * v;
    }
    let mut rest = lower;
    for (j, v) in v.iter().enumerate() {
        let out = &mut out[j + 1..];
        let (column, after) = rest.split_at(out.len());
        rest = after;
        for (out, q) in out.iter_mut().zip(column) {
            *out += q * v;
        }
    }
}

/// Pulls `factor * scaled`, the adjoint of `scaled = Q (x - mean)`, back to `Q` and the mean.
fn pull_multiply(
    (diagonal, d_diagonal): (&[f64], &mut [f64]),
    (lower, d_lower): (&[f64], &mut [f64]),
    centred: &[f64],
    scaled: &mut [f64],
    factor: f64,
    d_mean: &mut [f64],
) {
    for (scaled, (d_diagonal, centred)) in scaled.iter_mut().zip(d_diagonal.iter_mut().zip(centred)) {
        *scaled *= factor;
        *d_diagonal += *scaled * centred;
    }
    let (mut rest, mut d_rest) = (lower, d_lower);
    for (j, (centred, q)) in centred.iter().zip(diagonal).enumerate() {
        let below = &scaled[j + 1..];
        let (column, after) = rest.split_at(below.len());
        let (d_column, d_after) = d_rest.split_at_mut(below.len());
        (rest, d_rest) = (after, d_after);
        let mut d_centred = q * scaled[j];
        for ((q, dq), d) in column.iter().zip(d_column).zip(below) {
            *dq += d * centred;
            d_centred += q * d;
        }
        d_mean[j] -= d_centred;
    }
}

/// `ln(sum(exp(x)))`; `x` becomes its gradient.
fn soften(x: &mut [f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for x in &mut *x {
        *x = (*x - max).exp();
        sum += *x;
    }
    let inverse = 1.0 / sum;
    for x in x {
        *x *= inverse;
    }
    max + sum.ln()
}

/// One case, of ADBench's middle size.
pub fn cases() -> Vec<Case> {
    vec![Case::new("gmm d=10 k=25 n=1000", |name| measure(name, &Problem::generate(10, 25, 1000, 14)))]
}

fn by_hand(problem: &Problem, [alphas, means, icf]: &mut [Vec<f64>; 3], seed: f64, scratch: &mut Scratch) -> f64 {
    let parameters = (&problem.alphas[..], &problem.means[..], &problem.icf[..]);
    log_likelihood_by_hand(parameters, &problem.x, problem.prior, seed, &mut Gradient { alphas, means, icf }, scratch)
}

fn generated(problem: &Problem, [alphas, means, icf]: &mut [Vec<f64>; 3], seed: f64) -> f64 {
    let p = problem;
    d_log_likelihood(&p.alphas, alphas, &p.means, means, &p.icf, icf, &p.x, p.prior, seed)
}

fn zeros(problem: &Problem) -> [Vec<f64>; 3] {
    [&problem.alphas, &problem.means, &problem.icf].map(|part| vec![0.0; part.len()])
}

fn measure(name: String, problem: &Problem) -> Row {
    let (mut gradient_out, mut hand_out, mut scratch) = (zeros(problem), zeros(problem), Scratch::default());
    let value = generated(problem, &mut gradient_out, 1.0);
    let value_hand = by_hand(problem, &mut hand_out, 1.0, &mut scratch);
    let distance = largest_distance(&gradient_out.concat(), &hand_out.concat()) + distance(value, value_hand);
    let [primal, gradient, hand] = medians([
        &mut || {
            let p = black_box(problem);
            black_box(log_likelihood(&p.alphas, &p.means, &p.icf, &p.x, p.prior));
        },
        &mut || {
            black_box(generated(black_box(problem), &mut gradient_out, 1.0));
        },
        &mut || {
            black_box(by_hand(black_box(problem), &mut hand_out, 1.0, &mut scratch));
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: USUAL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_gradient;

    fn small() -> Problem {
        let mut problem = Problem::generate(3, 4, 20, 15);
        problem.prior = Wishart { gamma: 0.7, m: 2 };
        problem
    }

    #[test]
    fn by_hand_agrees_with_differences() {
        let problem = small();
        let mut out = zeros(&problem);
        let value = by_hand(&problem, &mut out, 1.0, &mut Scratch::default());
        assert!(distance(value, problem.value()) < 1e-14);
        assert_gradient(|p| problem.value_at(p), &problem.parameters(), &out.concat(), 1e-3, 1e-7);
    }

    #[test]
    fn generated_agrees_with_the_one_by_hand() {
        let problem = small();
        let (mut out, mut out_hand) = (zeros(&problem), zeros(&problem));
        let value = generated(&problem, &mut out, -0.5);
        assert!(distance(value, by_hand(&problem, &mut out_hand, -0.5, &mut Scratch::default())) < 1e-14);
        assert!(largest_distance(&out.concat(), &out_hand.concat()) < 1e-12);
    }
}
