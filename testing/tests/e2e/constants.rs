//! Structures of constants, made by functions that know nothing of the arguments, into which what depends on them is written later: all of their memory
//! has shadows of its own.

use crate::functional;
use std::collections::BTreeMap;

struct Tree {
    value: f64,
    children: Vec<Tree>,
}

impl Tree {
    #[inline(never)]
    fn grow(v: &[f64], depth: usize) -> Tree {
        let children = if depth == 0 { Vec::new() } else { v.chunks(2).map(|c| Tree::grow(c, depth - 1)).collect() };
        Tree { value: v.iter().sum(), children }
    }

    /// Of zeros only: nothing shows that there are floats.
    #[inline(never)]
    fn zeros(depth: usize) -> Tree {
        let children = (0..depth).map(|_| Tree::zeros(depth - 1)).collect();
        Tree { value: 0.0, children }
    }

    fn fold(&self) -> f64 {
        self.children.iter().fold(self.value, |s, child| (s * child.fold() + 0.25 * child.value).sin())
    }

    fn scale(&mut self, by: f64) {
        self.value *= by;
        self.children.iter_mut().for_each(|child| child.scale(by * 0.5));
    }

    fn add(&mut self, what: f64) {
        self.value += what;
        self.children.iter_mut().for_each(|child| child.add(what * 0.5));
    }
}

struct Layer {
    weights: Vec<f64>,
    bias: Box<[f64]>,
}

#[inline(never)]
fn zero_weights(n: usize) -> Vec<f64> {
    vec![0.0; n]
}

#[inline(never)]
fn zero_layer(n: usize) -> Layer {
    Layer { weights: zero_weights(n), bias: zero_weights(n).into_boxed_slice() }
}

#[inline(never)]
fn zero_layers(n: usize) -> Vec<Layer> {
    let mut layers = Vec::new();
    for size in 1..=n {
        layers.push(zero_layer(size));
    }
    layers
}

#[inline(never)]
fn table(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| if i == 0 { zero_weights(n) } else { (0..n).map(|j| (i * j) as f64).collect() }).collect()
}

/// The copy's floats are moved as words.
#[inline(never)]
fn shared(n: usize) -> std::rc::Rc<[f64]> {
    let all: Vec<f64> = (0..n).map(|i| i as f64).collect();
    std::rc::Rc::from(all)
}

struct Holder {
    name: String,
    of: Option<Box<Holder>>,
    values: std::rc::Rc<[f64]>,
}

#[inline(never)]
fn holder(depth: usize) -> Holder {
    let of = if depth == 0 { None } else { Some(Box::new(holder(depth - 1))) };
    Holder { name: format!("holder {depth}"), of, values: shared(depth + 1) }
}

fn fill(h: &mut Holder, x: f64) {
    if let Some(values) = std::rc::Rc::get_mut(&mut h.values) {
        values.iter_mut().for_each(|v| *v += x * h.name.len() as f64);
    }
    if let Some(of) = &mut h.of {
        fill(of, x * x);
    }
}

fn sum(h: &Holder) -> f64 {
    h.values.iter().map(|v| v.sin()).sum::<f64>() + h.of.as_ref().map_or(0.0, |of| 2.0 * sum(of))
}

#[inline(never)]
fn a_box(value: f64) -> Box<f64> {
    Box::new(value)
}

#[inline(never)]
fn maybe(n: usize) -> Option<Box<[f64]>> {
    (n > 1).then(|| vec![0.0; n].into_boxed_slice())
}

#[inline(never)]
fn named(n: usize) -> (String, Vec<f64>, usize) {
    (format!("{n} numbers"), (0..n).map(|i| 1.0 / (i + 1) as f64).collect(), n)
}

#[inline(never)]
fn counts(n: usize) -> BTreeMap<usize, f64> {
    (0..n).map(|i| (i * i, 1.0)).collect()
}

trait Model {
    fn set(&mut self, x: f64);
    fn at(&self, t: f64) -> f64;
}

struct Line(f64, f64);

struct Polynomial(Vec<f64>);

impl Model for Line {
    fn set(&mut self, x: f64) {
        self.1 = x;
    }

