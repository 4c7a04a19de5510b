//! Panics in a differentiated function, and what is printed in one.

use crate::assert_close;
use cotangent::{autodiff, gradient, jvp};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[autodiff(picked_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(picked_forward, Forward, Dual, Const, Dual)]
fn picked(x: &[f64], i: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..=i {
        sum += x[k] * x[k];
    }
    sum
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn an_index_out_of_bounds_panics_in_reverse() {
    picked_reverse(&[1.0, 2.0], &mut [0.0; 2], 2, 1.0);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn an_index_out_of_bounds_panics_in_forward() {
    picked_forward(&[1.0, 2.0], &[0.0; 2], 2);
}

#[test]
fn after_a_panic_the_next_gradient_is_right() {
    for _ in 0..3 {
        let mut d = [0.0; 3];
        assert!(catch_unwind(AssertUnwindSafe(|| picked_reverse(&[1.0, 2.0, 3.0], &mut d, 3, 1.0))).is_err());
        let mut d = [0.0; 3];
        assert_close!(picked_reverse(&[1.0, 2.0, 3.0], &mut d, 1, 1.0), 5.0);
        assert_close!(d, [2.0, 4.0, 0.0]);
    }
}

#[autodiff(guarded_reverse, Reverse, Active, ActiveOnly)]
fn guarded(x: f64) -> f64 {
    assert!(x > 0.0, "a positive number, not {x}");
    x.ln()
}

#[test]
#[should_panic(expected = "a positive number, not -1")]
fn a_users_own_message_comes_through() {
    guarded_reverse(-1.0, 1.0);
}

#[test]
fn an_assertion_that_holds_costs_nothing() {
    assert_close!(guarded_reverse(4.0, 1.0), 0.25);
}

#[inline(never)]
fn one_of_three(values: &[f64], k: usize) -> f64 {
    assert!(k < 3, "three are enough");
    values[k].sin()
}

fn with_vectors_and_closures(x: &[f64]) -> f64 {
    let mut kept: Vec<Box<dyn Fn(f64) -> f64>> = Vec::new();
    let mut sum = 0.0;
    for k in 0..x.len() {
        let values: Vec<f64> = x.iter().map(|v| v * (k + 1) as f64).collect();
        sum += one_of_three(&values, k);
        kept.push(Box::new(move |t| t * values[0]));
    }
    kept.iter().map(|f| f(sum)).sum()
}

#[test]
fn thousands_of_panics_in_a_callee_leave_no_tape_behind() {
    let (x, v) = ([0.4f64, 1.2, -0.3], [1.0, 0.5, 0.25]);
    // 6 a (sin a + sin 2b + sin 3c)
    let sum = 0.4f64.sin() + 2.4f64.sin() - 0.9f64.sin();
    let expected = [6.0 * sum + 2.4 * 0.4f64.cos(), 2.4 * 2.0 * 2.4f64.cos(), 2.4 * 3.0 * 0.9f64.cos()];
    assert_close!(gradient(with_vectors_and_closures, &x), expected);
    assert_close!(jvp(with_vectors_and_closures, &x, &v), (2.4 * sum, testing::dot(&expected, &v)));
    let too_many = || {
        assert!(catch_unwind(|| gradient(with_vectors_and_closures, &[1.0; 5])).is_err());
        assert!(catch_unwind(|| jvp(with_vectors_and_closures, &[1.0; 5], &[1.0; 5])).is_err());
    };
    too_many();
    let held = cotangent::tape::held();
    for _ in 0..2000 {
        too_many();
        assert_close!(gradient(with_vectors_and_closures, &x), expected);
        assert_close!(jvp(with_vectors_and_closures, &x, &v).1, testing::dot(&expected, &v));
    }
    assert_eq!(cotangent::tape::held(), held);
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[autodiff(counted_reverse, Reverse, Active, Active)]
#[autodiff(counted_forward, Forward, Dual, Dual)]
fn counted(x: f64) -> f64 {
    CALLS.fetch_add(1, Ordering::SeqCst);
    x * x * x
}

#[test]
fn what_a_function_does_besides_is_done_once() {
    assert_close!(counted_reverse(2.0, 1.0), (8.0, 12.0));
    assert_eq!(CALLS.load(Ordering::SeqCst), 1);
    assert_close!(counted_forward(2.0, 1.0), (8.0, 12.0));
    assert_eq!(CALLS.load(Ordering::SeqCst), 2);
}
