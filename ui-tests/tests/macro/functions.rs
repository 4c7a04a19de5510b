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

#[autodiff(Reverse, Active, Active)]
fn sometimes(x: f64, #[cfg(all())] y: f64, #[cfg(not(all()))] z: f32) -> f64 {
    x * y
}

trait Model {
    fn loss(&self, x: &[f64]) -> f64;
    fn penalty(&self, x: f64) -> f64;
    fn d_penalty(&self, x: f64, seed: f64) -> (f64, f64);
}

/// What the trait does not have cannot stand in its implementation; what it has can.
impl Model for f64 {
    #[autodiff(d_loss, Reverse, Const, Duplicated, Active)]
    fn loss(&self, x: &[f64]) -> f64 {
        self * x[0]
    }

    #[autodiff(Reverse, Const, Active, Active)]
    fn penalty(&self, x: f64) -> f64 {
        self * x
    }
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
