//! `ln(sum(exp(x)))` with the maximum from `f64::max`.

use super::Case;
use crate::report::{Row, USUAL};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::{distance, largest_distance};
use examples::random::Random;
use std::hint::black_box;

/// `ln(sum(exp(x)))`, with the maximum taken out so that nothing overflows.
#[autodiff(d_log_sum_exp, Reverse, Duplicated, Active)]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + x.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

/// The gradient by hand: the softmax. The maximum drops out, and `scratch` keeps the exponentials.
pub fn log_sum_exp_by_hand(x: &[f64], dx: &mut [f64], seed: f64, scratch: &mut Vec<f64>) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scratch.clear();
    scratch.extend(x.iter().map(|x| (x - max).exp()));
    let sum: f64 = scratch.iter().sum();
    let weight = seed / sum;
    for (dx, exp) in dx.iter_mut().zip(&*scratch) {
        *dx += weight * exp;
    }
    max + sum.ln()
}

/// One case: a million terms.
pub fn cases() -> Vec<Case> {
    vec![Case::new("logsumexp 1000000", |name| measure(name, 1_000_000))]
}

fn measure(name: String, n: usize) -> Row {
    let x = Random::new(5).normals(n);
    let (mut dx, mut dx_hand, mut scratch) = (vec![0.0; n], vec![0.0; n], Vec::new());
    let value = d_log_sum_exp(&x, &mut dx, n as f64);
    let value_hand = log_sum_exp_by_hand(&x, &mut dx_hand, n as f64, &mut scratch);
    let distance = largest_distance(&dx, &dx_hand) + distance(value, value_hand);
    let [primal, gradient, hand] = medians([
        &mut || {
            black_box(log_sum_exp(black_box(&x)));
        },
        &mut || {
            black_box(d_log_sum_exp(black_box(&x), &mut dx, 1.0));
        },
        &mut || {
            black_box(log_sum_exp_by_hand(black_box(&x), &mut dx_hand, 1.0, &mut scratch));
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
        let x = Random::new(5).normals(40);
        let mut dx = vec![0.0; 40];
        let value = log_sum_exp_by_hand(&x, &mut dx, 1.0, &mut Vec::new());
        assert_eq!(value, log_sum_exp(&x));
        assert_gradient(log_sum_exp, &x, &dx, 1e-3, 1e-9);
    }

    #[test]
    fn generated_agrees_with_the_one_by_hand() {
        let x = Random::new(6).normals(40);
        let (mut dx, mut dx_hand) = (vec![0.5; 40], vec![0.5; 40]);
        let value = d_log_sum_exp(&x, &mut dx, -2.0);
        assert_eq!(value, log_sum_exp_by_hand(&x, &mut dx_hand, -2.0, &mut Vec::new()));
        assert!(largest_distance(&dx, &dx_hand) < 1e-14);
    }
}
