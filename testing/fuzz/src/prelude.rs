//! The part of every generated crate that is not random: types and functions that the random ones use, and the check.
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Length of the argument.
pub const N: usize = 6;

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

/// What is differentiated.
pub struct Case {
    pub name: &'static str,
    pub value: fn(&[f64]) -> f64,
    pub reverse: fn(&[f64], &mut [f64], f64) -> f64,
    pub forward: fn(&[f64], &[f64]) -> (f64, f64),
}

/// Differences of fourth order along a direction.
fn difference(f: fn(&[f64]) -> f64, x: &[f64], u: &[f64], h: f64) -> f64 {
    let at = |t: f64| f(&x.iter().zip(u).map(|(x, u)| x + t * u).collect::<Vec<f64>>());
    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())) || !(a.is_finite() || b.is_finite())
}

/// Says what is wrong with a case, at three points.
pub fn check(case: &Case) -> Result<(), String> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2f64.powi(30) - 1.0
    };
    let (mut unlike, mut points) = (Vec::new(), 0);
    for _ in 0..3 {
        let x: Vec<f64> = (0..N).map(|_| noise()).collect();
        let u: Vec<f64> = (0..N).map(|_| noise()).collect();
        let value = (case.value)(&x);
        if !value.is_finite() {
            continue;
        }
        points += 1;
        let mut gradient = vec![0.0; N];
        let again = (case.reverse)(&x, &mut gradient, 1.0);
        let (forward_value, tangent) = (case.forward)(&x, &u);
        if !close(value, again, 1e-12) || !close(value, forward_value, 1e-12) {
            return Err(format!("value {value}, by reverse {again}, by forward {forward_value}, at {x:?}"));
        }
        let along: f64 = gradient.iter().zip(&u).map(|(g, u)| g * u).sum();
        if !close(along, tangent, 1e-9) {
            return Err(format!("reverse {along} and forward {tangent} along {u:?} at {x:?}"));
        }
        // The gradient is added to what is there, and scales with the seed.
        let mut more: Vec<f64> = gradient.iter().map(|g| 0.5 - g).collect();
        (case.reverse)(&x, &mut more, 1.0);
        if more.iter().zip(&gradient).any(|(m, g)| !close(*m, 0.5, 1e-9 * (1.0 + g.abs()))) {
            return Err(format!("a second gradient is another one at {x:?}"));
        }
        let steps = [1e-3, 1e-4, 1e-5].map(|h| difference(case.value, &x, &u, h));
        if !steps.iter().any(|d| close(*d, tangent, 1e-6)) {
            unlike.push(format!("derivative {tangent}, differences {steps:?} along {u:?} at {x:?}"));
        }
    }
    // One point may lie at a jump.
    if unlike.len() > 1 || unlike.len() == points && points > 0 { Err(unlike.swap_remove(0)) } else { Ok(()) }
}
