//! Recursion that remembers what it has computed in a table behind a `&mut`.
use crate::functional;
use std::collections::{BTreeMap, HashMap};

fn power(x: f64, k: u64, known: &mut HashMap<u64, f64>) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if let Some(&v) = known.get(&k) {
        return v;
    }
    let v = x * power(x, k - 1, known);
    known.insert(k, v);
    v
}

fn by_hash(k: u64, x: &[f64], known: &mut HashMap<u64, f64>) -> f64 {
    if let Some(&v) = known.get(&k) {
        return v;
    }
    let v = if k < 2 { x[k as usize].sin() } else { by_hash(k - 1, x, known) * by_hash(k - 2, x, known) };
    known.insert(k, v);
    v
}

fn by_order(k: u64, x: &[f64], known: &mut BTreeMap<u64, f64>) -> f64 {
    if let Some(&v) = known.get(&k) {
        return v;
    }
    let v = if k < 2 { x[k as usize].sin() } else { by_order(k - 1, x, known) + by_order(k - 2, x, known).cos() };
    known.insert(k, v);
    v
}

struct Table<'a> {
    sequence: &'a [f64],
    known: HashMap<u64, f64>,
}

impl Table<'_> {
    fn value(&mut self, k: u64) -> f64 {
        if let Some(&v) = self.known.get(&k) {
            return v;
        }
        let v = if k < 2 { self.sequence[k as usize].sin() } else { self.value(k - 1) * self.value(k - 2) };
        self.known.insert(k, v);
        v
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Base(u8),
    Pair(usize, usize),
}

struct Pairs<'a> {
    sequence: &'a [f64],
    known: HashMap<Key, f64>,
    calls: usize,
}

impl Pairs<'_> {
    fn best(&mut self, key: Key) -> f64 {
        self.calls += 1;
        if let Some(&v) = self.known.get(&key) {
            return v;
        }
        let v = match key {
            Key::Base(i) => self.sequence[i as usize].sin(),
            Key::Pair(i, j) if i >= j => self.best(Key::Base(i as u8)),
            Key::Pair(i, j) => {
                let (a, b) = (self.best(Key::Pair(i + 1, j)), self.best(Key::Pair(i, j - 1)));
                (a.exp() + b.exp()).ln() + self.sequence[i] * self.sequence[j]
            }
        };
        self.known.insert(key, v);
        v
    }
}

functional! {
    fn powers_in_a_hash_map(x: &[f64]) -> f64 {
        let mut known = HashMap::new();
        power(x[0], 3, &mut known) + power(x[0], 2, &mut known)
    } at [0.3];

    fn a_recurrence_in_a_hash_map(x: &[f64]) -> f64 { by_hash(5, x, &mut HashMap::new()) } at [0.3, -0.7];

    fn a_recurrence_in_a_btree_map(x: &[f64]) -> f64 { by_order(5, x, &mut BTreeMap::new()) } at [0.3, -0.7];

    fn a_map_beside_the_sequence_in_one_struct(x: &[f64]) -> f64 {
        Table { sequence: x, known: HashMap::new() }.value(4)
    } at [0.3, -0.7];

    fn keys_of_two_kinds(x: &[f64]) -> f64 {
        let mut table = Pairs { sequence: x, known: HashMap::new(), calls: 0 };
        table.best(Key::Pair(0, x.len() - 1)) + table.calls as f64
    } at [0.3, -0.7, 1.1, 0.2];
}
