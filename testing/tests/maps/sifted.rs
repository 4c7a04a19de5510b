//! Enums with a float in one variant and owners in others, made by a function that stays a call, asked for their variant and then moved on by value: nothing but
//! the test tells that there is a float, and LLVM loads it as what it is in another variant (a capacity, an address) ahead of the test.

use crate::functional;
use std::collections::{BTreeMap, LinkedList, VecDeque};

enum Value {
    Float(f64),
    List(Vec<f64>),
    Text(String),
}

use Value::{Float, List, Text};

#[inline(never)]
fn made(x: &[f64]) -> Vec<Value> {
    let mut all = vec![Text("ab".to_owned()), Float(x[0]), List(x.to_vec()), Float(x[1])];
    all.extend(x.iter().enumerate().map(|(i, v)| if i % 2 == 0 { Float(v * v) } else { Text("c".repeat(i)) }));
    all
}

#[inline(never)]
fn value(value: &Value) -> f64 {
    match value {
        Float(v) => v * v,
        List(v) => v.iter().product(),
        Text(text) => text.len() as f64,
    }
}

fn sum(values: &[Value]) -> f64 {
    values.iter().zip(1..).map(|(v, i)| value(v) * f64::from(i)).sum()
}

#[inline(never)]
fn sifted(values: Vec<Value>) -> Vec<Value> {
    let mut kept = Vec::new();
    for value in values {
        if let Float(_) = value {
            kept.push(value);
        }
    }
    kept
}

#[inline(never)]
fn first(values: Vec<Value>) -> Option<Value> {
    values.into_iter().find(|value| matches!(value, Float(_)))
}

#[inline(never)]
fn boxed(values: Vec<Value>) -> Box<Value> {
    for value in values {
        if let Float(_) = value {
            return Box::new(value);
        }
    }
    Box::new(Float(0.0))
}

#[inline(never)]
fn put(values: Vec<Value>, slots: &mut [Option<Value>]) {
    for (value, slot) in values.into_iter().zip(slots) {
        if !matches!(value, Text(_)) {
            *slot = Some(value);
        }
    }
}

#[inline(never)]
fn filtered(value: Option<Value>) -> Option<Value> {
    value.filter(|value| matches!(value, Float(_)))
}

#[inline(never)]
fn by_number(x: &[f64]) -> BTreeMap<u64, Value> {
    let mut all = BTreeMap::new();
    for (i, v) in (0..).zip(x) {
        all.insert(i, Float(*v));
        all.insert(i + 100, Text(format!("row {i}")));
    }
    all
}

const X: [f64; 3] = [0.3, 0.7, 1.1];

functional! {
    fn what_is_pushed_behind_a_test(x: &[f64]) -> f64 {
        sum(&sifted(made(x))) + sum(&sifted(sifted(made(x))))
    } at X;

    fn what_is_returned_behind_a_test(x: &[f64]) -> f64 {
        first(made(x)).map_or(0.0, |v| value(&v)) + value(&boxed(made(x)))
    } at X;

    fn what_is_put_into_slots_behind_a_test(x: &[f64]) -> f64 {
        let mut slots = [const { None }; 6];
        put(made(x), &mut slots);
        slots.iter().flatten().map(value).sum()
    } at X;

    fn what_is_filtered_in_an_option(x: &[f64]) -> f64 {
        made(x).into_iter().filter_map(|v| filtered(Some(v))).map(|v| value(&v)).sum()
    } at X;

    fn what_is_popped_and_pushed_behind_a_test(x: &[f64]) -> f64 {
        let (mut all, mut kept) = (made(x), Vec::new());
        while let Some(value) = all.pop() {
            if !matches!(value, Text(_)) {
                kept.push(value);
            }
        }
        sum(&kept)
    } at X;

    fn values_of_a_map_are_filtered(x: &[f64]) -> f64 {
        by_number(x).into_values().filter(|v| matches!(v, Float(_))).map(|v| value(&v)).sum()
    } at X;

    fn a_list_is_sifted_into_a_queue(x: &[f64]) -> f64 {
        let all: LinkedList<Value> = made(x).into_iter().collect();
        let queue: VecDeque<Value> = all.into_iter().filter(|v| !matches!(v, List(_))).collect();
        queue.iter().rev().zip(1..).map(|(v, i)| value(v) * f64::from(i)).sum()
    } at X;
}

enum Wide {
    Three([f64; 3]),
    One(f64),
    Named { name: String, at: f64 },
    Many(Vec<f64>, f64),
}

#[inline(never)]
fn wide(x: &[f64]) -> Vec<Wide> {
    let one = |v: &f64| [Wide::Three([*v, v * v, 0.5]), Wide::One(*v), Wide::Named { name: "n".to_owned(), at: *v }];
    let mut all: Vec<Wide> = x.iter().flat_map(one).collect();
    all.push(Wide::Many(x.to_vec(), x[0] * x[1]));
    all
}

