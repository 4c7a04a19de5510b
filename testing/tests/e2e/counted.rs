//! Counters that functions step which stay calls, and recursion that walks through slices, in both modes.

use crate::assert_close;
use cotangent::{autodiff, gradient, jvp};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[inline(never)]
fn stepped(x: &[f64], calls: &mut usize, seen: &Cell<u32>) -> f64 {
    *calls += x.len();
    seen.set(seen.get().max(x.len() as u32));
    x.iter().map(|v| v * v).sum()
}

#[autodiff(steps_reverse, Reverse, Duplicated, Const, Const, Active)]
#[autodiff(steps_forward, Forward, Dual, Const, Const, Dual)]
fn steps(x: &[f64], calls: &mut usize, seen: &Cell<u32>) -> f64 {
    stepped(x, calls, seen) * stepped(&x[1..], calls, seen)
}

#[test]
fn constant_counters_may_be_stepped_by_functions_that_stay_calls() {
    let (x, v, mut calls, seen) = ([1.0, 2.0, 3.0], [1.0, -1.0, 0.5], 0, Cell::new(0));
    let mut dx = [0.0; 3];
    assert_close!(steps_reverse(&x, &mut dx, &mut calls, &seen, 1.0), 14.0 * 13.0);
    assert_close!(dx, [26.0, 108.0, 162.0]);
    assert_close!(steps_forward(&x, &v, &mut calls, &seen), (182.0, testing::dot(&dx, &v)));
    assert_eq!((calls, seen.get()), (10, 3));
}

/// How often the calls of one derivative did something.
fn walked(x: &[f64], deepest: &Mutex<usize>, ends: &AtomicUsize) -> f64 {
    match x {
        [] => {
            ends.fetch_add(1, Ordering::Relaxed);
            1.0
        }
        [first, rest @ ..] => {
            let below = walked(rest, deepest, ends);
            let mut deepest = deepest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *deepest = (*deepest).max(x.len());
            first * below + first.sin()
        }
    }
}

#[autodiff(walks_reverse, Reverse, Duplicated, Const, Const, Active)]
#[autodiff(walks_forward, Forward, Dual, Const, Const, Dual)]
fn walks(x: &[f64], deepest: &Mutex<usize>, ends: &AtomicUsize) -> f64 {
    walked(x, deepest, ends)
}

#[test]
fn recursion_through_a_slice_counts_behind_a_lock_and_in_an_atomic() {
    let (x, v) = ([0.5f64, 1.5, -0.7], [0.3, 1.0, -2.0]);
    let (deepest, ends) = (Mutex::new(0), AtomicUsize::new(0));
    // a (b (c + sin c) + sin b) + sin a
    let inner = x[2] + x[2].sin();
    let middle = x[1] * inner + x[1].sin();
    let expected = [middle + x[0].cos(), x[0] * (inner + x[1].cos()), x[0] * x[1] * (1.0 + x[2].cos())];
    let mut dx = [0.0; 3];
    assert_close!(walks_reverse(&x, &mut dx, &deepest, &ends, 1.0), x[0] * middle + x[0].sin());
    assert_close!(dx, expected);
    assert_close!(walks_forward(&x, &v, &deepest, &ends).1, testing::dot(&expected, &v));
    assert_eq!((*deepest.lock().unwrap(), ends.load(Ordering::Relaxed)), (3, 2));
}

fn of_pairs(pairs: &[(f64, u32)], x: &[f64]) -> f64 {
    match pairs {
        [] => 0.0,
        [(weight, of), rest @ ..] => weight * x[*of as usize].exp() + of_pairs(rest, x),
    }
}

fn pairs(x: &[f64]) -> f64 {
    let all: Vec<(f64, u32)> = x.iter().enumerate().map(|(k, v)| (v * v, (k as u32 + 1) % 3)).collect();
    of_pairs(&all, x)
}

#[test]
fn recursion_through_pairs_of_floats_and_indices_is_differentiated() {
    let (x, v) = ([0.5f64, -0.3, 0.8], [1.0, 2.0, -0.5]);
    let expected = [0, 1, 2].map(|k: usize| {
        let (next, last) = ((k + 1) % 3, (k + 2) % 3);
        2.0 * x[k] * x[next].exp() + x[last] * x[last] * x[k].exp()
    });
    assert_close!(gradient(pairs, &x), expected);
    assert_close!(jvp(pairs, &x, &v).1, testing::dot(&expected, &v));
}

/// The two halves of a slice, from both ends.
fn folded(x: &[f64], y: &mut [f64]) -> f64 {
    match (x, y) {
        ([first, rest @ .., last], [out, outs @ ..]) => {
            *out = first * last;
            *out + folded(rest, outs)
        }
        ([middle], [out, ..]) => {
            *out = middle.powi(3);
            *out
        }
        _ => 0.0,
    }
}

fn folds(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 3];
    let sum = folded(x, &mut y);
    sum * y[0] + y[1] * y[2]
}

#[test]
fn recursion_from_both_ends_of_a_slice_fills_another() {
    let (x, v) = ([0.5f64, 1.5, 2.0, -1.0, 3.0], [0.1, -0.2, 0.3, 0.4, -0.5]);
    let value = |x: &[f64]| {
        let (p, q, r) = (x[0] * x[4], x[1] * x[3], x[2].powi(3));
        (p + q + r) * p + q * r
    };
    let (h, dy) = (1e-6, jvp(folds, &x, &v).1);
    let moved = |by: f64| -> Vec<f64> { x.iter().zip(&v).map(|(x, v)| x + by * v).collect() };
    assert!((dy - (value(&moved(h)) - value(&moved(-h))) / (2.0 * h)).abs() < 1e-6);
    assert_close!(testing::dot(&gradient(folds, &x), &v), dy);
}
