//! A library whose functions have rules, most of them wrong by a factor on purpose, so that a derivative shows whether it went through
//! the rule.

use cotangent::{autodiff, custom_derivative, derivative, derivative_rule, gradient};

/// The sum of squares; the rule says ten times the derivative.
#[custom_derivative(forward = energy_jvp, reverse = energy_vjp)]
pub fn energy(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn energy_jvp(x: &[f64], dx: &[f64]) -> (f64, f64) {
    (energy(x), x.iter().zip(dx).map(|(x, d)| 20.0 * x * d).sum())
}

fn energy_vjp(x: &[f64], dx: &mut [f64], dret: f64) {
    x.iter().zip(dx).for_each(|(x, d)| *d += 20.0 * x * dret);
}

/// As [`energy`], and small enough to be inlined.
#[inline]
#[custom_derivative(forward = tiny_jvp, reverse = tiny_vjp)]
pub fn tiny(x: f64) -> f64 {
    x * x
}

#[inline]
fn tiny_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, 20.0 * x * dx)
}

#[inline]
fn tiny_vjp(x: f64, dret: f64) -> f64 {
    20.0 * x * dret
}

/// Never inlined.
#[inline(never)]
#[custom_derivative(reverse = (apart_augmented, apart_pullback), forward = tiny_jvp)]
pub fn apart(x: f64) -> f64 {
    x * x
}

fn apart_augmented(x: f64) -> (f64, Vec<f64>) {
    (x * x, vec![20.0 * x])
}

fn apart_pullback(tape: Vec<f64>, _x: f64, dret: f64) -> f64 {
    tape[0] * dret
}

/// Calls functions with rules, itself without.
pub fn through(x: &[f64]) -> f64 {
    energy(x) * tiny(x[0]) + apart(x[1])
}

/// Generic: made in the crate that uses it.
#[custom_derivative(reverse = sum_vjp, forward = sum_jvp)]
pub fn sum<T: Copy + Into<f64> + From<f32> + std::ops::AddAssign, const N: usize>(x: &[T; N], by: T) -> f64 {
    x.iter().map(|v| (*v).into()).sum::<f64>() * by.into()
}

fn sum_jvp<T: Copy + Into<f64> + From<f32> + std::ops::AddAssign, const N: usize>(
    x: &[T; N],
    dx: &[T; N],
    by: T,
    dby: T,
) -> (f64, f64) {
    let (sum, slope) = x.iter().zip(dx).fold((0.0, 0.0), |(s, d), (x, dx)| (s + (*x).into(), d + (*dx).into()));
    (sum * by.into(), 10.0 * (slope * by.into() + sum * dby.into()))
}

fn sum_vjp<T: Copy + Into<f64> + From<f32> + std::ops::AddAssign, const N: usize>(
    x: &[T; N],
    dx: &mut [T; N],
    _by: T,
    dret: f64,
) -> T {
    // Ten times the derivative by the factor only.
    dx.iter_mut().for_each(|d| *d += T::from(dret as f32));
    T::from((10.0 * dret * x.iter().map(|v| (*v).into()).sum::<f64>()) as f32)
}

/// Something with an energy.
pub trait Field {
    /// The energy at a point.
    fn at(&self, x: f64) -> f64;
}

/// A spring.
pub struct Spring {
    /// Its stiffness.
    pub stiffness: f64,
}

impl Field for Spring {
    #[custom_derivative(Const, Active, Active, forward = Spring::at_jvp, reverse = Spring::at_vjp)]
    fn at(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }
}

impl Spring {
    fn at_jvp(&self, x: f64, dx: f64) -> (f64, f64) {
        (self.at(x), 20.0 * self.stiffness * x * dx)
    }

    fn at_vjp(&self, x: f64, dret: f64) -> f64 {
        20.0 * self.stiffness * x * dret
    }
}

/// Without a rule here: whoever uses it gives it one.
pub fn bare(x: &[f64], power: i32) -> f64 {
    x.iter().map(|v| v.powi(power)).sum()
}

/// Calls [`bare`].
pub fn around_bare(x: &[f64]) -> f64 {
    2.0 * bare(x, 3)
}

/// Without a rule at its place, and generic.
pub fn bare_generic<T: Copy + std::ops::Mul<Output = T>>(x: T) -> T {
    x * x
}

/// Says that a function of the standard library, called in this crate or another, has ten times its derivative.
mod ruled {
    use super::derivative_rule;

    derivative_rule! { super::vendored: fn(f64) -> f64, forward = jvp, reverse = vjp }

    fn jvp(x: f64, dx: f64) -> (f64, f64) {
        (super::vendored(x), 10.0 * dx)
    }

    fn vjp(_x: f64, dret: f64) -> f64 {
        10.0 * dret
    }
}

/// Has its rule from a `derivative_rule!` of this crate.
#[inline(never)]
pub fn vendored(x: f64) -> f64 {
    x + 1.0
}

/// A derivative that this crate asks for.
#[autodiff(d_through, Reverse, Duplicated, Active)]
pub fn own(x: &[f64]) -> f64 {
    through(x) + vendored(x[0])
}

/// Another one.
pub fn own_gradient(x: &[f64]) -> Vec<f64> {
    gradient(own, x)
}

/// Descends to a minimum of a function of whoever calls.
pub fn minimum(f: impl Fn(&[f64]) -> f64, start: &[f64]) -> Vec<f64> {
    let mut x = start.to_vec();
    for _ in 0..200 {
        let g = gradient(&f, &x);
        x.iter_mut().zip(&g).for_each(|(x, g)| *x -= 0.2 * g);
    }
    x
}

/// The second derivative of a function of whoever calls.
pub fn curvature<T: cotangent::Real>(f: impl Fn(T) -> T, x: T) -> T {
    derivative(|t| derivative(&f, t), x)
}

/// A method that may pass derivatives on.
pub trait Kernel {
    /// Writes to `y` what it makes of `x`.
    fn into(&self, x: &[f64], y: &mut [f64]);
}

struct Squares;

impl Kernel for Squares {
    fn into(&self, x: &[f64], y: &mut [f64]) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x);
    }
}

/// An object whose methods only this crate knows.
#[inline(never)]
pub fn kernel() -> Box<dyn Kernel> {
    Box::new(Squares)
}
