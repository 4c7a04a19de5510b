//! What methods of objects, boxed closures and function pointers hand back: pairs and records of which one implementation computes what another has as a
//! constant, and what is moved out of the object itself, whose layout is another in each implementation.

use crate::functional;
use std::sync::atomic::{AtomicUsize, Ordering};

static WEIGHTS: [f64; 3] = [1.0, 2.0, 3.0];

/// Not constant, for what is counted beside the weights: adjoints could be added there.
struct Counted {
    weights: [f64; 3],
    uses: AtomicUsize,
}

static COUNTED: Counted = Counted { weights: [1.0, 2.0, 3.0], uses: AtomicUsize::new(0) };

trait Slice {
    fn slice(&self) -> &[f64];
}

struct OfStatic;
struct OfCounted;
struct Own(Vec<f64>);
struct Part<'a>(&'a [f64], usize);

impl Slice for OfStatic {
    fn slice(&self) -> &[f64] {
        &WEIGHTS
    }
}

impl Slice for OfCounted {
    fn slice(&self) -> &[f64] {
        &COUNTED.weights
    }
}

impl Slice for Own {
    fn slice(&self) -> &[f64] {
        &self.0
    }
}

impl Slice for Part<'_> {
    fn slice(&self) -> &[f64] {
        &self.0[..self.1]
    }
}

fn slice_of(i: usize, x: &[f64]) -> Box<dyn Slice + '_> {
    match i % 4 {
        0 => Box::new(OfStatic),
        1 => Box::new(Own(x.to_vec())),
        2 => Box::new(OfCounted),
        _ => Box::new(Part(x, 2)),
    }
}

/// Of a captured constant and of the inputs.
fn slices_of_both(x: &[f64], k: &[f64]) -> f64 {
    let all: Vec<Box<dyn Slice>> = vec![Box::new(Part(k, 3)), Box::new(Part(x, 2))];
    (0..9).map(|i| all[i % 2].slice().iter().map(|v| v * v * x[0]).sum::<f64>()).sum()
}

trait Pair {
    fn pair(&self) -> (f64, &f64);
}

struct Twice(f64);
struct Once(f64);

impl Pair for Twice {
    fn pair(&self) -> (f64, &f64) {
        (self.0, &self.0)
    }
}

impl Pair for Once {
    fn pair(&self) -> (f64, &f64) {
        (2.0, &self.0)
    }
}

fn pair_of(i: usize, v: f64) -> Box<dyn Pair> {
    if i % 2 == 0 { Box::new(Twice(v)) } else { Box::new(Once(v)) }
}

type Numbers<'a> = Box<dyn Iterator<Item = (f64, &'a f64)> + 'a>;

fn numbers(i: usize, x: &[f64]) -> Numbers<'_> {
    if i % 2 == 0 { Box::new(x.iter().map(|v| (1.5, v))) } else { Box::new(x.iter().map(|v| (v * v, v))) }
}

fn square(v: f64) -> f64 {
    v * v
}

fn cube(v: f64) -> f64 {
    v * v * v
}

type Chooses = Box<dyn Fn(f64) -> (f64, fn(f64) -> f64)>;

trait Opened {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>);
    fn count(self: Box<Self>) -> (usize, Vec<f64>);
    fn kind(self: Box<Self>) -> (Kind, f64);
    fn perhaps(self: Box<Self>) -> Option<(Vec<f64>, f64)>;
}

enum Kind {
    Row(Row),
    Spot(Spot),
}

struct Row(f64, Vec<f64>);
struct Spot([f64; 2], usize);

impl Opened for Row {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>) {
        (1.0, self.1)
    }
    fn count(self: Box<Self>) -> (usize, Vec<f64>) {
        (1, self.1)
    }
    fn kind(self: Box<Self>) -> (Kind, f64) {
        let first = self.0;
        (Kind::Row(*self), first)
    }
    fn perhaps(self: Box<Self>) -> Option<(Vec<f64>, f64)> {
        Some((self.1, 1.0))
    }
}

impl Opened for Spot {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>) {
        (2.0, vec![self.0[1]])
    }
    fn count(self: Box<Self>) -> (usize, Vec<f64>) {
        (self.1, self.0.to_vec())
    }
    fn kind(self: Box<Self>) -> (Kind, f64) {
        (Kind::Spot(*self), 2.0)
    }
    fn perhaps(self: Box<Self>) -> Option<(Vec<f64>, f64)> {
        (self.1 % 4 == 1).then(|| (self.0.to_vec(), self.0[0]))
    }
}

fn opened(i: usize, x: &[f64]) -> Box<dyn Opened> {
    let v = x[i % x.len()];
    if i % 2 == 0 { Box::new(Row(v, x.to_vec())) } else { Box::new(Spot([v, x[0]], i)) }
}

trait Bare {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>);
}

impl Bare for Vec<f64> {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>) {
        (1.0, *self)
    }
}

impl Bare for f64 {
    fn pair(self: Box<Self>) -> (f64, Vec<f64>) {
        (2.0, vec![])
    }
}

type Rows<'a> = Box<dyn Iterator<Item = Vec<f64>> + 'a>;

fn rows(i: usize, x: &[f64]) -> Rows<'_> {
    let (mut row, mut step) = (Some(x.to_vec()), x[0]);
    match i % 2 {
        0 => Box::new(std::iter::from_fn(move || row.take())),
        _ => Box::new(std::iter::from_fn(move || {
            step *= 0.5;
            (step > 0.1).then(|| vec![step, 1.0])
        })),
    }
}

type Numbered<'a> = Box<dyn Iterator<Item = (usize, f64)> + 'a>;

