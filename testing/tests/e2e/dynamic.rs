//! Calls through pointers that are only known when running.

use crate::assert_close;
use cotangent::autodiff;

#[autodiff(through_dyn_reverse, Reverse, Const, Active, ActiveOnly)]
fn through_dyn(f: &dyn Fn(usize) -> f64, x: f64) -> f64 {
    f(3) * x * x
}

#[test]
fn a_dyn_fn_applied_to_constants_is_constant() {
    let offset = 0.5;
    assert_close!(through_dyn_reverse(&|n| n as f64 + offset, 2.0, 1.0), 14.0);
}
