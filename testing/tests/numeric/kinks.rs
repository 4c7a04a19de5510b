//! Special points: kinks, and infinities on a branch that is not taken.

use crate::assert_close;
use cotangent::autodiff;

/// Value, tangent and adjoint at a point; tangent and adjoint have to be equal.
macro_rules! at {
    ($x:expr, |$p:ident| $body:expr) => {{
        #[autodiff(forward, Forward, Dual, DualOnly)]
        #[autodiff(reverse, Reverse, Active, ActiveOnly)]
        fn primal($p: f64) -> f64 {
            $body
        }
        let (tangent, adjoint) = (forward($x, 1.0), reverse($x, 1.0));
        assert!(tangent == adjoint || tangent.is_nan() && adjoint.is_nan(), "forward {tangent}, reverse {adjoint}");
        adjoint
    }};
}

#[test]
fn a_logarithm_not_taken_leaves_no_nan() {
    assert_close!(at!(0.0, |x| if x > 0.0 { x.ln() } else { 0.0 }), 0.0);
    assert_close!(at!(0.0, |x| if x > 0.0 { x * x.ln() } else { 3.0 * x }), 3.0);
    assert_close!(at!(-1.0, |x| if x > 0.0 { x.ln() } else { x * x }), -2.0);
}

#[test]
fn a_root_not_taken_leaves_no_nan() {
    assert_close!(at!(0.0, |x| if x > 0.0 { x.sqrt() } else { 0.0 }), 0.0);
    assert_close!(at!(-4.0, |x| if x > 0.0 { x.sqrt() } else { x }), 1.0);
}

#[test]
fn a_quotient_not_taken_leaves_no_nan() {
    assert_close!(at!(0.0, |x| if x != 0.0 { x.sin() / x } else { 1.0 }), 0.0);
    assert_close!(at!(0.0, |x| if x == 0.0 { 2.0 * x } else { 1.0 / x }), 2.0);
}

#[test]
fn a_power_not_taken_leaves_no_nan() {
    assert_close!(at!(0.0, |x| if x > 0.0 { x.powf(0.3) } else { x }), 1.0);
    assert_close!(at!(-2.0, |x| if x > 0.0 { x.powf(0.3) } else { x * x }), -4.0);
}

#[test]
fn both_sides_computed_and_one_selected_leave_no_nan() {
    assert_close!(
        at!(0.0, |x| {
            let r = x.sqrt();
            let s = x * 2.0;
            if x > 0.0 { r } else { s }
        }),
        2.0
    );
    assert_close!(
        at!(0.0, |x| {
            let r = x.ln();
            let s = x * 2.0;
            if x > 0.0 { r } else { s }
        }),
        2.0
    );
}

#[test]
fn a_loop_skips_infinite_terms() {
    #[autodiff(entropy_reverse, Reverse, Duplicated, Active)]
    fn entropy(p: &[f64]) -> f64 {
        let mut sum = 0.0;
        for p in p {
            if *p > 0.0 {
                sum -= p * p.ln();
            }
        }
        sum
    }
    let mut d = [0.0; 3];
    entropy_reverse(&[0.5, 0.0, 0.25], &mut d, 1.0);
    assert_close!(d, [-(0.5f64.ln() + 1.0), 0.0, -(0.25f64.ln() + 1.0)]);
}

#[test]
fn integer_powers_at_zero_and_below() {
    assert_close!(at!(0.0, |x| x.powi(0)), 0.0);
    assert_close!(at!(0.0, |x| x.powi(1)), 1.0);
    assert_close!(at!(0.0, |x| x.powi(2)), 0.0);
    assert_close!(at!(0.0, |x| x.powi(3)), 0.0);
    assert_close!(at!(-2.0, |x| x.powi(3)), 12.0);
    assert_close!(at!(-2.0, |x| x.powi(-2)), 0.25);
    assert_close!(at!(1.5, |x| x.powi(-1)), -1.0 / 2.25);
}

#[test]
fn real_powers_at_zero_and_of_negative_bases() {
    assert_close!(at!(0.0, |x| x.powf(2.0)), 0.0);
    assert_close!(at!(0.0, |x| x.powf(1.0)), 1.0);
    assert_close!(at!(-2.0, |x| x.powf(3.0)), 12.0);
    assert_close!(at!(-2.0, |x| x.powf(2.0)), -4.0);
}

#[test]
fn a_constant_exponent_has_no_adjoint_and_no_nan() {
    #[autodiff(power_reverse, Reverse, Active, Const, ActiveOnly)]
    #[autodiff(power_both, Reverse, Active, Active, ActiveOnly)]
    fn power(x: f64, y: f64) -> f64 {
        x.powf(y)
    }
    assert_close!(power_reverse(-2.0, 3.0, 1.0), 12.0);
    assert_close!(power_reverse(0.0, 2.0, 1.0), 0.0);
    assert_close!(power_both(2.0, 3.0, 1.0), (12.0, 8.0 * 2f64.ln()));
    let (dx, dy) = power_both(0.0, 2.0, 1.0);
    assert_close!((dx, dy), (0.0, 0.0));
}

#[test]
fn absolute_value_at_zero_is_bounded() {
    let d = at!(0.0, |x| x.abs());
    assert!((-1.0..=1.0).contains(&d), "a subgradient, not {d}");
}

