//! Objects that come in a `Box` and are moved into an `Rc` or `Arc`, by a copy that knows no more of them than their size.

use crate::functional;
use cotangent::{gradient, jvp};
use std::rc::Rc;
use std::sync::Arc;

trait Force {
    fn at(&self, x: f64) -> f64;
}

/// Two floats in the place of one.
struct Spring {
    stiffness: f32,
    rest: f32,
}

/// Half of such a place is a float.
struct Switched {
    factors: [f32; 3],
    is_on: bool,
}

struct Named {
    name: String,
    weights: Vec<f64>,
    inner: Box<dyn Force>,
    count: u8,
    scale: f32,
}

/// Smaller than the widest float.
struct Small(f32, u8);

/// No float, and of a size that nothing divides.
struct Marks([u8; 5]);

struct Wide {
    power: u16,
    factor: f64,
    offset: Option<f64>,
    slope: f32,
}

impl Force for Spring {
    fn at(&self, x: f64) -> f64 {
        f64::from(self.stiffness) * (x - f64::from(self.rest))
    }
}

impl Force for Switched {
    fn at(&self, x: f64) -> f64 {
        if self.is_on { f64::from(self.factors[0] * self.factors[2]) * x + f64::from(self.factors[1]) } else { 0.0 }
    }
}

impl Force for Named {
    fn at(&self, x: f64) -> f64 {
        let all = self.inner.at(x) * self.weights.iter().sum::<f64>() * self.name.len() as f64;
        all + f64::from(self.count) * f64::from(self.scale)
    }
}

impl Force for Small {
    fn at(&self, x: f64) -> f64 {
        f64::from(self.0) * x * f64::from(self.1)
    }
}

impl Force for Marks {
    fn at(&self, x: f64) -> f64 {
        x * f64::from(self.0[4])
    }
}

impl Force for Wide {
    fn at(&self, x: f64) -> f64 {
        self.factor * x.powi(i32::from(self.power)) + self.offset.unwrap_or(1.0) * f64::from(self.slope)
    }
}

fn force(i: usize, v: f64) -> Box<dyn Force> {
    match i % 6 {
        0 => Box::new(Spring { stiffness: v as f32, rest: 0.25 }),
        1 => Box::new(Switched { factors: [v as f32, v as f32, 0.5], is_on: i < 9 }),
        2 => {
            let (name, inner) = ("abc".into(), force(i + 1, v));
            Box::new(Named { name, weights: vec![v, v * v], inner, count: 3, scale: v as f32 })
        }
        3 => Box::new(Small(v as f32, 7)),
        4 => Box::new(Marks([1, 2, 3, 4, 5])),
        _ => Box::new(Wide { power: 3, factor: v, offset: (i > 5).then_some(v * v), slope: v as f32 }),
    }
}

fn boxed(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Force>> = x.iter().enumerate().map(|(i, v)| force(i, *v)).collect();
    all.iter().zip(x).map(|(force, v)| force.at(v * 0.5) * force.at(1.0)).sum()
}

fn counted(x: &[f64]) -> f64 {
    let all: Vec<Rc<dyn Force>> = x.iter().enumerate().map(|(i, v)| Rc::from(force(i, *v))).collect();
    let again = all.clone();
    all.iter().zip(x).zip(&again).map(|((force, v), same)| force.at(v * 0.5) * same.at(1.0)).sum()
}

fn counted_by_threads(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        let force: Arc<dyn Force> = force(i, *v).into();
        sum += force.at(v * 0.5) * Arc::clone(&force).at(1.0);
    }
    sum
}

/// Numbers that are exact in an `f32`, with what is computed of them.
const POINT: [f64; 12] = [1.0, 2.0, 0.5, 0.25, 0.75, 1.5, 3.0, 1.25, 1.0, 1.0, 0.5, 0.5];

#[test]
fn objects_in_an_rc_have_the_derivatives_that_they_have_in_a_box() {
    let by_box = gradient(boxed, &POINT);
    assert!(by_box.iter().enumerate().all(|(i, slope)| *slope != 0.0 || i == 4));
    assert_eq!(gradient(counted, &POINT), by_box);
    assert_eq!(gradient(counted_by_threads, &POINT), by_box);
}

#[test]
fn objects_in_an_rc_have_the_tangents_that_they_have_in_a_box() {
    let by_box = gradient(boxed, &POINT);
    for (i, slope) in by_box.iter().enumerate() {
        let mut direction = [0.0; POINT.len()];
        direction[i] = 1.0;
        for (value, tangent) in [jvp(counted, &POINT, &direction), jvp(counted_by_threads, &POINT, &direction)] {
            assert_eq!((value, tangent), (boxed(&POINT), *slope), "{i}");
        }
    }
}

struct Line {
    slope: f64,
    label: String,
    mark: u8,
}

impl Force for Line {
    fn at(&self, x: f64) -> f64 {
        self.slope * x + self.label.len() as f64 * f64::from(self.mark)
    }
}

struct Curve(f64, Option<Box<dyn Force>>);

impl Force for Curve {
    fn at(&self, x: f64) -> f64 {
        self.0 * x * x + self.1.as_ref().map_or(0.0, |next| next.at(x).sin())
    }
}

fn wide(i: usize, v: f64) -> Box<dyn Force> {
    match i {
        0 => Box::new(Line { slope: v, label: "line".into(), mark: 2 }),
        _ => Box::new(Curve(v, Some(wide(i - 1, v * v)))),
    }
}

functional! {
    fn chains_of_objects_in_rcs(x: &[f64]) -> f64 {
        let all: Vec<Rc<dyn Force>> = x.iter().enumerate().map(|(i, v)| Rc::from(wide(i, *v))).collect();
        all.iter().zip(x).map(|(force, v)| force.at(v * 0.5)).sum()
    } at [1.0, 1.2, 0.5, 0.3];

    fn closures_in_rcs(x: &[f64]) -> f64 {
        let closure = |(i, v): (usize, &f64)| -> Rc<dyn Fn(f64) -> f64> {
            let (v, all) = (*v, vec![*v; i]);
            let boxed: Box<dyn Fn(f64) -> f64> = if i % 2 == 0 { Box::new(move |y| y * v) } else { Box::new(move |y| y.sin() + all.iter().sum::<f64>()) };
            Rc::from(boxed)
        };
        let all: Vec<_> = x.iter().enumerate().map(closure).collect();
        all.iter().map(|f| f(2.0) * f(x[0])).sum()
    } at [1.0, 2.0, 0.5, 0.25];
}
