//! Printing inside a differentiated function.

use crate::assert_close;
use cotangent::autodiff;
use std::fmt::Write;

#[autodiff(printing_reverse, Reverse, Active, ActiveOnly)]
fn printing(x: f64) -> f64 {
    let y = x * x;
    println!("a square of {x} is {y}");
    y * x
}

#[test]
fn a_function_may_print() {
    assert_close!(printing_reverse(2.0, 1.0), 12.0);
}

#[autodiff(logging_reverse, Reverse, Active, Const, ActiveOnly)]
fn logging(x: f64, log: &mut String) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y *= x;
        let _ = write!(log, "{y};");
    }
    y
}

#[test]
fn what_is_written_is_written_once() {
    let mut log = String::new();
    assert_close!(logging_reverse(2.0, &mut log, 1.0), 32.0);
    assert_eq!(log, "4;8;16;");
}
