//! More types and functions that random functions use: containers, closures, floats among other things.
use crate::prelude::{Linear, Particle, Shape, Term, Wave, bounded, maybe};
use std::collections::{BTreeMap, BinaryHeap, HashMap, LinkedList};

/// Differentiated as a whole, by reference: its shadow is a second value.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub bias: f64,
    pub weights: Vec<f64>,
    pub narrow: f32,
    pub pair: (f64, u16, [f64; 2]),
    pub extra: Option<Box<f64>>,
}

impl Model {
    /// Every float is one of the argument's.
    pub fn of(x: &[f64]) -> Model {
        Model {
            bias: x[0],
            weights: x.to_vec(),
            narrow: 0.5,
            pair: (x[5], 7, [x[0], x[1]]),
            extra: Some(Box::new(x[1])),
        }
    }

    /// A shadow with these adjoints or tangents.
    pub fn shadow(x: &[f64]) -> Model {
        Model { narrow: 0.0, ..Model::of(x) }
    }

    /// What a shadow says of the argument.
    pub fn add_to(&self, g: &mut [f64]) {
        g[0] += self.bias + self.pair.2[0];
        g[1] += self.pair.2[1] + self.extra.as_deref().unwrap_or(&0.0);
        g[5] += self.pair.0;
        self.weights.iter().zip(g).for_each(|(w, g)| *g += w);
    }
}

/// Differentiated as a whole: vectors in a vector.
#[derive(Clone, Debug)]
pub struct Layered {
    pub layers: Vec<Vec<f64>>,
    pub rate: f64,
}

impl Layered {
    pub fn of(x: &[f64]) -> Layered {
        Layered { layers: vec![x.to_vec(), vec![x[3], x[4]]], rate: x[2] }
    }

    pub fn shadow(x: &[f64]) -> Layered {
        Layered::of(x)
    }

    pub fn add_to(&self, g: &mut [f64]) {
        g[2] += self.rate;
        g[3] += self.layers[1][0];
        g[4] += self.layers[1][1];
        self.layers[0].iter().zip(g).for_each(|(w, g)| *g += w);
    }
}

/// A list by boxes, as beginners write it.
#[derive(Clone, Debug)]
pub enum List {
    End,
    Item(f64, Box<List>),
}

impl List {
    pub fn of(v: &[f64]) -> List {
        match v {
            [] => List::End,
            [first, rest @ ..] => List::Item(*first, Box::new(List::of(rest))),
        }
    }

    pub fn total(&self, by: f64) -> f64 {
        match self {
            List::End => by,
            List::Item(a, rest) => a * by + rest.total(0.5 * by),
        }
    }

    pub fn reversed(self) -> List {
        let (mut done, mut left) = (List::End, self);
        while let List::Item(a, rest) = left {
            done = List::Item(a, Box::new(done));
            left = *rest;
        }
        done
    }
}

/// Payloads of several shapes.
#[derive(Clone, Debug)]
pub enum Message {
    Quiet,
    One(f64),
    Mixed { id: u32, value: f64, scale: f32 },
    Many(Vec<f64>),
    Nested(Box<Message>, i16),
}

impl Message {
    #[inline(never)]
    pub fn make(kind: usize, a: f64, b: f64) -> Message {
        match kind % 5 {
            0 => Message::Quiet,
            1 => Message::One(a),
            2 => Message::Mixed { id: kind as u32, value: a * b, scale: 0.25 },
            3 => Message::Many(vec![a, b, a + b]),
            _ => Message::Nested(Box::new(Message::make(kind / 5 + 1, b, a)), -3),
        }
    }

    #[inline(never)]
    pub fn read(self) -> f64 {
        match self {
            Message::Quiet => 0.25,
            Message::One(a) => a,
            Message::Mixed { id, value, scale } if id > 2 => value * f64::from(scale),
            Message::Mixed { value, .. } => -value,
            Message::Many(v) => v.into_iter().sum(),
            Message::Nested(inner, by) => inner.read() * f64::from(by),
        }
    }
}

/// A matrix with its size in its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<const R: usize, const C: usize>(pub [[f64; C]; R]);

impl<const R: usize, const C: usize> Matrix<R, C> {
    pub fn fill(mut f: impl FnMut(usize, usize) -> f64) -> Self {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| f(i, j))))
    }

    pub fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        Matrix::fill(|i, j| (0..C).map(|k| self.0[i][k] * other.0[k][j]).sum())
    }

    pub fn trace(&self) -> f64 {
        (0..R.min(C)).map(|i| self.0[i][i]).sum()
    }
}

#[inline(never)]
pub fn window<const K: usize>(v: &[f64]) -> [f64; K] {
    std::array::from_fn(|i| v[i % v.len()] * (i as f64 + 0.5))
}

pub fn curried(a: f64) -> impl Fn(f64) -> f64 + Clone {
    move |t| a * t + 0.25
}

