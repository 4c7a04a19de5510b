//! Slices of floats behind counts: `Rc<[f64]>` and `Arc<[f64]>`, made by functions that look at no float themselves.

use crate::functional;
use std::rc::Rc;
use std::sync::Arc;

#[inline(never)]
fn shared(x: &[f64]) -> Rc<[f64]> {
    Rc::from(x)
}

#[inline(never)]
fn named(x: &[f64]) -> (Rc<str>, Arc<[[f64; 2]]>) {
    ("a".into(), x.as_chunks().0.into())
}

struct Polynomial {
    id: u64,
    coefficients: Rc<[f64]>,
}

impl Polynomial {
    #[inline(never)]
    fn new(id: u64, coefficients: &[f64]) -> Polynomial {
        Polynomial { id, coefficients: coefficients.into() }
    }

    fn at(&self, t: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |value, c| value * t + c)
    }
}

fn cached(cache: &mut Vec<Rc<[f64]>>, x: &[f64], depth: u32) -> Rc<[f64]> {
    if let Some(known) = cache.last() {
        return known.clone();
    }
    let made = if depth == 3 { Rc::from(x) } else { cached(cache, x, depth + 1) };
    cache.push(made.clone());
    made
}

#[derive(Clone, Copy)]
struct Block {
    id: u64,
    values: [f64; 12],
}

#[derive(Clone, Copy)]
struct Row {
    id: usize,
    value: f64,
}

#[inline(never)]
fn renumbered(block: &Block) -> Box<Block> {
    let mut copy = Box::new(*block);
    copy.id += 1;
    copy
}

#[inline(never)]
fn rows(of: &[Row]) -> Vec<Row> {
    let mut all = of.to_vec();
    all[0].id = 3;
    all
}

const X: [f64; 2] = [1.03, 1.1];

functional! {
    fn a_slice_is_copied_behind_counts(x: &[f64]) -> f64 {
        let v = shared(x);
        v[0] + 2.0 * v[1] * v[0]
    } at X;

    fn pairs_are_copied_behind_counts_beside_a_name(x: &[f64]) -> f64 {
        let (name, v) = named(x);
        v[0][0] + 2.0 * v[0][1] * name.len() as f64
    } at X;

    fn coefficients_are_kept_by_a_struct(x: &[f64]) -> f64 {
        let p = Polynomial::new(3, x);
        p.at(0.5) * p.id as f64 + p.at(x[0])
    } at X;

    fn shared_slices_are_cached_by_recursion(x: &[f64]) -> f64 {
        let v = cached(&mut vec![], x, 0);
        v[0] * 3.0 + 2.0 * v[1] * v[1]
    } at X;

    fn a_large_struct_is_copied_where_its_number_alone_is_looked_at(x: &[f64]) -> f64 {
        let mut values = [0.0; 12];
        (values[3], values[7]) = (x[0], x[1] * x[0]);
        let copy = renumbered(&Block { id: 2, values });
        copy.values[3] * copy.values[7] * copy.id as f64
    } at X;

    fn rows_are_copied_where_their_numbers_alone_are_looked_at(x: &[f64]) -> f64 {
        let v = rows(&[Row { id: 1, value: x[0] }, Row { id: 2, value: x[1] * x[0] }]);
        v.iter().map(|row| row.value * row.value * row.id as f64).sum()
    } at X;
}