fn numbered(i: usize, x: &[f64]) -> Numbered<'_> {
    if i % 2 == 0 { Box::new(std::iter::once((2, x[0]))) } else { Box::new(x.iter().copied().enumerate()) }
}

type Makes = Box<dyn FnOnce() -> (f64, Option<Vec<f64>>)>;

fn makes(i: usize, v: f64) -> Makes {
    let row = vec![v, v * v];
    if i % 2 == 0 { Box::new(move || (v, Some(row))) } else { Box::new(move || (row[1], None)) }
}

functional! {
    fn slices_of_statics_beside_owned_ones(x: &[f64]) -> f64 {
        (0..8).map(|i| slice_of(i, x).slice().iter().map(|v| v * v * x[0]).sum::<f64>()).sum()
    } at [0.31, -0.22, 0.55], [0.73, 1.15];

    fn slices_of_captured_constants_beside_inputs(x: &[f64]) -> f64 {
        slices_of_both(x, &[1.0, 2.0, 3.0]) + slices_of_both(x, &WEIGHTS)
    } at [0.31, -0.22, 0.55];

    fn constants_beside_references(x: &[f64]) -> f64 {
        let sum = |i: usize| { let all = pair_of(i, x[i % 3]); let (a, b) = all.pair(); a * b };
        (0..7).map(sum).sum()
    } at [0.31, -0.22, 0.55];

    fn constants_beside_references_of_iterators(x: &[f64]) -> f64 {
        (0..5).map(|i| numbers(i, x).map(|(a, b)| a * b.sin()).sum::<f64>() * x[i % 3]).sum()
    } at [0.31, -0.22, 0.55];

    fn constants_beside_functions(x: &[f64]) -> f64 {
        let all: Vec<Chooses> = vec![Box::new(|v| (v, square)), Box::new(|_| (2.0, cube))];
        let one = |i: usize| { let (v, f) = all[i % 2](x[i % 3]); f(v) * x[1] };
        (0..12).map(one).sum::<f64>() + x[2]
    } at [0.31, -0.22, 0.55];

    fn vectors_moved_out_of_objects(x: &[f64]) -> f64 {
        let mut all = Vec::new();
        for i in 0..5 {
            let (scale, row) = opened(i, x).pair();
            all.push(scale * x[1]);
            all.extend(row);
        }
        all.iter().enumerate().map(|(i, v)| v.sin() * (i % 4) as f64).sum()
    } at [0.31, -0.22, 0.55];

    fn vectors_that_are_objects_themselves(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            let one: Box<dyn Bare> = if i == 0 { Box::new(x.to_vec()) } else { Box::new(x[0]) };
            let mut all = vec![];
            all.extend(one.pair().1);
            sum += all.iter().map(|v| v.sin()).sum::<f64>();
        }
        sum
    } at [0.31, -0.22, 0.55];

    fn counts_and_vectors_moved_out_of_objects(x: &[f64]) -> f64 {
        let one = |i: usize| { let (count, row) = opened(i, x).count(); row[row.len() - 1].sin() * count as f64 };
        (0..6).map(one).sum()
    } at [0.31, -0.22, 0.55];

    fn objects_moved_into_variants(x: &[f64]) -> f64 {
        let one = |i: usize| {
            let (kind, factor) = opened(i, x).kind();
            factor * match kind {
                Kind::Row(row) => row.0 * row.1.iter().sum::<f64>(),
                Kind::Spot(spot) => spot.0[0] * spot.0[1] * spot.1 as f64,
            }
        };
        (0..9).map(one).sum()
    } at [0.31, -0.22, 0.55], [0.73, 1.15, 0.44, -0.66];

    fn parts_of_objects_that_may_be_missing(x: &[f64]) -> f64 {
        let value = |(row, factor): (Vec<f64>, f64)| row.iter().map(|v| v.sin()).sum::<f64>() + factor;
        (0..8).map(|i| opened(i, x).perhaps().map_or(x[1], value) * x[i % 3]).sum()
    } at [0.31, -0.22, 0.55];

    fn vectors_that_iterators_give_away(x: &[f64]) -> f64 {
        let mut all = vec![];
        for i in 0..7 {
            for row in rows(i, x) {
                all.extend(row);
                all.push(x[i % 3]);
            }
        }
        all.iter().enumerate().map(|(i, v)| v.sin() * (i % 4) as f64).sum()
    } at [0.31, -0.22, 0.55];

    fn numbered_items_of_boxed_iterators(x: &[f64]) -> f64 {
        let item = |i: usize| move |(number, v): (usize, f64)| number as f64 * v * x[i % 3];
        (0..7).flat_map(|i| numbered(i, x).map(item(i))).map(|v| v.sin()).sum()
    } at [0.31, -0.22, 0.55];

    fn what_closures_that_are_called_once_give_away(x: &[f64]) -> f64 {
        let mut sum = x[1];
        for (i, v) in x.iter().enumerate() {
            let (first, row) = makes(i, *v)();
            sum += first + row.map_or(0.0, |row| row[0].sin() + row[1]);
        }
        sum
    } at [0.31, -0.22, 0.55];
}

#[test]
fn no_adjoints_are_added_to_statics() {
    let weighed = |x: &[f64]| (0..8).map(|i| slice_of(i, x).slice()[i % 2] * x[i % 3]).sum::<f64>();
    COUNTED.uses.fetch_add(1, Ordering::Relaxed);
    cotangent::gradient(weighed, &[0.31, -0.22, 0.55]);
    assert_eq!(COUNTED.weights, [1.0, 2.0, 3.0]);
}
