//! What a program knows beside its arguments: functions in tables, statics, thread locals.
use crate::prelude::bounded;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};

pub static WEIGHTS: [f64; 5] = [0.5, -0.25, 1.5, 0.75, -1.0];
pub static NAMES: [&str; 3] = ["one", "three", "eleven"];
pub static FUNCTIONS: [fn(f64) -> f64; 4] = [bounded, f64::sin, squared, |t| 0.5 - t];
static CALLS: AtomicUsize = AtomicUsize::new(0);

pub struct Rule {
    pub of: fn(f64, f64) -> f64,
    pub name: &'static str,
}

pub static RULES: &[Rule] = &[
    Rule { of: f64::hypot, name: "hypot" },
    Rule { of: |a, b| a * b, name: "product" },
    Rule { of: between, name: "between" },
];

thread_local! {
    pub static RATE: Cell<f64> = const { Cell::new(0.75) };
    static COUNTS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

//?
fn squared(t: f64) -> f64 {
    t * t
}

//?
fn between(a: f64, b: f64) -> f64 {
    if a < b { a + 0.25 * (b - a) } else { b }
}

//?
pub fn rate() -> f64 {
    RATE.get()
}

/// Runs with another rate.
//?
pub fn with_rate<T>(rate: f64, work: impl FnOnce() -> T) -> T {
    let before = RATE.replace(rate);
    let made = work();
    RATE.set(before);
    made
}

/// Keeps what it is handed, as long as that is little.
//?
pub fn noted(n: usize) -> usize {
    CALLS.fetch_add(1, Ordering::Relaxed);
    COUNTS.with_borrow_mut(|counts| {
        if counts.len() > 8 {
            counts.clear();
        }
        counts.push(n);
    });
    n % 4
}

//?
pub fn picked(n: usize) -> fn(f64) -> f64 {
    match n % 3 {
        0 => f64::cos,
        1 => |t| 0.5 * t * t,
        _ => FUNCTIONS[n % 4],
    }
}

pub struct Handler {
    pub on: fn(&mut Handler, f64) -> f64,
    pub left: usize,
    pub sum: f64,
}

impl Handler {
    pub fn new(left: usize) -> Handler {
        Handler { on: first, left, sum: 0.0 }
    }

    pub fn run(mut self, t: f64) -> f64 {
        let mut at = t;
        while self.left > 0 {
            self.left -= 1;
            at = (self.on)(&mut self, at);
        }
        self.sum + at
    }
}

fn first(handler: &mut Handler, t: f64) -> f64 {
    handler.sum += t;
    handler.on = second;
    t.sin()
}

fn second(handler: &mut Handler, t: f64) -> f64 {
    handler.sum -= 0.5 * t * t;
    handler.on = first;
    bounded(t + 0.25)
}
