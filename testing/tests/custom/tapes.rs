//! Tapes: dropped once, whatever happens.

use cotangent::{autodiff, custom_derivative, gradient, jvp};
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use testing::assert_close;

thread_local! {
    /// Numbers of the tapes that were made and not dropped, and of those that were dropped.
    static BOOK: RefCell<(Vec<u32>, Vec<u32>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// A tape with a number; dropping one twice, or one that is not there, is a panic.
struct Numbered(u32, String);

impl Numbered {
    fn new(text: &str) -> Numbered {
        BOOK.with_borrow_mut(|(alive, dropped)| {
            let number = (alive.len() + dropped.len()) as u32;
            alive.push(number);
            Numbered(number, text.to_owned())
        })
    }
}

impl Drop for Numbered {
    fn drop(&mut self) {
        BOOK.with_borrow_mut(|(alive, dropped)| {
            let at = alive.iter().position(|number| *number == self.0).expect("a tape is dropped once");
            alive.swap_remove(at);
            dropped.push(self.0);
        });
    }
}

/// Tapes made by `run`, of which none is left.
#[track_caller]
fn all_dropped(run: impl FnOnce()) -> usize {
    BOOK.with_borrow_mut(|book| *book = (Vec::new(), Vec::new()));
    run();
    BOOK.with_borrow(|(alive, dropped)| {
        assert_eq!(*alive, [0; 0], "tapes that are left");
        dropped.len()
    })
}

/// The square; the pullback panics at seeds below zero, the augmented function at arguments below zero.
#[custom_derivative(reverse = (square_augmented, square_pullback))]
fn square(x: f64) -> f64 {
    x * x
}

fn square_augmented(x: f64) -> (f64, Numbered) {
    let tape = Numbered::new(&format!("{}", 20.0 * x));
    assert!(x >= 0.0, "an argument below zero");
    (x * x, tape)
}

fn square_pullback(tape: Numbered, _x: f64, dret: f64) -> f64 {
    assert!(dret >= 0.0, "a seed below zero");
    tape.1.parse::<f64>().unwrap() * dret
}

#[autodiff(d_loop, Reverse, Duplicated, Active)]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0f64;
    for v in x {
        sum += square(*v) * sum.cos();
    }
    sum
}

#[test]
fn each_call_in_a_loop_has_a_tape() {
    let x = [0.5, 0.25, 0.75];
    let mut dx = [0.0; 3];
    assert_eq!(all_dropped(|| assert_close!(d_loop(&x, &mut dx, 1.0), in_a_loop(&x))), 3);
    // s' = s + v² cos s, backwards, with ten times the derivative of v².
    let mut sums = vec![0.0f64];
    x.iter().for_each(|v| sums.push(sums[sums.len() - 1] + v * v * sums[sums.len() - 1].cos()));
    let (mut adjoint, mut expected) = (1.0, [0.0; 3]);
    for i in (0..3).rev() {
        expected[i] = adjoint * 20.0 * x[i] * sums[i].cos();
        adjoint *= 1.0 - x[i] * x[i] * sums[i].sin();
    }
    assert_close!(dx, expected);
}

#[test]
fn a_panic_of_the_augmented_function_drops_all() {
    let count = all_dropped(|| {
        let run = AssertUnwindSafe(|| d_loop(&[0.5, 0.25, -1.0, 0.5], &mut [0.0; 4], 1.0));
        assert!(catch_unwind(run).is_err());
    });
    assert_eq!(count, 3);
}

#[test]
fn a_panic_of_a_pullback_drops_all() {
    // The seed of the last call is positive, those before it are not all.
    let count = all_dropped(|| {
        let f = |x: &[f64]| square(x[0]) + square(x[1]) - square(x[2]) + square(x[3]);
        let run = AssertUnwindSafe(|| gradient(f, &[1.0, 2.0, 3.0, 4.0]));
        assert!(catch_unwind(run).is_err());
    });
    assert_eq!(count, 4);
}

#[inline(never)]
fn halves(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [v] => square(*v),
        _ => {
            let (left, right) = x.split_at(x.len() / 2);
            halves(left) * 0.5 + halves(right) * square(left[0])
        }
    }
}

