//! Functions that no derivative can be made of.

#![allow(unused)]

use cotangent::autodiff;

#[autodiff(Reverse, Active, Active)]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[autodiff(Reverse, Active, Active)]
const fn constant(x: f64) -> f64 {
    x
}

#[autodiff(Reverse, Active, Active)]
unsafe extern "C" fn foreign(x: f64) -> f64 {
    x
}

trait Loss {
    #[autodiff(d_loss, Reverse, Const, Active, Active)]
    fn loss(&self, x: f64) -> f64;
}

#[autodiff(Reverse, Const, Const, Active, Active)]
fn impl_trait(f: impl Fn(f64) -> f64, g: &impl Fn(f64) -> f64, x: f64) -> f64 {
    g(f(x))
}

#[autodiff(Reverse, Active, Const)]
fn impl_trait_returned(x: f64) -> impl Iterator<Item = f64> {
    Some(x).into_iter()
}

#[autodiff(Reverse, Active, Active)]
fn configured(#[cfg(all())] x: f64) -> f64 {
    x
}

#[autodiff(Reverse, Active)]
struct Point {
    x: f64,
}

#[autodiff(Forward, Dual, Reverse, Duplicatd)]
const fn all_at_once(x: i32, y: impl Copy) -> f64 {
    1.0
}

fn main() {}
