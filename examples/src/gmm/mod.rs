//! The log-likelihood of a Gaussian mixture, as the ADBench suite defines it.
//!
//! Component `c` has a weight `alphas[c]`, a mean (row `c` of `means`, `d` numbers) and the inverse square root of
//! its covariance: a lower triangular matrix given by row `c` of `icf`, `d (d + 1) / 2` numbers. The first `d` of them
//! are the logarithms of the diagonal, the rest the strictly lower part, column by column.

mod input;

pub use input::{InputError, Problem};

use cotangent::autodiff;
use std::f64::consts::PI;

/// The Wishart prior of the covariances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishart {
    /// Scale.
    pub gamma: f64,
    /// Degrees of freedom beyond the dimension.
    pub m: u32,
}

/// The log-likelihood of the points `x` (row after row) under the mixture, with its prior.
#[autodiff(d_log_likelihood, Reverse, Duplicated, Duplicated, Duplicated, Const, Const, Active)]
pub fn log_likelihood(alphas: &[f64], means: &[f64], icf: &[f64], x: &[f64], prior: Wishart) -> f64 {
    let k = alphas.len();
    let d = means.len() / k;
    let n = x.len() / d;
    let row = d * (d + 1) / 2;

    let q_diagonals: Vec<f64> = diagonals(icf, d, k);
    let mut log_determinants = vec![0.0; k];
    for (sum, icf) in log_determinants.iter_mut().zip(icf.chunks_exact(row)) {
        *sum = icf[..d].iter().sum();
    }

    let mut centred = vec![0.0; d];
    let mut scaled = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for point in x.chunks_exact(d) {
        for c in 0..k {
            let mean = &means[c * d..(c + 1) * d];
            for ((centred, x), mean) in centred.iter_mut().zip(point).zip(mean) {
                *centred = x - mean;
            }
            let lower = &icf[c * row + d..(c + 1) * row];
            apply_lower(&q_diagonals[c * d..(c + 1) * d], lower, &centred, &mut scaled);
            terms[c] = alphas[c] + log_determinants[c] - 0.5 * squared_norm(&scaled);
        }
        total += log_sum_exp(&terms);
    }

    let constant = -(n as f64 * d as f64) * 0.5 * (2.0 * PI).ln();
    constant + total - n as f64 * log_sum_exp(alphas) + log_prior(prior, d, k, &q_diagonals, &log_determinants, icf)
}

/// The diagonals of all matrices: the exponentials of the first `d` numbers of each row of `icf`.
fn diagonals(icf: &[f64], d: usize, k: usize) -> Vec<f64> {
    let mut diagonals = vec![0.0; k * d];
    for (q, icf) in diagonals.chunks_exact_mut(d).zip(icf.chunks_exact(d * (d + 1) / 2)) {
        for (q, log) in q.iter_mut().zip(icf) {
            *q = log.exp();
        }
    }
    diagonals
}

/// `out = Q v` for the lower triangular `Q` with this diagonal and strictly lower part (column by column).
fn apply_lower(diagonal: &[f64], lower: &[f64], v: &[f64], out: &mut [f64]) {
    let d = v.len();
    out.fill(0.0);
    for j in 0..d {
        let v = v[j];
        out[j] += diagonal[j] * v;
        let column = &lower[j * (2 * d - j - 1) / 2..][..d - j - 1];
        for (out, q) in out[j + 1..].iter_mut().zip(column) {
            *out += q * v;
        }
    }
}

fn squared_norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// `ln(sum(exp(x)))`, with the maximum taken out so that nothing overflows.
fn log_sum_exp(x: &[f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + x.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

/// The logarithm of the prior's density at all covariances, given by the `diagonals` of the inverse factors,
/// the logarithms of their determinants, and `icf`.
pub fn log_prior(prior: Wishart, d: usize, k: usize, diagonals: &[f64], log_determinants: &[f64], icf: &[f64]) -> f64 {
    let row = d * (d + 1) / 2;
    let mut sum = 0.0;
    for c in 0..k {
        let squares = squared_norm(&diagonals[c * d..(c + 1) * d]) + squared_norm(&icf[c * row + d..(c + 1) * row]);
        sum += 0.5 * prior.gamma * prior.gamma * squares - prior.m as f64 * log_determinants[c];
    }
    sum - k as f64 * prior.log_normaliser(d)
}

impl Wishart {
    /// The logarithm of the density's constant in dimension `d`.
    fn log_normaliser(self, d: usize) -> f64 {
        let n = d + self.m as usize + 1;
        let d_float = d as f64;
        // ln Gamma_d(n / 2): the arguments n/2 + (1 - j)/2 are half-integers.
        let log_gamma_d =
            0.25 * d_float * (d_float - 1.0) * PI.ln() + (1..=d).map(|j| log_gamma_of_half(n + 1 - j)).sum::<f64>();
        n as f64 * d_float * (self.gamma.ln() - 0.5 * 2f64.ln()) - log_gamma_d
    }
}

/// `ln Gamma(m / 2)` for `m >= 1`, by the recurrence from `Gamma(1/2) = sqrt(pi)` or `Gamma(1) = 1`.
fn log_gamma_of_half(m: usize) -> f64 {
    let (first, start) = if m.is_multiple_of(2) { (2, 0.0) } else { (1, 0.5 * PI.ln()) };
    start + (first..m).step_by(2).map(|twice| (twice as f64 / 2.0).ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differences::{along, distance, largest_distance};
    use crate::random::Random;

    #[test]
    fn log_gamma_of_halves() {
        assert_eq!(log_gamma_of_half(2), 0.0);
        assert!((log_gamma_of_half(1) - 0.5723649429247001).abs() < 1e-15);
        assert!((log_gamma_of_half(7) - 1.2009736023470743).abs() < 1e-14);
        assert!((log_gamma_of_half(10) - 24f64.ln()).abs() < 1e-14);
    }

    /// ADBench's own values, where its data lie beside the repository.
    #[test]
    fn value_and_gradient_agree_with_adbench() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/adbench/gmm");
        let Ok(expected) = std::fs::read_to_string(folder.join("test.expected.txt")) else { return };
        let expected: Vec<f64> =
            expected.lines().filter(|line| !line.starts_with('#')).map(|line| line.trim().parse().unwrap()).collect();
        let (value, gradient) = Problem::read(&folder.join("test.txt")).unwrap().value_and_gradient();
        assert!(largest_distance(&[&[value], &gradient[..]].concat(), &expected) < 1e-8);
    }

    #[test]
    fn gradient_agrees_with_differences() {
        let mut problem = Problem::generate(3, 4, 15, 5);
        problem.prior = Wishart { gamma: 0.6, m: 2 };
        let (value, gradient) = problem.value_and_gradient();
        assert!(distance(value, problem.value()) < 1e-14);
        let direction = Random::new(6).normals(gradient.len());
        let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
        let by_differences = along(|p| problem.value_at(p), &problem.parameters(), &direction, 1e-3);
        assert!(distance(slope, by_differences) < 1e-7, "{slope} {by_differences}");
    }

    #[test]
    fn one_standard_normal_component_without_prior_is_the_normal_density() {
        let prior = Wishart { gamma: 1.0, m: 0 };
        let (points, zero) = ([0.5, -1.0, 2.0], [0.0]);
        let density =
            log_likelihood(&[0.0], &zero, &zero, &points, prior) - log_prior(prior, 1, 1, &[1.0], &zero, &zero);
        let expected: f64 = points.iter().map(|x| -0.5 * x * x - 0.5 * (2.0 * PI).ln()).sum();
        assert!((density - expected).abs() < 1e-13, "{density} {expected}");
    }
}
