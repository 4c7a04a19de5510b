//! Counters, statistics and logs, constant, that functions keep which stay calls; and recursion that walks through slices. In both modes.

use crate::assert_close;
use cotangent::{autodiff, gradient, jvp};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Write;
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

#[derive(Default, Debug, PartialEq)]
struct Stats {
    calls: usize,
    longest: usize,
    names: Vec<String>,
    histogram: [u32; 4],
}

/// The product of sines, by halves.
fn halved(x: &[f64], at: &mut dyn FnMut(&[f64])) -> f64 {
    at(x);
    match x {
        [one] => one.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            halved(a, at) * halved(b, at)
        }
    }
}

fn visited(x: &[f64], stats: &mut Stats) -> f64 {
    stats.calls += 1;
    stats.longest = stats.longest.max(x.len());
    stats.histogram[x.len() % 4] += 1;
    stats.names.push(format!("of {}", x.len()));
    match x {
        [one] => one.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            visited(a, stats) * visited(b, stats)
        }
    }
}

#[autodiff(visits_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(visits_forward, Forward, Dual, Const, Dual)]
fn visits(x: &[f64], stats: &mut Stats) -> f64 {
    visited(x, stats)
}

fn logged(x: &[f64], depth: usize, log: &mut Vec<(usize, usize)>) -> f64 {
    log.push((depth, x.len()));
    match x {
        [one] => one.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            logged(a, depth + 1, log) * logged(b, depth + 1, log)
        }
    }
}

#[autodiff(logs_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(logs_forward, Forward, Dual, Const, Dual)]
fn logs(x: &[f64], log: &mut Vec<(usize, usize)>) -> f64 {
    logged(x, 0, log)
}

fn by_length(x: &[f64], seen: &mut HashMap<usize, usize>) -> f64 {
    *seen.entry(x.len()).or_insert(0) += 1;
    match x {
        [one] => one.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            by_length(a, seen) * by_length(b, seen)
        }
    }
}

#[autodiff(lengths_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(lengths_forward, Forward, Dual, Const, Dual)]
fn lengths(x: &[f64], seen: &mut HashMap<usize, usize>) -> f64 {
    by_length(x, seen)
}

fn told(x: &[f64], text: &mut String) -> f64 {
    writeln!(text, "{} numbers from {:.1}", x.len(), x[0]).expect("a string takes all");
    match x {
        [one] => one.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            told(a, text) * told(b, text)
        }
    }
}

#[autodiff(tells_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(tells_forward, Forward, Dual, Const, Dual)]
fn tells(x: &[f64], text: &mut String) -> f64 {
    told(x, text)
}

const HALVED: [f64; 3] = [0.5, 1.0, 1.5];

/// Gradient of the product of sines.
fn of_sines() -> (f64, [f64; 3]) {
    let y: f64 = HALVED.iter().map(|v| v.sin()).product();
    (y, HALVED.map(|v| y / v.tan()))
}

#[test]
fn statistics_with_texts_are_kept_by_a_recursion() {
    let (y, expected) = of_sines();
    let (mut one, mut two, mut dx) = (Stats::default(), Stats::default(), [0.0; 3]);
    assert_close!(visits_reverse(&HALVED, &mut dx, &mut one, 1.0), y);
    assert_close!(dx, expected);
    assert_close!(visits_forward(&HALVED, &[1.0, 0.0, 2.0], &mut two), (y, expected[0] + 2.0 * expected[2]));
    assert_eq!((one.calls, one.longest, one.histogram, &one.names[1][..]), (5, 3, [0, 3, 1, 1], "of 1"));
    assert_eq!(one, two);
}

#[test]
fn logs_maps_and_texts_are_kept_by_a_recursion() {
    let (y, expected) = of_sines();
    let (mut log, mut seen, mut text) = (vec![], HashMap::new(), String::new());
    let check = |reverse: &mut dyn FnMut(&mut [f64]) -> f64| {
        let mut dx = [0.0; 3];
        assert_close!(reverse(&mut dx), y);
        assert_close!(dx, expected);
    };
    check(&mut |dx| logs_reverse(&HALVED, dx, &mut log, 1.0));
    check(&mut |dx| lengths_reverse(&HALVED, dx, &mut seen, 1.0));
    check(&mut |dx| tells_reverse(&HALVED, dx, &mut text, 1.0));
    let v = [1.0, 0.0, 0.0];
    assert_close!(logs_forward(&HALVED, &v, &mut log), (y, expected[0]));
    assert_close!(lengths_forward(&HALVED, &v, &mut seen), (y, expected[0]));
    assert_close!(tells_forward(&HALVED, &v, &mut text), (y, expected[0]));
    assert_eq!((log.len(), log[4], seen[&1], text.lines().count()), (10, (2, 1), 6, 10));
    assert!(text.starts_with("3 numbers from 0.5\n1 numbers"));
}

