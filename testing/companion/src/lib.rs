//! A library whose functions have rules, most of them wrong by a factor on purpose, so that a derivative shows whether it went through
//! the rule.

use cotangent::{FloatData, autodiff, custom_derivative, derivative, derivative_rule, gradient};
use std::ops::{Add, Mul};

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

/// What a polynomial's coefficients are: `f64` or `f32`.
pub trait Number: Copy + Default + Mul<Output = Self> + Add<Output = Self> + FloatData + Sync + 'static {
    /// A small whole number.
    fn whole(number: u8) -> Self;
}

impl Number for f64 {
    fn whole(number: u8) -> f64 {
        f64::from(number)
    }
}

impl Number for f32 {
    fn whole(number: u8) -> f32 {
        f32::from(number)
    }
}

/// A polynomial, by rising powers. The rules of its methods say three times the derivative.
pub struct Polynomial<T, const N: usize> {
    /// Its coefficients.
    pub coefficients: [T; N],
}

impl<T: Number, const N: usize> Polynomial<T, N> {
    /// The value at a point, of which the derivative is taken.
    #[custom_derivative(Const, Active, Active, forward = Self::at_jvp, reverse = Self::at_vjp)]
    pub fn at(&self, x: T) -> T {
        self.coefficients.iter().rev().fold(T::default(), |sum, c| sum * x + *c)
    }

    fn slope(&self, x: T) -> T {
        let terms = (1..N).rev().map(|i| self.coefficients[i] * T::whole(i as u8));
        T::whole(3) * terms.fold(T::default(), |sum, term| sum * x + term)
    }

    fn at_jvp(&self, x: T, dx: T) -> (T, T) {
        (self.at(x), self.slope(x) * dx)
    }

    fn at_vjp(&self, x: T, dret: T) -> T {
        self.slope(x) * dret
    }

    /// The same with a derivative by the coefficients, too, whose tape is on the heap.
    #[custom_derivative(reverse = (Self::of_augmented, Self::of_pullback))]
    pub fn of(coefficients: [T; N], x: T) -> T {
        Polynomial { coefficients }.at(x)
    }

    fn of_augmented(coefficients: [T; N], x: T) -> (T, Box<[T]>) {
        let powers = (0..N).scan(T::whole(1), |power, _| {
            let own = *power;
            *power = own * x;
            Some(own)
        });
        (Polynomial { coefficients }.at(x), powers.collect())
    }

    #[allow(clippy::boxed_local, reason = "the tape, as it was made")]
    fn of_pullback(powers: Box<[T]>, coefficients: [T; N], x: T, dret: T) -> ([T; N], T) {
        let by_coefficients = std::array::from_fn(|i| T::whole(3) * powers[i] * dret);
        (by_coefficients, Polynomial { coefficients }.slope(x) * dret)
    }
}

/// The integral of any function: the derivative by its bounds is the function there.
#[custom_derivative(Const, Active, Active, Active, forward = integral_jvp::<F>, reverse = integral_vjp::<F>)]
pub fn integral<F: Fn(f64) -> f64 + Sync>(f: &F, from: f64, to: f64) -> f64 {
    (0..100).map(|i| f(from + (f64::from(i) + 0.5) * (to - from) / 100.0)).sum::<f64>() * (to - from) / 100.0
}

fn integral_jvp<F: Fn(f64) -> f64 + Sync>(f: &F, from: f64, dfrom: f64, to: f64, dto: f64) -> (f64, f64) {
    (integral(f, from, to), f(to) * dto - f(from) * dfrom)
}

fn integral_vjp<F: Fn(f64) -> f64 + Sync>(f: &F, from: f64, to: f64, dret: f64) -> (f64, f64) {
    (-f(from) * dret, f(to) * dret)
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
