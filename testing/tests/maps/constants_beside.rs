//! What a closure captures beside what depends on its argument, in the same maps, objects and vectors: rows with names, programs, models, tables.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::OnceLock;
use testing::check::closure;

const X: [f64; 4] = [0.7, 1.2, -0.4, 2.0];

struct Row {
    name: String,
    weight: f64,
    tags: Vec<String>,
    id: Rc<str>,
}

fn rows() -> Vec<Row> {
    let row = |name: &str, weight: f64, tags: &[&str]| Row {
        name: name.into(),
        weight,
        tags: tags.iter().map(|tag| tag.to_string()).collect(),
        id: name.to_uppercase().into(),
    };
    vec![row("ann", 1.5, &["a", "b"]), row("bo", 0.5, &["b"]), row("ann", 2.5, &["c", "a"]), row("cy", -1.0, &[])]
}

fn sums(x: &[f64], rows: &[Row]) -> f64 {
    let mut by: BTreeMap<&str, f64> = BTreeMap::new();
    for (v, row) in x.iter().zip(rows) {
        *by.entry(row.name.as_str()).or_insert(0.0) += v * v * row.weight;
    }
    by.values().map(|v| v * v).sum()
}

fn lists(x: &[f64], rows: &[Row]) -> f64 {
    let mut by: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (v, row) in x.iter().zip(rows) {
        by.entry(&row.name).or_default().push(v * row.weight);
    }
    by.values().map(|v| v.iter().sum::<f64>().powi(2)).sum()
}

#[test]
fn sums_and_lists_by_names_of_captured_rows() {
    let rows = rows();
    closure(&X, |x| sums(x, &rows));
    closure(&X, |x| lists(x, &rows));
}

fn tagged(x: &[f64], rows: &[Row]) -> f64 {
    let mut by: HashMap<&str, (f64, u32)> = HashMap::new();
    for (v, row) in x.iter().zip(rows) {
        for tag in &row.tags {
            let entry = by.entry(tag).or_insert((1.0, 0));
            entry.0 *= v;
            entry.1 += 1;
        }
    }
    let one = |name: &&str| {
        let (product, count) = by[*name];
        product.sin() * f64::from(count) + name.len() as f64
    };
    ["a", "b", "c"].iter().map(one).sum()
}

#[test]
fn products_and_counts_by_tags_in_a_hash_map() {
    let rows = rows();
    closure(&X, |x| tagged(x, &rows));
}

fn best(x: &[f64], rows: &[Row]) -> f64 {
    let mut best: BTreeMap<Rc<str>, (f64, &Row)> = BTreeMap::new();
    for (v, row) in x.iter().zip(rows) {
        let score = v * v + row.weight;
        match best.get(&row.id) {
            Some((known, _)) if *known >= score => {}
            _ => drop(best.insert(row.id.clone(), (score, row))),
        }
    }
    best.values().map(|(score, row)| score * row.weight + row.tags.len() as f64).sum()
}

#[test]
fn the_best_row_by_a_shared_text() {
    let rows = rows();
    closure(&X, |x| best(x, &rows));
}

#[derive(Clone)]
enum Op {
    Push(f64),
    Arg(usize),
    Add,
    Mul,
    Call(Box<Op>),
}

fn run(code: &[Op], x: &[f64]) -> Option<f64> {
    let mut stack = vec![];
    for op in code {
        let value = match op {
            Op::Push(v) => *v,
            Op::Arg(i) => x[*i],
            Op::Add => stack.pop()? + stack.pop()?,
            Op::Mul => stack.pop()? * stack.pop()?,
            Op::Call(op) => run(&[(**op).clone()], x)?,
        };
        stack.push(value);
    }
    stack.pop()
}

#[test]
fn a_captured_program_of_which_a_copy_is_changed() {
    let call = Op::Call(Box::new(Op::Arg(1)));
    let code = vec![Op::Push(2.0), Op::Arg(0), Op::Mul, call, Op::Add, Op::Push(0.5), Op::Mul];
    let changed = |x: &[f64]| {
        let mut own = code.clone();
        own[0] = Op::Push(x[2] * x[1]);
        if let Op::Push(v) = &mut own[5] {
            *v *= x[1];
        }
        run(&own, x).unwrap_or(0.0) + run(&code, x).unwrap_or(0.0)
    };
    closure(&X, changed);
}

trait Model {
    fn rate(&self, t: f64) -> f64;
    fn name(&self) -> &str;
}
struct Flat(f64);
struct Steps {
    at: Vec<(f64, f64)>,
    name: String,
}
struct Shift {
    base: Rc<dyn Model>,
    by: f64,
}
impl Model for Flat {
    fn rate(&self, _: f64) -> f64 {
        self.0
    }
    fn name(&self) -> &str {
        "flat"
    }
}
impl Model for Steps {
    fn rate(&self, t: f64) -> f64 {
        self.at.iter().rev().find(|(begin, _)| *begin <= t).map_or(0.0, |(_, rate)| *rate)
    }
    fn name(&self) -> &str {
        &self.name
    }
}
impl Model for Shift {
    fn rate(&self, t: f64) -> f64 {
        self.base.rate(t) + self.by
    }
    fn name(&self) -> &str {
        self.base.name()
    }
}

fn price(model: &dyn Model, x: &[f64]) -> f64 {
    let discounted = |(i, cash): (usize, &f64)| cash * (-model.rate(i as f64) * (1.0 + i as f64) * x[0]).exp();
    x.iter().enumerate().map(discounted).sum::<f64>() + model.name().len() as f64
}