fn by_a_closure(x: &[f64]) -> f64 {
    let mut lengths = Vec::new();
    let product = halved(x, &mut |part| lengths.push(part.len()));
    product * lengths.iter().sum::<usize>() as f64
}

#[test]
fn a_closure_that_counts_is_called_by_a_recursion() {
    let (y, expected) = of_sines();
    assert_close!(gradient(by_a_closure, &HALVED), expected.map(|d| 8.0 * d));
    assert_close!(jvp(by_a_closure, &HALVED, &[0.0, 1.0, 0.0]), (8.0 * y, 8.0 * expected[1]));
}

struct Context<'a> {
    steps: RefCell<Vec<u32>>,
    iterations: Cell<usize>,
    tolerance: f64,
    name: &'a str,
}

#[inline(never)]
fn root_by_newton(a: f64, context: &Context) -> f64 {
    let mut y = 1.0;
    for k in 0..50 {
        let step = (y * y - a) / (2.0 * y);
        y -= step;
        context.iterations.set(context.iterations.get() + 1);
        if step.abs() < context.tolerance {
            context.steps.borrow_mut().push(k);
            break;
        }
    }
    y
}

#[autodiff(roots_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(roots_forward, Forward, Dual, Const, Dual)]
fn roots(x: &[f64], context: &Context) -> f64 {
    x.iter().map(|a| root_by_newton(*a, context)).sum()
}

#[test]
fn a_solver_notes_its_steps_in_a_constant_context() {
    let context = Context { steps: RefCell::new(vec![]), iterations: Cell::new(0), tolerance: 1e-12, name: "roots" };
    let (x, mut dx) = ([2.0f64, 3.0], [0.0; 2]);
    roots_reverse(&x, &mut dx, &context, 1.0);
    assert_close!(dx, x.map(|a| 0.5 / a.sqrt()));
    assert_close!(roots_forward(&x, &[1.0, 0.0], &context), (2f64.sqrt() + 3f64.sqrt(), 0.5 / 2f64.sqrt()));
    let steps = context.steps.into_inner();
    assert_eq!((steps.len(), steps[..2] == steps[2..], context.name), (4, true, "roots"));
    assert_eq!(context.iterations.get() as u32, steps.iter().map(|k| k + 1).sum());
}

struct Config {
    weights: Vec<f64>,
    names: Vec<String>,
    limit: usize,
}
#[derive(Default)]
struct Report {
    history: Vec<f64>,
    evaluations: usize,
    warnings: Vec<String>,
}
#[inline(never)]
fn objective(x: &[f64], config: &Config, report: &mut Report) -> f64 {
    report.evaluations += 1;
    let mut sum = 0.0;
    for ((v, w), name) in x.iter().zip(&config.weights).zip(&config.names) {
        if *v < 0.0 {
            report.warnings.push(format!("{name} is negative: {v}"));
        }
        sum += w * v * v;
    }
    report.history.push(sum);
    sum
}
fn refine(x: &[f64], config: &Config, report: &mut Report, depth: usize) -> f64 {
    if depth == config.limit {
        return objective(x, config, report);
    }
    let y: Vec<f64> = x.iter().map(|v| v * 0.5 + v.sin()).collect();
    refine(&y, config, report, depth + 1) + objective(x, config, report)
}
#[autodiff(refines_reverse, Reverse, Duplicated, Const, Const, Active)]
#[autodiff(refines_forward, Forward, Dual, Const, Const, Dual)]
fn refines(x: &[f64], config: &Config, report: &mut Report) -> f64 {
    refine(x, config, report, 0)
}
#[test]
fn a_report_with_warnings_and_a_history_is_written_by_a_recursion() {
    let config = Config { weights: vec![1.0, 2.0], names: vec!["a".into(), "b".into()], limit: 2 };
    let (mut r1, mut r2) = (Report::default(), Report::default());
    let x = [0.5f64, -1.0];
    let mut dx = [0.0; 2];
    let y = refines_reverse(&x, &mut dx, &config, &mut r1, 1.0);
    let (y2, d) = refines_forward(&x, &[1.0, -2.0], &config, &mut r2);
    assert_close!(y, y2);
    assert_close!(dx[0] - 2.0 * dx[1], d);
    assert_eq!(r1.evaluations, 3);
    assert_eq!(r1.history, r2.history);
    assert_eq!(r1.warnings, r2.warnings);
    let h = 1e-6;
    let f = |s: f64| refines(&[0.5 + s, -1.0 - 2.0 * s], &config, &mut Report::default());
    assert!((d - (f(h) - f(-h)) / (2.0 * h)).abs() < 1e-5);
}
