//! Functions that make memory of constants, which their callers change: enums of floats, texts and vectors, lists, cells, functions without a
//! derivative. Where a line says `//?`, the round's seed decides whether the function is inlined.
use crate::prelude::bounded;
use cotangent::{Shadow, custom_derivative};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

pub static TABLE: [f64; 6] = [0.5, 1.25, -0.75, 0.25, 1.5, -0.5];
const ROWS: [[f64; 3]; 2] = [[0.5, 1.0, 0.25], [1.5, -0.5, 0.75]];

//?
pub fn zeros(n: usize) -> Vec<f64> {
    vec![0.0; n]
}

//?
pub fn table() -> Vec<f64> {
    TABLE.to_vec()
}

//?
pub fn rows() -> Vec<Vec<f64>> {
    ROWS.iter().map(|row| row.to_vec()).collect()
}

//?
pub fn arrays(n: usize) -> Vec<[f64; 3]> {
    ROWS.iter().cycle().take(n).copied().collect()
}

//?
pub fn filled(v: &mut [f64], by: f64) {
    for (i, t) in v.iter_mut().enumerate() {
        *t += by * (i + 1) as f64;
    }
}

//?
pub fn total(v: &[f64]) -> f64 {
    v.iter().map(|t| bounded(*t)).sum()
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Nothing,
    Number(f64),
    Text(String),
    List(Vec<f64>),
    Named { name: String, value: f64, count: u32 },
    Pair(Box<(Item, Item)>),
    Many(Vec<Item>),
}

impl Item {
    //?
    pub fn constant(kind: usize) -> Item {
        match kind % 7 {
            0 => Item::Nothing,
            1 => Item::Number(1.25),
            2 => Item::Text(format!("text {kind}")),
            3 => Item::List(table()),
            4 => Item::Named { name: format!("n{kind}"), value: 0.75, count: 2 },
            5 => Item::Pair(Box::new((Item::constant(kind + 3), Item::constant(kind + 1)))),
            _ => Item::Many((1..4).map(Item::constant).collect()),
        }
    }

    //?
    pub fn parse(text: &str, x: f64) -> Result<Item, String> {
        match text {
            "" => Err("nothing".to_owned()),
            "x" => Ok(Item::Number(x)),
            "list" => Ok(Item::List(vec![x, 0.5])),
            other => match other.parse::<f64>() {
                Ok(value) => Ok(Item::Number(value)),
                Err(error) => Err(format!("{other}: {error}")),
            },
        }
    }

    //?
    pub fn value(&self) -> f64 {
        match self {
            Item::Nothing => 0.25,
            Item::Number(t) => t.sin(),
            Item::Text(text) => text.len() as f64 * 0.125,
            Item::List(v) => total(v),
            Item::Named { name, value, count } => value * f64::from(*count) + name.len() as f64 * 0.25,
            Item::Pair(pair) => bounded(pair.0.value() * pair.1.value()),
            Item::Many(items) => items.iter().map(Item::value).sum::<f64>() * 0.5,
        }
    }

    //?
    pub fn change(&mut self, x: f64) {
        match self {
            Item::Nothing => *self = Item::Number(x),
            Item::Number(t) => *t *= x,
            Item::Text(text) => text.push('!'),
            Item::List(v) => {
                v[0] += x;
                v.push(x * x);
            }
            Item::Named { value, count, .. } => {
                *value -= x;
                *count += 1;
            }
            Item::Pair(pair) => {
                pair.0.change(x);
                let (one, two) = &mut **pair;
                std::mem::swap(one, two);
            }
            Item::Many(items) => items.iter_mut().for_each(|item| item.change(0.5 * x)),
        }
    }

    //?
    pub fn replaced(self, x: f64) -> Item {
        match self {
            Item::Number(t) if t > x => Item::List(vec![t, x]),
            Item::List(mut v) => {
                v.truncate(2);
                Item::Pair(Box::new((Item::List(v), Item::Number(x))))
            }
            Item::Many(mut items) => items.pop().unwrap_or(Item::Nothing),
            other => other,
        }
    }

    pub fn number(&self) -> Option<&f64> {
        match self {
            Item::Number(t) | Item::Named { value: t, .. } => Some(t),
            _ => None,
        }
    }
}

/// Numbers, integers and boxes in one place.
#[derive(Clone, Copy, Debug)]
pub enum Small {
    Count(u64),
    Float(f64),
    Both(f64, i32),
    Off,
}

//?
pub fn small(k: usize) -> Small {
    match k % 4 {
        0 => Small::Count(k as u64 + 2),
        1 => Small::Float(0.75),
        2 => Small::Both(1.25, 3),
        _ => Small::Off,
    }
}

impl Small {
    //?
    pub fn value(&self) -> f64 {
        match *self {
            Small::Count(n) => n as f64 * 0.125,
            Small::Float(t) => t.cos(),
            Small::Both(t, n) => t * f64::from(n),
            Small::Off => 0.5,
        }
    }

    //?
    pub fn change(&mut self, x: f64) {
        *self = match *self {
            Small::Count(n) if n % 2 == 0 => Small::Float(x * n as f64),
            Small::Count(n) => Small::Count(n + 1),
            Small::Float(t) => Small::Both(t * x, 2),
            Small::Both(t, n) => Small::Both(t + x, n - 1),
            Small::Off => Small::Count(3),
        }
    }
}

#[derive(Debug)]
pub struct Node {
    pub value: f64,
    pub next: Option<Box<Node>>,
}

//?
pub fn nodes(n: usize) -> Option<Box<Node>> {
    (0..n).fold(None, |next, i| Some(Box::new(Node { value: 0.25 * i as f64, next })))
}