#[test]
fn a_recursion_has_a_tape_for_each_call() {
    let x: Vec<f64> = (1..=6).map(|i| f64::from(i) / 4.0).collect();
    let mut g = Vec::new();
    let count = all_dropped(|| g = gradient(|x: &[f64]| halves(x), &x));
    assert_eq!(count, 11);
    // Every square's derivative is ten times what it is, but not the factors beside it: by forward differences of logs.
    let ruled = |x: &[f64], i: usize| {
        testing::differences::slope(
            |t: f64| {
                let mut moved = x.to_vec();
                moved[i] = t;
                halves(&moved)
            },
            x[i],
        )
    };
    for (i, slope) in g.iter().enumerate() {
        assert_close!(*slope, 10.0 * ruled(&x, i), 1e-7);
    }
}

#[test]
fn a_panic_inside_of_a_recursion_drops_all() {
    let count = all_dropped(|| {
        let run = AssertUnwindSafe(|| gradient(|x: &[f64]| halves(x), &[0.5, 1.0, 2.0, -1.0]));
        assert!(catch_unwind(run).is_err());
    });
    assert!(count > 2);
    // And the next gradient is right.
    assert_close!(gradient(|x: &[f64]| halves(x), &[2.0]), [40.0]);
}

#[test]
fn forward_mode_makes_no_tape() {
    assert_eq!(all_dropped(|| assert_close!(jvp(|x: &[f64]| square(x[0]), &[2.0], &[1.0]), (4.0, 4.0))), 0);
}

/// A tape that is a closure, which owns a map, strings and what is shared.
#[custom_derivative(reverse = (cubes_augmented, cubes_pullback))]
fn cubes(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v * v).sum()
}

fn cubes_augmented(x: &[f64]) -> (f64, Box<dyn Fn(usize) -> f64>) {
    let by_index: HashMap<usize, f64> = x.iter().copied().enumerate().collect();
    let (rows, factor, name) = (vec![x.to_vec(); 3], Rc::new(RefCell::new(4.0)), format!("{} numbers", x.len()));
    let slope = move |i: usize| {
        assert_eq!(name, format!("{} numbers", rows[2].len()));
        3.0 * by_index[&i] * rows[1][i] * *factor.borrow()
    };
    (cubes(x), Box::new(slope))
}

fn cubes_pullback(slope: Box<dyn Fn(usize) -> f64>, _x: &[f64], dx: &mut [f64], dret: f64) {
    dx.iter_mut().enumerate().for_each(|(i, dx)| *dx += slope(i) * dret);
}

#[test]
fn a_tape_may_be_a_closure_that_owns_what_it_likes() {
    let x = [1.0, 2.0, -1.0];
    assert_close!(gradient(cubes, &x), [12.0, 48.0, 12.0]);
    // Of slices of another length each time.
    let f = |x: &[f64]| (0..=x.len()).map(|n| cubes(&x[..n]) * n as f64).sum();
    assert_close!(gradient(f, &x), [12.0 * 6.0, 48.0 * 5.0, 12.0 * 3.0]);
}

#[test]
fn a_tape_whose_adjoint_is_not_needed_is_dropped_too() {
    let f = |x: &[f64]| {
        let mut sum = 0.0;
        for v in x {
            sum += square(*v);
            if sum > 5.0 {
                return v * 2.0;
            }
        }
        sum
    };
    assert_eq!(all_dropped(|| assert_close!(gradient(f, &[1.0, 2.0, 3.0, 4.0]), [0.0, 0.0, 2.0, 0.0])), 3);
    assert_eq!(all_dropped(|| assert_close!(gradient(f, &[1.0, 1.0]), [20.0, 20.0])), 2);
}

/// A zero-sized tape, and one that is aligned to a cache line.
struct Token;
#[repr(align(64))]
struct Aligned([f64; 3]);

#[custom_derivative(reverse = (first_augmented, first_pullback))]
fn first(x: f64) -> f64 {
    x
}
fn first_augmented(x: f64) -> (f64, Token) {
    (x, Token)
}
fn first_pullback(_tape: Token, _x: f64, dret: f64) -> f64 {
    7.0 * dret
}

#[custom_derivative(reverse = (second_augmented, second_pullback))]
fn second(x: f64) -> f64 {
    x
}
fn second_augmented(x: f64) -> (f64, Aligned) {
    (x, Aligned([x, 2.0 * x, 3.0 * x]))
}
fn second_pullback(tape: Aligned, _x: f64, dret: f64) -> f64 {
    assert_eq!((&raw const tape).addr() % 64, 0);
    tape.0[2] * dret
}

#[test]
fn tapes_of_any_size_and_alignment() {
    assert_close!(gradient(|x: &[f64]| first(x[0]) * second(x[1]), &[2.0, 5.0]), [35.0, 30.0]);
}
