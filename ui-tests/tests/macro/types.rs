//! By-value types that are not plain data of floats.

#![allow(unused)]

use cotangent::autodiff;

struct Owner {
    data: Vec<f64>,
}

struct Borrower<'a> {
    data: &'a f64,
}

#[autodiff(Reverse, Active, Active, Active, Active, Active)]
fn visible(count: usize, data: Vec<f64>, pair: (f64, [i32; 2]), text: Option<f64>) -> bool {
    true
}

#[autodiff(Forward, Dual, Dual)]
fn pointer(p: *const f64) -> &'static f64 {
    unsafe { &*p }
}

#[autodiff(Reverse, Duplicated, Active)]
fn reference(x: &[f64]) -> &f64 {
    &x[0]
}

#[autodiff(Reverse, Active, Const)]
fn owner(owner: Owner) -> f64 {
    owner.data[0]
}

#[autodiff(Forward, Dual, Const)]
fn borrower(borrower: Borrower<'static>) -> f64 {
    *borrower.data
}

#[autodiff(Reverse, Duplicated, Duplicated, Duplicated, Active)]
fn counts(x: &[f64], order: &[u32], flags: &mut (bool, [usize; 2])) -> f64 {
    x[order[flags.1[0]] as usize]
}

/// Reverse mode would write through the inner references; Forward reads.
#[autodiff(Reverse, Duplicated, Duplicated, Duplicated, Active)]
#[autodiff(forward, Forward, Dual, Dual, Dual, Dual)]
fn rows(x: &[&[f64]], y: &(f64, Option<&f32>), z: &Vec<(&str, &mut f64, &std::cell::Cell<f64>)>) -> f64 {
    x[0][0]
}

fn main() {}
