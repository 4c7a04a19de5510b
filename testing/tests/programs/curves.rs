//! Curves of `f32` points, nested and cloned: a vector lies where other variants have pairs of floats, of which LLVM moves it in halves.

use crate::assert_close;
use cotangent::{gradient, jvp};

#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

impl std::ops::Mul<f32> for Point {
    type Output = Point;
    fn mul(self, by: f32) -> Point {
        Point { x: self.x * by, y: self.y * by }
    }
}

#[derive(Clone)]
enum Curve {
    Line(Point, Point),
    Bent(Point, Point, Point),
    Arc { center: Point, radius: f32, angles: (f32, f32) },
    Joined(Vec<Curve>),
}

impl Curve {
    fn at(&self, t: f32) -> Point {
        match self {
            Curve::Line(a, b) => *a * (1.0 - t) + *b * t,
            Curve::Bent(a, b, c) => *a * ((1.0 - t) * (1.0 - t)) + *b * (2.0 * (1.0 - t) * t) + *c * (t * t),
            Curve::Arc { center, radius, angles } => {
                let angle = angles.0 + (angles.1 - angles.0) * t;
                *center + Point { x: angle.cos(), y: angle.sin() } * *radius
            }
            Curve::Joined(curves) => {
                let along = t * curves.len() as f32;
                let index = (along as usize).min(curves.len() - 1);
                curves[index].at(along - index as f32)
            }
        }
    }

    fn length(&self, steps: usize) -> f32 {
        let points: Vec<Point> = (0..=steps).map(|i| self.at(i as f32 / steps as f32)).collect();
        points.windows(2).map(|w| ((w[1].x - w[0].x).powi(2) + (w[1].y - w[0].y).powi(2)).sqrt()).sum()
    }
}

fn whole(x: &[f64]) -> f64 {
    let point = |x: f64, y: f64| Point { x: x as f32, y: y as f32 };
    let joined = Curve::Joined(vec![
        Curve::Line(point(0.0, 0.0), point(x[0], 0.5)),
        Curve::Bent(point(x[0], 0.5), point(1.0, x[1]), point(2.0, 0.0)),
        Curve::Arc { center: point(2.5, 0.0), radius: x[2] as f32, angles: (3.0, x[1] as f32) },
    ]);
    let line = Curve::Line(point(0.0, x[1]), point(1.0, 0.0));
    let all = Curve::Joined(vec![joined.clone(), Curve::Joined(vec![joined, line])]);
    f64::from(all.length(12) + all.at(0.37).y * all.at(0.81).x)
}

/// Another one, so that neither has the functions that both call to itself.
fn ends(x: &[f64]) -> f64 {
    let line = Curve::Line(Point { x: x[0] as f32, y: 0.0 }, Point { x: 1.0, y: x[1] as f32 });
    let curves = Curve::Joined(vec![line; 2]).clone();
    f64::from(curves.at(0.0).x * curves.at(1.0).y)
}

#[test]
fn curves_of_clones_of_curves() {
    let x = [0.9, 0.7, 0.5];
    let gradient_there = gradient(whole, &x);
    for k in 0..3 {
        let along = [0, 1, 2].map(|i| f64::from(u8::from(i == k)));
        let at = |by: f64| whole(&[0, 1, 2].map(|i| x[i] + by * along[i]));
        let difference = (8.0 * (at(0.01) - at(-0.01)) - (at(0.02) - at(-0.02))) / 0.12;
        let tangent = jvp(whole, &x, &along).1;
        assert!((gradient_there[k] - difference).abs() < 2e-3, "{k}: {} {difference}", gradient_there[k]);
        assert!((tangent - difference).abs() < 2e-3, "{k}: {tangent} {difference}");
    }
    assert_close!(gradient(ends, &[2.0, 3.0]), [3.0, 2.0]);
}
