//! The comparison of generated programs, held against derivatives that are known to be wrong.
use crate::check::{Case, N, check};
use crate::interrupt::may_panic;
use std::cell::Cell;

fn value(x: &[f64]) -> f64 {
    x[0] * x[1] + x[2].sin() * x[3] - 0.5 * x[4] * x[4] + x[5]
}

fn gradient(x: &[f64]) -> [f64; N] {
    [x[1], x[0], x[2].cos() * x[3], x[2].sin(), -x[4], 1.0]
}

fn reverse(x: &[f64], g: &mut [f64], seed: f64) -> f64 {
    g.iter_mut().zip(gradient(x)).for_each(|(g, d)| *g += seed * d);
    value(x)
}

fn forward(x: &[f64], u: &[f64]) -> (f64, f64) {
    (value(x), gradient(x).iter().zip(u).map(|(d, u)| d * u).sum())
}

const RIGHT: Case = Case { value, smooth: None, reverse, forward };

#[track_caller]
fn refused(case: Case) {
    assert!(check(&case).is_err());
}

#[test]
fn what_is_right_passes() {
    assert_eq!(check(&RIGHT), Ok(()));
}

#[test]
fn a_wrong_component_is_found() {
    refused(Case {
        reverse: |x, g, seed| {
            g[3] += 1e-4 * seed;
            reverse(x, g, seed)
        },
        ..RIGHT
    });
}

#[test]
fn a_lost_term_is_found_though_both_modes_lose_it() {
    refused(Case {
        reverse: |x, g, seed| {
            reverse(x, g, seed);
            g[4] += seed * x[4];
            value(x)
        },
        forward: |x, u| {
            let (v, d) = forward(x, u);
            (v, d + x[4] * u[4])
        },
        ..RIGHT
    });
}

#[test]
fn zeros_are_found() {
    refused(Case { reverse: |x, _, _| value(x), forward: |x, _| (value(x), 0.0), ..RIGHT });
}

#[test]
fn a_wrong_sign_is_found() {
    refused(Case {
        reverse: |x, g, seed| reverse(x, g, -seed),
        forward: |x, u| {
            let (v, d) = forward(x, u);
            (v, -d)
        },
        ..RIGHT
    });
}

#[test]
fn what_is_no_number_is_found() {
    refused(Case { reverse: |x, g, seed| reverse(x, g, seed * f64::NAN), ..RIGHT });
    refused(Case { reverse: |x, g, seed| reverse(x, g, seed * f64::INFINITY), ..RIGHT });
    refused(Case {
        reverse: |x, g, seed| reverse(x, g, seed * f64::NAN),
        forward: |x, _| (value(x), f64::NAN),
        ..RIGHT
    });
}

#[test]
fn a_gradient_that_overwrites_is_found() {
    refused(Case {
        reverse: |x, g, seed| {
            g.fill(0.0);
            reverse(x, g, seed)
        },
        ..RIGHT
    });
}

#[test]
fn a_gradient_of_half_the_digits_is_found() {
    refused(Case {
        reverse: |x, g, seed| {
            let mut own = [0.0; N];
            reverse(x, &mut own, seed);
            g.iter_mut().zip(own).for_each(|(g, d)| *g += f64::from(d as f32));
            value(x)
        },
        ..RIGHT
    });
}

#[test]
fn another_value_is_found() {
    refused(Case { reverse: |x, g, seed| reverse(x, g, seed) + 1e-9, ..RIGHT });
    refused(Case { forward: |x, u| (value(x) - 1e-9, forward(x, u).1), ..RIGHT });
}

#[test]
fn a_derivative_that_remembers_is_found() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    // Right the first time, at every point.
    refused(Case {
        reverse: |x, g, seed| {
            let again = CALLS.fetch_add(1, Ordering::Relaxed) % 2 == 1;
            reverse(x, g, if again { 2.0 * seed } else { seed })
        },
        ..RIGHT
    });
}

#[test]
fn what_a_panic_leaves_behind_is_found() {
    thread_local! {
        static LEFT: Cell<f64> = const { Cell::new(0.0) };
    }
    refused(Case {
        reverse: |x, g, seed| {
            g[2] += LEFT.replace(1e-4);
            may_panic();
            LEFT.set(0.0);
            reverse(x, g, seed)
        },
        ..RIGHT
    });
}