pub fn boxed(kind: usize, a: f64) -> Box<dyn Term> {
    match kind % 2 {
        0 => Box::new(Linear(a, 0.5)),
        _ => Box::new(Wave { frequency: a }),
    }
}

pub fn repeatedly(mut f: impl FnMut(f64), v: &[f64]) {
    for t in v {
        f(*t);
    }
}

#[inline(never)]
pub fn visit(f: &mut dyn FnMut(usize, f64) -> bool, v: &[f64]) -> usize {
    v.iter().enumerate().take_while(|(i, t)| f(*i, **t)).count()
}

#[inline(never)]
pub fn first_above(v: &[f64], bound: f64) -> Option<(usize, f64)> {
    for (i, t) in v.iter().enumerate() {
        if *t > bound {
            return Some((i, *t));
        }
    }
    None
}

#[inline(never)]
pub fn reserve(v: &[f64], least: f64) -> Result<Vec<f64>, Option<f64>> {
    if v.is_empty() {
        return Err(None);
    }
    let total: f64 = v.iter().sum();
    if total < least { Err(Some(total)) } else { Ok(v.iter().map(|t| t / (1.0 + total * total)).collect()) }
}

#[inline(never)]
pub fn extremes(v: &[f64]) -> (f64, f64) {
    v.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), t| (lo.min(*t), hi.max(*t)))
}

/// Floats of both widths, sums in one, products in the other.
pub fn mixed(v: &[f64]) -> f64 {
    let narrow: Vec<f32> = vec![0.5, 0.25, 0.125];
    v.iter().zip(narrow.iter().cycle()).map(|(a, b)| a * f64::from(*b)).sum()
}

pub fn even(n: u32, x: f64) -> f64 {
    if n == 0 { x.sin() } else { 0.75 * odd(n - 1, x * x) + 0.1 * x }
}

pub fn odd(n: u32, x: f64) -> f64 {
    if n == 0 { x.cos() } else { even(n - 1, bounded(x)) - x }
}

pub fn by_key(v: &[f64]) -> HashMap<usize, f64> {
    let mut map = HashMap::new();
    for (i, t) in v.iter().enumerate() {
        *map.entry(i % 3).or_insert(0.0) += t;
    }
    map
}

pub fn ordered(v: &[f64]) -> BTreeMap<i32, Vec<f64>> {
    let mut map: BTreeMap<i32, Vec<f64>> = BTreeMap::new();
    for (i, t) in v.iter().enumerate() {
        map.entry(-(i as i32 % 3)).or_default().push(*t);
    }
    map
}

pub fn linked(v: &[f64]) -> LinkedList<f64> {
    let mut list: LinkedList<f64> = v.iter().copied().collect();
    if let Some(last) = list.pop_back() {
        list.push_front(last * 0.5);
    }
    list
}

/// Ordered by an integer, so that a heap's order has nothing to do with the float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task(pub u32, pub f64);

impl Eq for Task {}

impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Task) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Task {
    fn cmp(&self, other: &Task) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

pub fn scheduled(v: &[f64]) -> f64 {
    let mut heap: BinaryHeap<Task> = v.iter().enumerate().map(|(i, t)| Task((i * 7 % 5) as u32, *t)).collect();
    let mut total = 0.0;
    while let Some(Task(priority, t)) = heap.pop() {
        total = 0.5 * total + t * f64::from(priority + 1);
    }
    total
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub value: f64,
    pub children: Vec<Tree>,
}

impl Tree {
    pub fn grow(v: &[f64], depth: usize) -> Tree {
        let children = if depth == 0 { Vec::new() } else { v.chunks(2).map(|c| Tree::grow(c, depth - 1)).collect() };
        Tree { value: v.iter().sum(), children }
    }

    pub fn fold(&self) -> f64 {
        self.children.iter().fold(self.value, |s, child| bounded(s * child.fold() + 0.25 * child.value))
    }

    pub fn scale(&mut self, by: f64) {
        self.value *= by;
        self.children.iter_mut().for_each(|child| child.scale(by * 0.5));
    }
}

/// Generic over what it is made of.
pub struct Chain<A, B> {
    pub first: A,
    pub second: B,
}

impl<A: Term, B: Term> Term for Chain<A, B> {
    fn at(&self, t: f64) -> f64 {
        self.second.at(self.first.at(t))
    }
}

pub struct Countdown {
    pub left: usize,
    pub value: f64,
}

impl Iterator for Countdown {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.value = bounded(self.value * 0.75 + 0.25);
        Some(self.value)
    }
}

pub fn heaviest(particles: &[Particle]) -> Option<&Particle> {
    particles.iter().max_by(|a, b| a.mass.partial_cmp(&b.mass).unwrap())
}

pub fn total_area(shapes: Vec<Shape>) -> f64 {
    shapes.into_iter().map(|shape| shape.grow(0.5).area()).filter_map(maybe).sum()
}
