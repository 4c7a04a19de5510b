//! Destructors of a function's own types run as often in a derivative as in the function.

use crate::assert_close;
use cotangent::{Shadow, autodiff, gradient, jvp, zeroed};
use std::cell::{Cell, RefCell};

thread_local! {
    static DROPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is dropped.
#[derive(Clone, Shadow)]
struct Guard(Vec<f64>);

impl Drop for Guard {
    fn drop(&mut self) {
        DROPS.set(DROPS.get() + 1);
    }
}

/// How many guards `run` drops.
fn drops(run: impl FnOnce()) -> usize {
    let before = DROPS.get();
    run();
    DROPS.get() - before
}

#[inline(never)]
fn made(x: f64) -> Guard {
    Guard(vec![x, x * x])
}

fn guards_moved_about(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| made(*v)).collect();
    all.pop();
    all.push(made(2.0 * x[1]));
    let owner: Box<dyn Fn() -> f64> = {
        let guard = made(x[0]);
        Box::new(move || guard.0[1])
    };
    all.iter().map(|g| g.0[0] * g.0[1]).sum::<f64>() * owner()
}

#[test]
fn guards_in_vectors_and_closures_are_dropped_once() {
    let x = [0.5, 1.5, -1.0];
    let mut found = (Vec::new(), (0.0, 0.0));
    let by_primal = drops(|| _ = guards_moved_about(&x));
    let by_gradient = drops(|| found.0 = gradient(guards_moved_about, &x));
    let by_tangent = drops(|| found.1 = jvp(guards_moved_about, &x, &[1.0, 0.5, 0.25]));
    assert_eq!(by_primal, 5);
    assert_eq!((by_gradient, by_tangent), (by_primal, by_primal));
    // (a^3 + 9 b^3) a^2
    assert_close!(found.0, [5.0 * 0.0625 + 18.0 * 3.375 * 0.5, 27.0 * 2.25 * 0.25, 0.0]);
    assert_close!(found.1.1, found.0[0] + 0.5 * found.0[1]);
}

#[autodiff(behind_reverse, Reverse, Duplicated, Active)]
#[autodiff(behind_forward, Forward, Dual, Dual)]
fn guards_behind_an_argument(guards: &[Guard]) -> f64 {
    let mut own = guards[0].clone();
    own.0[0] *= guards[1].0[1];
    let kept = [own, made(guards[1].0[0])];
    kept.iter().map(|g| g.0[0] * g.0[1]).sum()
}

#[test]
fn guards_behind_an_argument_are_not_dropped() {
    let guards = [made(0.5), made(1.5)];
    let (mut shadow, mut tangent) = (guards.each_ref().map(zeroed), guards.each_ref().map(zeroed));
    (tangent[0].0[0], tangent[1].0[0]) = (1.0, 10.0);
    let mut slope = (0.0, 0.0);
    let by_primal = drops(|| _ = guards_behind_an_argument(&guards));
    let by_reverse = drops(|| _ = behind_reverse(&guards, &mut shadow, 1.0));
    let by_forward = drops(|| slope = behind_forward(&guards, &tangent));
    assert_eq!(by_primal, 2);
    assert_eq!((by_reverse, by_forward), (by_primal, by_primal));
    // a0 b1 a1 + b0^3
    assert_close!(shadow[0].0, [2.25 * 0.25, 0.5 * 2.25]);
    assert_close!(shadow[1].0, [3.0 * 2.25, 0.5 * 0.25]);
    assert_close!(slope, (0.5 * 2.25 * 0.25 + 3.375, 2.25 * 0.25 + 67.5));
}

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Writes into a log when it is dropped.
struct Logged(usize, f64);

impl Drop for Logged {
    fn drop(&mut self) {
        LOG.with_borrow_mut(|log| log.push(format!("dropped {}", self.0)));
    }
}

fn logged(x: &[f64]) -> f64 {
    let all: Vec<Logged> = x.iter().enumerate().map(|(i, v)| Logged(i, v.sin())).collect();
    all.iter().map(|one| one.1 * one.1).sum()
}

#[test]
fn what_destructors_log_is_logged_once() {
    let x = [0.3f64, 0.7];
    let expected = || vec!["dropped 0".to_owned(), "dropped 1".to_owned()];
    logged(&x);
    assert_eq!(LOG.take(), expected());
    assert_close!(gradient(logged, &x), x.map(|v| (2.0 * v).sin()));
    assert_eq!(LOG.take(), expected());
    assert_close!(jvp(logged, &x, &[1.0, 0.0]).1, 0.6f64.sin());
    assert_eq!(LOG.take(), expected());
}