#[test]
fn captured_models_beside_own_ones_that_hold_them() {
    let steps = Steps { at: vec![(0.0, 0.02), (1.0, 0.03), (2.0, 0.05)], name: "steps".into() };
    let curve: Rc<dyn Model> = Rc::new(steps);
    let both = |x: &[f64]| {
        let own: Rc<dyn Model> = Rc::new(Shift { base: curve.clone(), by: x[2] });
        price(&*own, x) + price(&*curve, x) + price(&Flat(x[1]), x)
    };
    closure(&X, both);
}

trait Store {
    fn put(&self, key: &'static str, value: f64);
    fn total(&self) -> f64;
}
#[derive(Default)]
struct Products {
    held: RefCell<HashMap<&'static str, f64>>,
    last: RefCell<Option<&'static f64>>,
}
#[derive(Default)]
struct Sums(RefCell<BTreeMap<&'static str, f64>>);
static UNIT: f64 = 2.5;
impl Store for Products {
    fn put(&self, key: &'static str, value: f64) {
        *self.held.borrow_mut().entry(key).or_insert(1.0) *= value;
        *self.last.borrow_mut() = Some(&UNIT);
    }
    fn total(&self) -> f64 {
        self.held.borrow().values().sum::<f64>() * self.last.borrow().copied().unwrap_or(1.0)
    }
}
impl Store for Sums {
    fn put(&self, key: &'static str, value: f64) {
        *self.0.borrow_mut().entry(key).or_insert(0.0) += value;
    }
    fn total(&self) -> f64 {
        self.0.borrow().values().map(|v| v * v).sum()
    }
}

#[test]
fn shared_objects_with_maps_by_constant_names() {
    let stored = |x: &[f64]| {
        let all: Vec<Rc<dyn Store>> = vec![Rc::new(Products::default()), Rc::new(Sums::default())];
        for (i, v) in x.iter().enumerate() {
            all.iter().for_each(|store| store.put(["a", "bb", "a"][i % 3], *v));
        }
        all.iter().map(|store| store.total()).sum()
    };
    closure(&X, stored);
}

static TABLE: OnceLock<Vec<f64>> = OnceLock::new();

fn table_or(x: &[f64], k: usize) -> &[f64] {
    if k.is_multiple_of(2) { x } else { TABLE.get_or_init(|| (0..5).map(|i| 1.0 + 0.5 * f64::from(i)).collect()) }
}

#[test]
fn shared_vectors_and_tables_beside_own_ones() {
    let fixed = Rc::new(vec![1.0, 2.0, 3.0]);
    let shared = |x: &[f64]| {
        let own = Rc::new(x.to_vec());
        let all = [own.clone(), fixed.clone(), own, fixed.clone()];
        let weighed = |(i, v): (usize, &Rc<Vec<f64>>)| v.iter().map(|a| a * (i + 1) as f64 * x[1]).sum::<f64>();
        all.iter().enumerate().map(weighed).sum()
    };
    closure(&X, shared);
    closure(&X, |x| (0..4).map(|k| table_or(x, k).iter().map(|a| a * x[0]).sum::<f64>() * k as f64).sum());
}

#[test]
fn borrowed_columns_and_names_that_are_changed() {
    let (names, column) = (["a".to_string(), "bcd".to_string()], vec![0.5, -1.0, 3.0]);
    let changed = |x: &[f64]| {
        let mut columns: Vec<(Cow<str>, Cow<[f64]>)> =
            vec![(Cow::Borrowed(&names[0]), Cow::Borrowed(x)), (Cow::Borrowed(&names[1]), Cow::Borrowed(&column))];
        columns[1].1.to_mut()[0] *= x[1];
        columns[0].0.to_mut().push('z');
        columns.iter().map(|(name, v)| name.len() as f64 * v.iter().map(|v| v * x[0]).sum::<f64>()).sum()
    };
    closure(&X, changed);
}

#[derive(Clone, Copy)]
struct Weight {
    value: f64,
    id: u32,
    kind: u8,
}

#[test]
fn records_of_both_sorted() {
    let fixed: Vec<Weight> =
        (0..4u8).map(|i| Weight { value: 0.3 * f64::from(i) - 0.5, id: i.into(), kind: i }).collect();
    let own = |x: &[f64]| (10..).zip(x).map(|(id, v)| Weight { value: *v, id, kind: 1 }).collect::<Vec<_>>();
    let weighed = |(i, w): (usize, &Weight)| w.value * w.value * f64::from(i as u32 + w.id) + f64::from(w.kind);
    let moved = |x: &[f64]| {
        let mut all = own(x);
        all.extend(fixed.iter().copied());
        all.sort_by(|a, b| a.value.total_cmp(&b.value));
        all.iter().enumerate().map(weighed).sum()
    };
    closure(&X, moved);
    let referred = |x: &[f64]| {
        let own = own(x);
        let mut all: Vec<&Weight> = own.iter().chain(&fixed).collect();
        all.sort_by(|a, b| a.value.total_cmp(&b.value));
        let first = if x[0] > 0.0 { &own[0] } else { &fixed[1] };
        let copies = [*first, *all[0], *all[3]];
        let all = all.iter().enumerate().map(|(i, w)| weighed((i, w))).sum::<f64>();
        all + copies.iter().map(|w| w.value * x[1] * f64::from(w.id)).sum::<f64>()
    };
    closure(&X, referred);
}
