//! Enums with floats of either width beside owners, in vectors and queues that are rotated, drained and made of each other: records are moved in rows whose places are
//! products of two numbers, and the capacity of a vector tells the variants.

use std::collections::VecDeque;

#[derive(Clone)]
enum Item {
    Wide(f64),
    Pair([f32; 2]),
    All(Vec<f64>),
    Boxed(Box<f32>),
}

#[inline(never)]
fn made(i: usize, v: f64) -> Item {
    match i % 4 {
        0 => Item::Wide(v * 1.5),
        1 => Item::Pair([v as f32, 0.5]),
        2 => Item::All(vec![v, 0.5, v * v]),
        _ => Item::Boxed(Box::new(v as f32)),
    }
}

#[inline(never)]
fn of(item: &Item) -> f64 {
    match item {
        Item::Wide(a) => a * a,
        Item::Pair(a) => f64::from(a[0] * a[1]),
        Item::All(a) => a.iter().sum(),
        Item::Boxed(a) => f64::from(**a * **a),
    }
}

/// The derivative of `of(made(i, v))` by `v`.
fn by_hand(i: usize, v: f64) -> f64 {
    match i % 4 {
        0 => 4.5 * v,
        1 => 0.5,
        2 => 1.0 + 2.0 * v,
        _ => 2.0 * v,
    }
}

const X: [f64; 5] = [0.3, 0.7, -0.2, 0.9, 1.1];

/// Checks a function that adds up the items, each with a weight by where it lies at last, which `places` tells.
fn check(f: fn(&[f64]) -> f64, found: &[f64], places: [usize; 5]) {
    let weight = |place: usize| 1.0 + 0.25 * place as f64;
    let value: f64 = (0..5).map(|i| of(&made(i, X[i])) * weight(places[i])).sum();
    assert!((f(&X) - value).abs() < 1e-6);
    for i in 0..5 {
        let right = by_hand(i, X[i]) * weight(places[i]);
        assert!((found[i] - right).abs() < 1e-6, "{i}: {} {right}", found[i]);
    }
}

fn weighed(all: &[Item]) -> f64 {
    all.iter().enumerate().map(|(k, a)| of(a) * (1.0 + 0.25 * k as f64)).sum()
}

#[test]
fn a_queue_that_went_round_is_made_a_vector() {
    fn f(x: &[f64]) -> f64 {
        let mut all: Vec<Item> = x.iter().enumerate().map(|(i, v)| made(i, *v)).collect();
        let mut queue: VecDeque<Item> = all.drain(..).collect();
        for _ in 0..3 {
            if let Some(first) = queue.pop_front() {
                queue.push_back(first);
            }
        }
        weighed(&Vec::from(queue))
    }
    check(f, &cotangent::gradient(f, &X), [2, 3, 4, 0, 1]);
}

#[test]
fn a_vector_is_rotated_by_a_number_of_the_call() {
    fn f(x: &[f64]) -> f64 {
        let mut all: Vec<Item> = x.iter().enumerate().map(|(i, v)| made(i, *v)).collect();
        let by = all.len() / 2;
        all.rotate_left(by);
        weighed(&all)
    }
    check(f, &cotangent::gradient(f, &X), [3, 4, 0, 1, 2]);
}

#[derive(Clone)]
enum Entry {
    One(f32),
    Boxed(Box<f32>),
    Text(String),
    Three([f32; 3]),
}

#[inline(never)]
fn entry(i: usize, v: f64) -> Entry {
    match i % 4 {
        0 => Entry::One(v as f32),
        1 => Entry::Boxed(Box::new(v as f32)),
        2 => Entry::Text(format!("text {i}")),
        _ => Entry::Three([0.5, v as f32, 1.5]),
    }
}

fn of_entry(entry: &Entry) -> f64 {
    match entry {
        Entry::One(a) => f64::from(a * a),
        Entry::Boxed(a) => f64::from(**a * 3.0),
        Entry::Text(a) => a.len() as f64 * 0.125,
        Entry::Three(a) => f64::from(a[0] * a[1] + a[2]),
    }
}

#[test]
fn an_entry_that_may_be_a_text_is_cloned_out_of_a_vector() {
    fn f(x: &[f64]) -> f64 {
        let mut all: Vec<Entry> = x.iter().enumerate().map(|(i, v)| entry(i, *v)).collect();
        let held = all.first().cloned();
        if let Some(first) = held {
            all.push(first);
        }
        let others: Vec<Entry> = (2..4).filter_map(|k| all.get(k % x.len()).cloned()).collect();
        all.extend(others);
        all.iter().enumerate().map(|(k, a)| of_entry(a) * (1.0 + k as f64)).sum()
    }
    let found = cotangent::gradient(f, &X);
    let right = [2.0 * X[0] * 7.0, 6.0, 0.0, 0.5 * (4.0 + 8.0), 2.0 * X[4] * 5.0];
    for (i, (found, right)) in found.iter().zip(right).enumerate() {
        let mut tangent = [0.0; X.len()];
        tangent[i] = 1.0;
        let (_, forward) = cotangent::jvp(f, &X, &tangent);
        assert!((found - right).abs() < 1e-6 && (forward - right).abs() < 1e-6, "{found} {forward} {right}");
    }
}