    fn at(&self, t: f64) -> f64 {
        self.0 + self.1 * t
    }
}

impl Model for Polynomial {
    fn set(&mut self, x: f64) {
        self.0.iter_mut().for_each(|c| *c += x);
    }

    fn at(&self, t: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * t + c)
    }
}

#[inline(never)]
fn model(kind: usize) -> Box<dyn Model> {
    if kind == 0 { Box::new(Line(1.0, 2.0)) } else { Box::new(Polynomial(vec![0.0; kind])) }
}

#[inline(never)]
fn models() -> Vec<Box<dyn Model>> {
    (0..4).map(model).collect()
}

functional! {
    fn a_tree_of_constants_grown_by_recursion_is_scaled(x: &[f64]) -> f64 {
        let v: Vec<f64> = (0..6).map(|i| 0.3 * i as f64).collect();
        let mut tree = Tree::grow(&v, 2);
        tree.scale(x[0]);
        tree.fold()
    } at [0.7, 0.3];

    fn a_tree_of_zeros_is_added_to(x: &[f64]) -> f64 {
        let mut tree = Tree::zeros(3);
        tree.add(x[0]);
        if let Some(child) = tree.children.last_mut() {
            child.scale(x[1]);
        }
        tree.fold()
    } at [0.7, 0.3];

    fn layers_of_zeros_are_filled(x: &[f64]) -> f64 {
        let mut layers = zero_layers(4);
        for layer in &mut layers {
            layer.weights.iter_mut().for_each(|w| *w += x[0] * x[1]);
            layer.bias.iter_mut().zip(x).for_each(|(b, x)| *b = x.exp());
        }
        layers.iter().map(|l| l.weights.iter().zip(&l.bias).map(|(w, b)| w * b).sum::<f64>()).sum()
    } at [0.7, 0.3];

    fn a_table_of_constants_is_filled(x: &[f64]) -> f64 {
        let mut rows = table(3);
        rows[0][1] = x[0];
        rows[2][2] *= x[1];
        rows.iter().flatten().map(|v| v.sin()).product::<f64>() + rows[0][1] * rows[2][2]
    } at [0.7, 0.3];

    fn constants_shared_and_changed_by_the_one_who_holds_them(x: &[f64]) -> f64 {
        let mut h = holder(3);
        fill(&mut h, x[0] * x[1]);
        sum(&h)
    } at [0.7, 0.3];

    fn boxes_of_constants_are_written_to(x: &[f64]) -> f64 {
        let (mut a, b) = (a_box(2.0), a_box(3.0));
        let before = *a;
        *a *= x[0];
        (*a * *b + before * x[1]).sin()
    } at [0.7, 0.3];

    fn a_slice_that_may_be_missing_is_filled(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for n in 0..4 {
            let mut slice = maybe(n);
            if let Some(slice) = &mut slice {
                slice[1] = x[0].sin();
                slice[0] += x[1] * n as f64;
            }
            sum += slice.map_or(x[0], |s| s.iter().map(|v| v * v).sum());
        }
        sum
    } at [0.7, 0.3];

    fn named_numbers_are_scaled(x: &[f64]) -> f64 {
        let (name, mut numbers, n) = named(5);
        numbers.iter_mut().step_by(2).for_each(|v| *v *= x[0]);
        numbers.truncate(n - 1);
        numbers.push(x[1]);
        numbers.iter().product::<f64>() * name.len() as f64
    } at [0.7, 0.3];

    fn entries_of_a_map_of_constants_are_changed(x: &[f64]) -> f64 {
        let mut counts = counts(12);
        if let Some(v) = counts.get_mut(&9) {
            *v += x[0];
        }
        *counts.entry(5).or_insert(0.5) *= x[1];
        counts.values().fold(1.0, |product, v| product * v.sin())
    } at [0.7, 0.3];

    fn objects_made_of_constants_are_set(x: &[f64]) -> f64 {
        let mut all = models();
        all.iter_mut().zip([x[0], x[1], x[0] * x[1]]).for_each(|(m, v)| m.set(v));
        all.iter().map(|m| m.at(0.4).exp()).sum()
    } at [0.7, 0.3];
}
