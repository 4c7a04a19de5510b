//! Mistakes in the attribute's arguments themselves.

#![allow(unused)]

use cotangent::autodiff;

#[autodiff]
fn nothing(x: f64) -> f64 {
    x
}

#[autodiff(Revers, Active, Active)]
fn misspelt_mode(x: f64) -> f64 {
    x
}

#[autodiff(gradient, Active, Active)]
fn no_mode(x: f64) -> f64 {
    x
}

#[autodiff(Reverse, Activ, Duplicate, Active)]
fn misspelt_activities(x: f64, y: &[f64]) -> f64 {
    x
}

#[autodiff(Reverse, &x, "Active", 3)]
fn other_tokens(x: f64, y: f64) -> f64 {
    x
}

#[autodiff(Reverse, , Active)]
fn empty_argument(x: f64) -> f64 {
    x
}

#[autodiff(Forward, 0, Dual, Dual)]
fn width_zero(x: f64) -> f64 {
    x
}

#[autodiff(Forward, 4096, Dual, Dual)]
fn width_too_large(x: f64) -> f64 {
    x
}

#[autodiff(Reverse, 4, Active, Active)]
fn width_in_reverse(x: f64) -> f64 {
    x
}

#[autodiff(Reverse, Active)]
fn too_few(x: f64, y: f64) -> f64 {
    x
}

#[autodiff(Reverse, Duplicated, Active, Active)]
fn too_many(x: &mut f64) {}

#[autodiff(Reverse, Const)]
fn none() {}

#[autodiff(d, Reverse, Active, Active)]
#[autodiff(d, Forward, Dual, Dual)]
#[autodiff(Reverse, Active, Active)]
#[autodiff(Forward, Dual, Dual)]
fn duplicate_names(x: f64) -> f64 {
    x
}

#[autodiff(own_name, Reverse, Active, Active)]
fn own_name(x: f64) -> f64 {
    x
}

fn main() {}