#[test]
fn max_and_min_of_equals_share_between_their_arguments() {
    let d = at!(1.0, |x| x.max(1.0));
    assert!((0.0..=1.0).contains(&d), "a subgradient, not {d}");
    let d = at!(1.0, |x| x.min(1.0));
    assert!((0.0..=1.0).contains(&d), "a subgradient, not {d}");
    assert_close!(at!(1.0, |x| (2.0 * x).max(2.0 * x)), 2.0);
}

#[test]
fn max_ignores_a_nan_and_so_does_its_derivative() {
    assert_close!(at!(2.0, |x| (x * x).max(f64::NAN)), 4.0);
    assert_close!(at!(2.0, |x| f64::NAN.min(x * x)), 4.0);
}

#[test]
fn hypot_at_the_origin_is_not_nan() {
    let d = at!(0.0, |x| x.hypot(0.0));
    assert!((-1.0..=1.0).contains(&d), "a subgradient, not {d}");
}

/// The mean and the spread of a class, which are not numbers where the class is empty, and are not looked at then.
#[test]
fn what_is_computed_for_other_arms_of_a_match_leaves_no_nan() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Const, Active)]
    fn fit(x: &[f64; 3], kind: u32) -> f64 {
        let mean = x[1] / x[2];
        let spread = 1.0 - mean * mean * x[0];
        match kind {
            0 => mean + spread,
            1 => x[0],
            _ => 2.0 * mean,
        }
    }
    let mut d = [0.0; 3];
    reverse(&[-1.0, 0.0, 0.0], &mut d, 1, 1.0);
    assert_eq!(d, [1.0, 0.0, 0.0]);
}

#[test]
fn what_a_function_leaves_unused_on_its_way_out_leaves_no_nan() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn fit(x: &[f64; 3]) -> f64 {
        let root = x[2].sqrt();
        let mut sum = 0.0;
        for k in 0..3 {
            sum += x[k];
            if sum > 2.0 {
                return sum;
            }
        }
        sum * root
    }
    let mut d = [0.0; 3];
    reverse(&[1.5, 1.0, 0.0], &mut d, 1.0);
    assert_eq!(d, [1.0, 1.0, 0.0]);
}

/// Only the last turn's value is used.
#[test]
fn what_later_turns_of_a_loop_replace_leaves_no_nan() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn last(x: &[f64]) -> f64 {
        let mut last = 0.0;
        for v in x {
            last = v.ln();
        }
        last
    }
    let mut d = [0.0; 3];
    reverse(&[0.0, 0.0, 2.0], &mut d, 1.0);
    assert_eq!(d, [0.0, 0.0, 0.5]);
}

#[test]
fn a_root_at_zero_is_infinite_where_it_is_taken() {
    assert_eq!(at!(0.0, |x| x.sqrt()), f64::INFINITY);
}

/// What does not move has moved nothing: a constant that only the running program knows, or an input of tangent zero.
#[test]
fn a_tangent_of_zero_stays_zero_where_the_partial_has_no_value() {
    #[autodiff(forward, Forward, Dual, Const, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Const, Active)]
    fn spread(x: &[f64; 3], count: usize) -> f64 {
        let lengths: Vec<f64> = x[..count].iter().map(|v| v * v).collect();
        x[2] * 3.0 + lengths.iter().sum::<f64>().sqrt() + lengths.iter().sum::<f64>().cbrt()
    }
    let x = [0.5, 0.25, 2.0];
    assert_eq!(forward(&x, &[1.0, 1.0, 1.0], 0), (6.0, 3.0));
    let mut d = [0.0; 3];
    reverse(&x, &mut d, 0, 1.0);
    assert_eq!(d, [0.0, 0.0, 3.0]);

    #[autodiff(power_forward, Forward, Dual, Dual)]
    fn power(x: &[f64; 2]) -> f64 {
        x[0].powf(x[1]) + (x[1] - 1.0).asin() + (3.0 - x[1]).acos()
    }
    let (value, tangent) = power_forward(&[-3.0, 2.0], &[1.0, 0.0]);
    assert_close!(value, 9.0 + 1f64.asin());
    assert_close!(tangent, -6.0);
}

#[test]
fn the_angle_of_the_axes() {
    assert_close!(at!(1.0, |x| x.atan2(0.0)), 0.0);
    assert_close!(at!(0.0, |x| x.atan2(2.0)), 0.5);
    assert_close!(at!(0.0, |x| x.atan2(-2.0)), -0.5);
    assert_close!(at!(0.0, |x| 2.0f64.atan2(x)), -0.5);
}

#[test]
fn infinite_arguments_give_the_limits() {
    assert_close!(at!(f64::INFINITY, |x| x.atan()), 0.0);
    assert_close!(at!(f64::NEG_INFINITY, |x| x.exp()), 0.0);
    assert_close!(at!(800.0, |x| x.tanh()), 0.0);
}

/// Its body in the standard library divides by `x`: the function has to reach its rule in every profile.
#[test]
fn the_inverse_hyperbolic_sine_has_its_slope_at_zero() {
    #[cotangent::autodiff(reverse, Reverse, Active, Active)]
    #[cotangent::autodiff(forward, Forward, Dual, Dual)]
    fn f(x: f64) -> f64 {
        x.asinh() + 2.0 * x.atanh()
    }
    assert_eq!(reverse(0.0, 1.0), (0.0, 3.0));
    assert_eq!(forward(0.0, 1.0), (0.0, 3.0));
}
