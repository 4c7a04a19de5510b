//! The Taylor series of `-ln(1 - x)`, with powers from `powi` and with a running power.

use super::Case;
use crate::report::{Limits, Row};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::distance;
use std::hint::black_box;

/// The sum of `x^i / i` for `i` from 1 to `terms`.
#[autodiff(d_powers, Reverse, Active, Const, Active)]
#[autodiff(powers_tangent, Forward, Dual, Const, Dual)]
pub fn powers(x: f64, terms: u32) -> f64 {
    (1..=terms).map(|i| x.powi(i as i32) / f64::from(i)).sum()
}

/// [`powers`] with one multiplication a power.
#[autodiff(d_running, Reverse, Active, Const, Active)]
#[autodiff(running_tangent, Forward, Dual, Const, Dual)]
pub fn running(x: f64, terms: u32) -> f64 {
    let mut sum = 0.0;
    let mut power = 1.0;
    for i in 1..=terms {
        power *= x;
        sum += power / f64::from(i);
    }
    sum
}

/// Value and derivative of [`powers`] by hand: one `powi` a term serves both.
pub fn powers_by_hand(x: f64, terms: u32) -> (f64, f64) {
    let (mut sum, mut slope) = (0.0, 0.0);
    for i in 1..=terms {
        let power = x.powi(i as i32 - 1);
        slope += power;
        sum += power * x / f64::from(i);
    }
    (sum, slope)
}

/// Value and derivative of [`running`] by hand.
pub fn running_by_hand(x: f64, terms: u32) -> (f64, f64) {
    let (mut sum, mut slope) = (0.0, 0.0);
    let mut power = 1.0;
    for i in 1..=terms {
        slope += power;
        power *= x;
        sum += power / f64::from(i);
    }
    (sum, slope)
}

const TERMS: u32 = 1_000_000;
const X: f64 = 0.999_99;

type Scalar = fn(f64, u32) -> f64;
type Derivative = fn(f64, u32, f64) -> (f64, f64);
type ByHand = fn(f64, u32) -> (f64, f64);

/// Both series in both modes.
pub fn cases() -> Vec<Case> {
    let list: [(&str, f64, Scalar, Derivative, ByHand); 4] = [
        ("taylor powi reverse", 2.0, powers, d_powers, powers_by_hand),
        ("taylor powi forward", 1.5, powers, powers_forward, powers_by_hand),
        ("taylor running reverse", 5.0, running, d_running, running_by_hand),
        ("taylor running forward", 5.0, running, running_forward, running_by_hand),
    ];
    list.map(|(name, limit, primal, derivative, by_hand)| {
        Case::new(name, move |name| measure(name, limit, primal, derivative, by_hand))
    })
    .into()
}

fn powers_forward(x: f64, terms: u32, direction: f64) -> (f64, f64) {
    powers_tangent(x, direction, terms)
}

fn running_forward(x: f64, terms: u32, direction: f64) -> (f64, f64) {
    running_tangent(x, direction, terms)
}

fn measure(name: String, limit: f64, primal: Scalar, derivative: Derivative, by_hand: ByHand) -> Row {
    let (value, slope) = derivative(X, TERMS, 1.0);
    let (value_hand, slope_hand) = by_hand(X, TERMS);
    let distance = distance(slope, slope_hand) + distance(value, value_hand);
    let [primal, gradient, hand] = medians([
        &mut || {
            black_box(primal(black_box(X), TERMS));
        },
        &mut || {
            black_box(derivative(black_box(X), TERMS, 1.0));
        },
        &mut || {
            black_box(by_hand(black_box(X), TERMS));
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: Limits { of_primal: Some(limit), of_hand: None } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_agrees_with_the_closed_form() {
        for by_hand in [powers_by_hand, running_by_hand] {
            let (value, slope) = by_hand(0.5, 60);
            assert!((value - 2f64.ln()).abs() < 1e-15 && (slope - 2.0).abs() < 1e-15);
        }
    }

    #[test]
    fn generated_agrees_with_the_closed_form() {
        for derivative in [d_powers, d_running, powers_forward, running_forward] {
            let (value, slope) = derivative(0.5, 60, 3.0);
            assert!((value - 2f64.ln()).abs() < 1e-15 && (slope - 6.0).abs() < 1e-14, "{value} {slope}");
        }
    }
}
