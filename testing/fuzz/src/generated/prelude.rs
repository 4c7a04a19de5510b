//! Types and functions that random functions use.
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

pub use crate::check::N;

pub fn bounded(x: f64) -> f64 {
    2.0 * x / (1.0 + x * x).sqrt()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    pub position: [f64; 3],
    pub charge: f32,
    pub kind: u8,
    pub mass: f64,
}

impl Particle {
    pub fn new(mass: f64, kind: u8) -> Particle {
        Particle { position: [mass, 0.5, -0.25 * mass], charge: 0.5, kind, mass }
    }

    pub fn step(&mut self, by: f64) -> &mut Particle {
        for (k, p) in self.position.iter_mut().enumerate() {
            *p += by * (k as f64 + 1.0) / (1.5 + self.mass * self.mass);
        }
        self.kind = self.kind.wrapping_add(1);
        self
    }

    pub fn energy(&self) -> f64 {
        self.mass * self.position.iter().map(|p| p * p).sum::<f64>() + f64::from(self.charge) * f64::from(self.kind % 4)
    }
}

#[derive(Clone, Debug)]
pub enum Shape {
    Point,
    Circle(f64),
    Box { sides: [f64; 2], turned: bool },
}

impl Shape {
    pub fn area(&self) -> f64 {
        match self {
            Shape::Point => 0.0,
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Box { sides: [a, b], turned } => if *turned { a * b } else { b - a * a },
        }
    }

    pub fn grow(self, by: f64) -> Shape {
        match self {
            Shape::Circle(r) if r < by => Shape::Box { sides: [r, by], turned: r > 0.5 },
            Shape::Circle(r) => Shape::Circle(r + by),
            other => other,
        }
    }
}

/// Floats lie behind pointers only.
#[derive(Clone, Debug)]
pub enum Curve {
    Path(Vec<f64>),
    Both(Box<Curve>, Box<Curve>),
}

impl Curve {
    pub fn length(&self) -> f64 {
        match self {
            Curve::Path(points) => points.windows(2).map(|w| w[0] * w[1]).sum(),
            Curve::Both(a, b) => a.length() - 0.5 * b.length() * b.length(),
        }
    }

    pub fn grow(self, by: f64) -> Curve {
        match self {
            Curve::Path(mut points) => {
                points.push(by);
                Curve::Path(points)
            }
            Curve::Both(a, b) => Curve::Both(b, a),
        }
    }
}

pub trait Term {
    fn at(&self, t: f64) -> f64;
    fn twice(&self, t: f64) -> f64 {
        self.at(self.at(t))
    }
}

pub struct Linear(pub f64, pub f64);
pub struct Wave {
    pub frequency: f64,
}

impl Term for Linear {
    fn at(&self, t: f64) -> f64 {
        self.0 * t + self.1
    }
}

impl Term for Wave {
    fn at(&self, t: f64) -> f64 {
        (self.frequency * t).sin()
    }
}

pub fn chain(x: f64, depth: usize) -> f64 {
    if depth == 0 { x.sin() } else { 0.5 * x + chain(x * 0.75, depth - 1) * chain(x - 0.5, depth / 2) }
}

pub fn halves(v: &[f64]) -> f64 {
    match v {
        [] => 0.5,
        [one] => one.cos(),
        [first, .., last] if v.len() > 4 => {
            let (a, b) = v.split_at(v.len() / 2);
            halves(a) * halves(b) + 0.25 * first * last
        }
        _ => v.iter().sum::<f64>() * 0.5,
    }
}

#[inline(never)]
pub fn apply(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x) + f(0.5 * x)
}

pub fn through<F: FnOnce(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x)
}

#[inline(never)]
pub fn maybe(x: f64) -> Option<f64> {
    if x > 0.1 { Some(x.sqrt()) } else { None }
}

#[inline(never)]
pub fn checked(x: f64, n: usize) -> Result<f64, String> {
    if n % 5 == 4 { Err(format!("{n} is not good")) } else { Ok(x * (n as f64 + 0.5)) }
}

pub fn both(x: f64, n: usize) -> Result<f64, String> {
    let a = checked(x, n)?;
    Ok(a + checked(a.sin(), n + 1)?)
}

pub fn smooth(v: &mut [f64], by: f64) {
    for i in 1..v.len().saturating_sub(1) {
        v[i] = (1.0 - by * by / (1.0 + by * by)) * v[i] + 0.25 * (v[i - 1] + v[i + 1]);
    }
}

#[inline(never)]
pub fn split(x: f64) -> (f64, [f64; 2]) {
    (x * x, [x.sin(), 0.5 * x])
}

pub fn make(n: usize, scale: f64) -> Vec<f64> {
    (0..n).map(|i| scale * (i as f64 + 0.5).sin()).collect()
}
