//! What is wrong with a rule's arguments by themselves, or with what it stands on.
use cotangent::{custom_derivative, derivative_rule};

#[custom_derivative]
fn none(x: f64) -> f64 {
    x
}

#[custom_derivative(backward = none, Actve, forward = (none, none), reverse = 3)]
fn unknown(x: f64) -> f64 {
    x
}

#[custom_derivative(inactive, forward = none, Const)]
fn both(x: f64) -> f64 {
    x
}

#[custom_derivative(Const, forward = none)]
fn too_few(x: f64, y: f64) -> f64 {
    x * y
}

#[custom_derivative(Duplicated, Active, reverse = none)]
fn by_value(x: f64) -> f64 {
    x
}

#[custom_derivative(inactive)]
struct Item;

trait Declared {
    #[custom_derivative(inactive)]
    fn declared(x: f64) -> f64;
}

derivative_rule! { none: fn(f64) -> f64 }

fn main() {}
