//! Constants that are kept in a table of a static or thread local, which the function fills, while it has a table of its own: empty tables are one constant.

use crate::functional;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

thread_local! {
    static FACTORIALS: RefCell<HashMap<u64, f64>> = RefCell::new(HashMap::new());
}

static NAMED: Mutex<Option<HashMap<String, f64>>> = Mutex::new(None);
static WEIGHTS: OnceLock<HashMap<usize, Vec<f64>>> = OnceLock::new();

fn factorial(n: u64) -> f64 {
    if let Some(known) = FACTORIALS.with(|table| table.borrow().get(&n).copied()) {
        return known;
    }
    let value = if n < 2 { 1.0 } else { n as f64 * factorial(n - 1) };
    FACTORIALS.with(|table| table.borrow_mut().insert(n, value));
    value
}

fn named(name: &str) -> f64 {
    let mut table = NAMED.lock().unwrap();
    *table.get_or_insert_with(HashMap::new).entry(name.to_string()).or_insert_with(|| 0.5 + name.len() as f64)
}

fn weights(n: usize) -> &'static [f64] {
    let table = WEIGHTS.get_or_init(|| (1..9).map(|n| (n, (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect())).collect());
    &table[&n]
}

functional! {
    fn of_factorials_beside_terms(x: &[f64]) -> f64 {
        let mut terms: HashMap<usize, f64> = HashMap::new();
        for i in 0..12 {
            *terms.entry(i % 4).or_insert(0.0) += x[i % x.len()].powi(i as i32) / factorial(i as u64);
        }
        (0..4).map(|i| terms[&i] * terms[&i] * (1.0 + i as f64)).sum()
    } at [0.3, 1.4, 0.6];

    fn by_names_beside_records(x: &[f64]) -> f64 {
        let mut of: HashMap<String, Vec<f64>> = HashMap::new();
        for (i, v) in x.iter().enumerate() {
            let name = ["mass", "length", "time"][i % 3];
            of.entry(name.to_string()).or_default().push(v * named(name));
        }
        ["mass", "length", "time"].iter().map(|name| of[*name].iter().product::<f64>() * named(name)).sum()
    } at [0.3, 1.4, 0.6, 0.9, 1.1];

    fn of_vectors_beside_vectors(x: &[f64]) -> f64 {
        let mut rows: HashMap<usize, Vec<f64>> = HashMap::new();
        for n in 1..6 {
            rows.insert(n, weights(n).iter().zip(x.iter().cycle()).map(|(w, v)| w * v * v).collect());
        }
        rows.remove(&2);
        let mut all: Vec<(usize, Vec<f64>)> = rows.into_iter().collect();
        all.sort_by_key(|(n, _)| *n);
        all.iter().map(|(n, row)| row.iter().sum::<f64>().powi(2) / *n as f64).sum()
    } at [0.3, 1.4, 0.6];

    fn that_is_emptied_beside_one_that_grows(x: &[f64]) -> f64 {
        FACTORIALS.with(|table| table.borrow_mut().clear());
        let mut memo: HashMap<(usize, usize), f64> = HashMap::new();
        for i in 0..x.len() {
            for k in 0..20 {
                let before = memo.get(&(i, k.max(1) - 1)).copied().unwrap_or(1.0);
                memo.insert((i, k), before * x[i] + factorial(k as u64 % 5));
            }
        }
        (0..x.len()).map(|i| memo[&(i, 19)].ln()).sum()
    } at [0.3, 1.4, 0.6];
}