#[inline(never)]
fn of_wide(value: &Wide) -> f64 {
    match value {
        Wide::Three([a, b, c]) => a * b + c * a,
        Wide::One(v) => v.sin(),
        Wide::Named { name, at } => at * at * name.len() as f64,
        Wide::Many(v, scale) => v.iter().sum::<f64>() * scale,
    }
}

functional! {
    fn arrays_and_second_floats_of_variants_are_sifted(x: &[f64]) -> f64 {
        let kept: Vec<Wide> = wide(x).into_iter().filter(|v| !matches!(v, Wide::One(_))).collect();
        let mut more = vec![];
        for value in wide(x) {
            if let Wide::Three(_) | Wide::Many(..) = value {
                more.push(value);
            }
        }
        kept.iter().chain(&more).zip(1..).map(|(v, i)| of_wide(v) * f64::from(i)).sum()
    } at X;
}

enum Body {
    Ball(f64, f64),
    Rope(Vec<f64>),
    Sign(String),
}

#[inline(never)]
fn bodies(x: &[f64]) -> Vec<Body> {
    let mut all = vec![];
    for (i, v) in x.iter().enumerate() {
        all.push(Body::Ball(*v, 2.0));
        all.push(Body::Sign("s".repeat(i)));
        all.push(Body::Rope(vec![*v]));
    }
    all
}

fn mass(body: &Body) -> f64 {
    match body {
        Body::Ball(r, m) => r * r * m,
        Body::Rope(v) => v[0],
        Body::Sign(s) => s.len() as f64,
    }
}

functional! {
    fn one_is_removed_and_looked_at(x: &[f64]) -> f64 {
        let mut all = bodies(x);
        let removed = all.swap_remove(0);
        let Some(popped) = all.pop() else { return 0.0 };
        mass(&removed) + 0.5 * mass(&popped) + all.iter().map(mass).sum::<f64>()
    } at X;
}

/// What is a capacity in one variant is the address of a box in another, in the same place.
enum Owner {
    Pairs(Vec<(f64, f64)>),
    One(Box<f64>),
    Numbers(Vec<u32>),
    Scaled(Vec<f64>, f64),
    Named { name: String, at: f64 },
    Row(Box<[f64]>),
}

#[inline(never)]
fn owner(i: usize, x: &[f64]) -> Owner {
    let v = x[i % x.len()];
    match i % 6 {
        0 => Owner::Pairs(vec![(v, 2.0)]),
        1 => Owner::One(Box::new(v)),
        2 => Owner::Numbers(vec![7; 2]),
        3 => Owner::Scaled(vec![v], v * 2.0),
        4 => Owner::Named { name: "ab".to_owned(), at: v },
        _ => Owner::Row(vec![v, v + 1.0].into()),
    }
}

fn of_owner(owner: Owner) -> f64 {
    match owner {
        Owner::Pairs(pairs) => pairs[0].0 * pairs[0].1,
        Owner::One(one) => *one * *one,
        Owner::Numbers(numbers) => numbers.len() as f64,
        Owner::Scaled(row, by) => row[0] * by,
        Owner::Named { name, at } => at * name.len() as f64,
        Owner::Row(row) => row[0] * row[1],
    }
}

#[inline(never)]
fn taken(owner: Option<Owner>) -> Option<Owner> {
    let mut owner = owner;
    if let Some(seen) = &owner
        && !matches!(seen, Owner::Scaled(..))
    {
        return owner.take();
    }
    None
}

#[inline(never)]
fn swapped(owner: Owner) -> Option<Owner> {
    let mut both = [Some(owner), None];
    both.swap(0, 1);
    let [_, second] = both;
    second
}

#[inline(never)]
fn out_of_a_tuple(pair: (Owner, f64)) -> Option<Owner> {
    let (owner, limit) = pair;
    (limit > 0.1 && !matches!(owner, Owner::One(_))).then_some(owner)
}

functional! {
    fn owners_are_taken_out_of_options_behind_a_test(x: &[f64]) -> f64 {
        (0..6).map(|i| taken(Some(owner(i, x))).map_or(0.25, of_owner) * (i + 1) as f64).sum()
    } at X;

    fn owners_are_swapped_in_an_array(x: &[f64]) -> f64 {
        (0..6).map(|i| swapped(owner(i, x)).map_or(0.25, of_owner) * (i + 1) as f64).sum()
    } at X;

    fn owners_are_moved_out_of_tuples_behind_a_test(x: &[f64]) -> f64 {
        (0..6).map(|i| out_of_a_tuple((owner(i, x), x[0] * 2.0)).map_or(0.25, of_owner) * (i + 1) as f64).sum()
    } at X;
}
