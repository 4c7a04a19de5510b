//! Hash tables and trees of what owns memory, under texts and pairs: filled, grown, searched, emptied.

use crate::functional;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A record with memory of its own.
#[derive(Clone, Default)]
struct Record {
    values: Vec<f64>,
    weight: f64,
    seen: u32,
}

/// A plain one.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    id: u32,
    y: f64,
}

#[inline(never)]
fn histogram(x: &[f64], bins: usize) -> HashMap<String, f64> {
    let mut table = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        *table.entry(format!("bin {}", i % bins)).or_insert(0.25) += v * v;
    }
    table
}

functional! {
    fn vectors_in_a_table_by_name(x: &[f64]) -> f64 {
        let mut table: HashMap<String, Vec<f64>> = HashMap::new();
        for round in 0..9 {
            for (i, v) in x.iter().enumerate() {
                table.entry(format!("k{}", i + round % 5)).or_default().push(v * v);
            }
        }
        table.remove("k1");
        table.retain(|name, values| name != "k2" && values.len() > 2);
        let mut other = table.clone();
        other.get_mut("k3").unwrap()[2] *= x[1];
        other.insert("new".to_string(), vec![x[0], x[1]]);
        let total: f64 = other.values().flatten().sum();
        table["k4"].iter().take(3).product::<f64>() * total.sqrt()
    } at [0.4, 1.2, -0.3, 0.7];

    fn records_in_a_table_by_name(x: &[f64]) -> f64 {
        let mut table: HashMap<String, Record> = HashMap::new();
        for (i, v) in x.iter().chain(x).enumerate() {
            let record = table.entry(["low", "high", "rest"][i % 3].to_owned()).or_default();
            record.seen += 1;
            record.weight += v / f64::from(record.seen);
            record.values.push(v.sin());
        }
        let mut all: Vec<(&String, &Record)> = table.iter().collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        all.iter().map(|(name, r)| r.weight * r.values.iter().sum::<f64>() * name.len() as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7];

    fn vectors_in_a_table_by_pairs(x: &[f64]) -> f64 {
        let mut cells: HashMap<(i32, i32), Vec<f64>> = HashMap::new();
        for (i, v) in (0..20).zip(x.iter().cycle()) {
            cells.entry((i % 3, i % 5)).or_default().push(v * f64::from(i));
        }
        let mut sum = 0.0;
        for i in 0..3 {
            for j in -1..2 {
                if let (Some(a), Some(b)) = (cells.get(&(i, j + 1)), cells.get(&(i, j + 2))) {
                    sum += a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        sum
    } at [0.4, 1.2, -0.3, 0.7];

    fn tables_in_a_table(x: &[f64]) -> f64 {
        let mut outer: HashMap<String, HashMap<String, f64>> = HashMap::new();
        for (i, v) in x.iter().enumerate() {
            let inner = outer.entry(if i % 2 == 0 { "even" } else { "odd" }.to_string()).or_default();
            *inner.entry("sum".to_string()).or_insert(0.0) += v;
            *inner.entry("squares".to_string()).or_insert(1.0) += v * v;
        }
        outer["even"]["sum"] * outer["odd"]["squares"] + outer["odd"]["sum"] / outer["even"]["squares"]
    } at [0.4, 1.2, -0.3, 0.7];

    fn points_in_a_tree_of_vectors(x: &[f64]) -> f64 {
        let mut tree: BTreeMap<u32, Vec<Point>> = BTreeMap::new();
        for (i, v) in (0..12).zip(x.iter().cycle()) {
            tree.entry(i % 4).or_default().push(Point { x: v * v, id: i, y: v.cos() });
        }
        tree.values().flat_map(|points| points.iter().map(|p| p.x * p.y * f64::from(p.id))).sum()
    } at [0.4, 1.2, -0.3, 0.7, 0.9];

    fn a_table_that_a_call_makes_is_consumed(x: &[f64]) -> f64 {
        let mut bins: Vec<(String, f64)> = histogram(x, 3).into_iter().collect();
        bins.sort_by(|a, b| a.0.cmp(&b.0));
        bins.iter().enumerate().map(|(i, (_, v))| v.ln() * i as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, 0.9];

    fn functions_in_a_table_by_name(x: &[f64]) -> f64 {
        let mut functions: HashMap<&str, Box<dyn Fn(f64) -> f64>> = HashMap::new();
        let scale = x[0];
        functions.insert("scaled", Box::new(move |v| v * scale));
        functions.insert("squared", Box::new(|v| v * v));
        x.iter().map(|v| functions["squared"](functions["scaled"](*v))).sum()
    } at [0.4, 1.2, -0.3, 0.7];

    fn a_table_of_texts_is_cloned_beside_a_shared_function(x: &[f64]) -> f64 {
        let schedule: Rc<dyn Fn(f64) -> f64> = Rc::new(|v| v * v);
        let mut weights: HashMap<String, f64> = HashMap::new();
        *weights.entry("bias".into()).or_insert(0.0) += x[1];
        *weights.entry("intercept of all".into()).or_insert(1.0) += x[2];
        let copy = weights.clone();
        schedule(copy["bias"] * copy["intercept of all"] + x[0])
    } at [0.4, 1.2, -0.3];
}
