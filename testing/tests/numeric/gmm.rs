//! The log-likelihood of a Gaussian mixture, as ADBench defines it.

use crate::assert_close;
use cotangent::autodiff;
use std::path::Path;

/// The log-likelihood without its constant terms; see the definition in ADBench.
#[autodiff(gmm_reverse, Reverse, Const, Const, Duplicated, Duplicated, Duplicated, Const, Const, Const, Active)]
#[autodiff(gmm_forward, Forward, Const, Const, Dual, Dual, Dual, Const, Const, Const, Dual)]
#[allow(clippy::too_many_arguments)]
fn gmm(d: usize, k: usize, alphas: &[f64], means: &[f64], icf: &[f64], x: &[f64], gamma: f64, m: i32) -> f64 {
    let n = x.len() / d;
    let width = d * (d + 1) / 2;
    let mut total = 0.0;
    let mut terms = vec![0.0; k];
    let mut centred = vec![0.0; d];
    for i in 0..n {
        for c in 0..k {
            let row = &icf[c * width..(c + 1) * width];
            for j in 0..d {
                centred[j] = x[i * d + j] - means[c * d + j];
            }
            let mut squares = 0.0;
            let mut log_diagonal = 0.0;
            for r in 0..d {
                log_diagonal += row[r];
                let mut q = row[r].exp() * centred[r];
                for col in 0..r {
                    // Column after column of the strictly lower part.
                    let start = d + col * (2 * d - col - 1) / 2;
                    q += row[start + r - col - 1] * centred[col];
                }
                squares += q * q;
            }
            terms[c] = alphas[c] + log_diagonal - 0.5 * squares;
        }
        total += log_sum_exp(&terms);
    }
    total - n as f64 * log_sum_exp(alphas) + wishart(d, k, icf, gamma, m)
}

fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for v in x {
        sum += (v - largest).exp();
    }
    largest + sum.ln()
}

fn wishart(d: usize, k: usize, icf: &[f64], gamma: f64, m: i32) -> f64 {
    let width = d * (d + 1) / 2;
    let mut total = 0.0;
    for c in 0..k {
        let row = &icf[c * width..(c + 1) * width];
        let (mut squares, mut sum) = (0.0, 0.0);
        for v in &row[..d] {
            sum += v;
            squares += v.exp() * v.exp();
        }
        for v in &row[d..] {
            squares += v * v;
        }
        total += 0.5 * gamma * gamma * squares - f64::from(m) * sum;
    }
    total
}

/// What the objective adds to [`gmm`], independent of the parameters.
fn constants(d: usize, k: usize, n: usize, gamma: f64, m: i32) -> f64 {
    let pi = std::f64::consts::PI;
    let big = d as f64 + f64::from(m) + 1.0;
    let log_gamma_d: f64 = 0.25 * (d * (d - 1)) as f64 * pi.ln()
        + (1..=d).map(|j| log_gamma_of_half((big + 1.0 - j as f64) as u32)).sum::<f64>();
    let c = big * d as f64 * (gamma.ln() - 0.5 * 2f64.ln()) - log_gamma_d;
    -((n * d) as f64) * 0.5 * (2.0 * pi).ln() - k as f64 * c
}

/// ln Gamma(h / 2) for a positive integer h.
fn log_gamma_of_half(h: u32) -> f64 {
    match h {
        1 => 0.5 * std::f64::consts::PI.ln(),
        2 => 0.0,
        _ => (f64::from(h) / 2.0 - 1.0).ln() + log_gamma_of_half(h - 2),
    }
}

struct Input {
    d: usize,
    k: usize,
    parameters: Vec<f64>,
    x: Vec<f64>,
    gamma: f64,
    m: i32,
}

impl Input {
    fn read(text: &str) -> Input {
        let numbers: Vec<f64> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let (d, k, n) = (numbers[0] as usize, numbers[1] as usize, numbers[2] as usize);
        let count = k + k * d + k * d * (d + 1) / 2;
        let (parameters, rest) = numbers[3..].split_at(count);
        Input {
            d,
            k,
            parameters: parameters.to_vec(),
            x: rest[..n * d].to_vec(),
            gamma: rest[n * d],
            m: rest[n * d + 1] as i32,
        }
    }

    fn sample() -> Input {
        let (d, k, n) = (3, 4, 10);
        let count = k + k * d + k * d * (d + 1) / 2;
        Input { d, k, parameters: testing::noise(1, count), x: testing::noise(2, n * d), gamma: 0.9, m: 2 }
    }

    fn parts<'a>(&self, all: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (alphas, rest) = all.split_at(self.k);
        let (means, icf) = rest.split_at(self.k * self.d);
        (alphas, means, icf)
    }

    fn value(&self, all: &[f64]) -> f64 {
        let (a, b, c) = self.parts(all);
        gmm(self.d, self.k, a, b, c, &self.x, self.gamma, self.m)
    }

    fn gradient(&self) -> (f64, Vec<f64>) {
        let (a, b, c) = self.parts(&self.parameters);
        let mut gradient = vec![0.0; self.parameters.len()];
        let (da, rest) = gradient.split_at_mut(self.k);
        let (db, dc) = rest.split_at_mut(self.k * self.d);
        let y = gmm_reverse(self.d, self.k, a, da, b, db, c, dc, &self.x, self.gamma, self.m, 1.0);
        (y, gradient)
    }
}

#[test]
fn a_mixture_against_differences_in_both_modes() {
    let input = Input::sample();
    let (y, gradient) = input.gradient();
    assert_close!(y, input.value(&input.parameters));
    assert_close!(gradient, testing::differences::gradient(|p: &[f64]| input.value(p), &input.parameters), 1e-7);
    let v = testing::noise(3, gradient.len());
    let ((a, b, c), (va, vb, vc)) = (input.parts(&input.parameters), input.parts(&v));
    let (value, tangent) = gmm_forward(input.d, input.k, a, va, b, vb, c, vc, &input.x, input.gamma, input.m);
    assert_close!((value, tangent), (y, testing::dot(&gradient, &v)), 1e-11);
}

/// The published input, where the data lies beside the repository.
#[test]
fn the_published_input_gives_the_published_gradient() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/adbench/gmm");
    let (Ok(text), Ok(expected)) =
        (std::fs::read_to_string(folder.join("test.txt")), std::fs::read_to_string(folder.join("test.expected.txt")))
    else {
        return;
    };
    let input = Input::read(&text);
    let expected: Vec<f64> = expected
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.trim().parse().expect("a number"))
        .collect();
    let (y, gradient) = input.gradient();
    let n = input.x.len() / input.d;
    assert_close!(y + constants(input.d, input.k, n, input.gamma, input.m), expected[0], 1e-8);
    assert_close!(gradient, expected[1..], 1e-8);
}