//?
pub fn add(mut list: &mut Option<Box<Node>>, x: f64) {
    while let Some(node) = list {
        node.value += x;
        list = &mut node.next;
    }
    *list = Some(Box::new(Node { value: x, next: None }));
}

//?
pub fn turned(mut list: Option<Box<Node>>) -> Option<Box<Node>> {
    let mut done = None;
    while let Some(mut node) = list.take() {
        list = std::mem::replace(&mut node.next, done);
        done = Some(node);
    }
    done
}

//?
pub fn folded(list: &Option<Box<Node>>) -> f64 {
    match list {
        None => 0.5,
        Some(node) => bounded(node.value * 0.75 + 0.5 * folded(&node.next)),
    }
}

/// A tree with keys.
#[derive(Clone, Default, Debug)]
pub struct Branch {
    pub key: i32,
    pub value: f64,
    pub left: Option<Box<Branch>>,
    pub right: Option<Box<Branch>>,
}

impl Branch {
    //?
    pub fn insert(&mut self, key: i32, value: f64) {
        if key == self.key {
            self.value += value;
            return;
        }
        let side = if key < self.key { &mut self.left } else { &mut self.right };
        match side {
            Some(branch) => branch.insert(key, value),
            None => *side = Some(Box::new(Branch { key, value, ..Branch::default() })),
        }
    }

    //?
    pub fn of_keys(keys: &[i32]) -> Branch {
        let mut root = Branch { key: keys[0], value: 0.5, ..Branch::default() };
        keys.iter().for_each(|key| root.insert(*key, 0.25));
        root
    }

    pub fn find(&mut self, key: i32) -> Option<&mut f64> {
        match key.cmp(&self.key) {
            std::cmp::Ordering::Equal => Some(&mut self.value),
            std::cmp::Ordering::Less => self.left.as_mut()?.find(key),
            std::cmp::Ordering::Greater => self.right.as_mut()?.find(key),
        }
    }

    //?
    pub fn sum(&self) -> f64 {
        let side = |side: &Option<Box<Branch>>| side.as_ref().map_or(0.25, |branch| branch.sum());
        bounded(self.value * side(&self.left) - side(&self.right) + self.value)
    }
}

/// Cells of several kinds, made by a call.
pub struct Cache {
    pub seen: RefCell<Vec<f64>>,
    pub last: Cell<f64>,
    pub hits: Cell<usize>,
    pub names: RefCell<BTreeMap<u32, f64>>,
}

impl Cache {
    //?
    pub fn new(n: usize) -> Cache {
        Cache {
            seen: RefCell::new(vec![0.5; n]),
            last: Cell::new(0.25),
            hits: Cell::new(0),
            names: RefCell::new(BTreeMap::new()),
        }
    }

    //?
    pub fn ask(&self, key: u32, x: f64) -> f64 {
        if let Some(known) = self.names.borrow().get(&key) {
            self.hits.set(self.hits.get() + 1);
            return *known;
        }
        let value = x * f64::from(key + 1);
        self.names.borrow_mut().insert(key, value);
        self.seen.borrow_mut().push(value);
        self.last.replace(value)
    }
}

//?
pub fn cells(n: usize) -> Vec<Rc<Cell<f64>>> {
    let one = Rc::new(Cell::new(0.5));
    (0..n).map(|i| if i % 2 == 0 { Rc::clone(&one) } else { Rc::new(Cell::new(0.75)) }).collect()
}

/// Counts what is dropped.
pub struct Guard<'a> {
    pub values: Vec<f64>,
    pub out: &'a Cell<f64>,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.out.set(self.out.get() * 0.5 + total(&self.values));
    }
}

#[derive(Shadow, Clone, Debug)]
pub struct Layer {
    pub weights: Vec<Vec<f64>>,
    pub bias: Box<[f64]>,
    pub scale: f64,
    pub name: String,
}

impl Layer {
    //?
    pub fn apply(&self, x: &[f64]) -> Vec<f64> {
        let each = |(row, b): (&Vec<f64>, &f64)| bounded(row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b * self.scale);
        self.weights.iter().zip(&self.bias).map(each).collect()
    }

    //?
    pub fn constant(n: usize) -> Layer {
        Layer { weights: vec![vec![0.25; 3]; n], bias: vec![0.5; n].into(), scale: 0.75, name: format!("layer {n}") }
    }
}

#[custom_derivative(inactive)]
//?
pub fn noise(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 7.3).sin()).collect()
}

#[custom_derivative(inactive)]
//?
pub fn random_layer(n: usize) -> Layer {
    Layer::constant(n)
}

#[custom_derivative(inactive)]
//?
pub fn counted(n: usize) -> Result<Vec<f64>, String> {
    if n % 3 == 2 { Err(format!("{n}")) } else { Ok(vec![0.5; n + 1]) }
}

//?
pub fn chosen<'a>(k: usize, a: &'a mut Vec<f64>, b: &'a mut Vec<f64>) -> &'a mut Vec<f64> {
    if k % 2 == 0 { a } else { b }
}

//?
pub fn reused(old: Vec<f64>, k: usize) -> Vec<f64> {
    if k % 2 == 0 { old } else { vec![0.5; old.len().max(2)] }
}

//?
pub fn averages<'a>(v: &'a [f64], n: usize) -> Box<dyn Iterator<Item = f64> + 'a> {
    if n % 2 == 0 { Box::new(v.windows(2).map(|w| 0.5 * (w[0] + w[1]))) } else { Box::new(v.iter().copied()) }
}

//?
pub fn first_good(items: &[&str], x: f64) -> Result<Vec<Item>, String> {
    items.iter().map(|text| Item::parse(text, x)).collect()
}
