//! Activities that do not fit the mode or the type.

#![allow(unused)]

use cotangent::autodiff;

#[autodiff(Reverse, Dual, DualOnly, Dualv, ActiveOnly, Dual)]
fn forward_activities_in_reverse(x: f64, y: &f64, z: &[f64], w: f64) -> f64 {
    x
}

#[autodiff(Reverse, Active, Duplicated, DuplicatedOnly, Duplicated, Active, Duplicated)]
fn misfits_in_reverse(x: &[f64], y: f64, z: [f64; 2], label: &str, model: &dyn Fn(f64) -> f64) -> f64 {
    y
}

#[autodiff(Forward, Active, ActiveOnly, Dualv, ActiveOnly)]
fn misfits_in_forward(x: &f64, y: f64, z: &[f64]) -> f64 {
    y
}

#[autodiff(Forward, 2, Dualv, Dualv, Dualv)]
fn lanes_without_slices(x: f64, y: &f64) -> f64 {
    x
}

#[autodiff(Reverse, Const, DuplicatedOnly)]
fn return_of_parameters(x: f64) -> f64 {
    x
}

#[autodiff(Forward, Dual, Dual)]
fn unsized_generic<T: ?Sized + AsRef<f64>>(x: &T) -> f64 {
    *x.as_ref()
}

fn main() {}
