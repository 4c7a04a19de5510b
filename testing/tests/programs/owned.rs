//! Structs behind one reference that own trees, lists, tables and texts; cloned, changed, sorted.

use crate::functional;
use cotangent::{Shadow, autodiff};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, LinkedList};
use std::ops::{Index, IndexMut};
use std::rc::Rc;
use std::sync::Arc;
use testing::check::owned;

const X: [f64; 4] = [0.7, 0.3, 0.9, 1.1];

#[derive(Clone, Shadow)]
struct Node {
    weights: Vec<f64>,
    bias: f64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Node {
    fn grow(x: &[f64], depth: usize) -> Node {
        let child = |k: usize| (depth > 0).then(|| Box::new(Node::grow(&x[k.min(x.len() - 1)..], depth - 1)));
        Node { weights: x.iter().map(|v| v * 0.5).collect(), bias: x[0] * x[0], left: child(1), right: child(2) }
    }

    fn sum(&self) -> f64 {
        let own = self.bias * self.weights.iter().sum::<f64>();
        own + self.left.as_ref().map_or(0.0, |n| n.sum()) + self.right.as_deref().map_or(1.0, Node::sum).sin()
    }

    fn floats(&mut self) -> Vec<&mut f64> {
        let mut found = vec![&mut self.bias];
        found.extend(&mut self.weights);
        for child in [&mut self.left, &mut self.right].into_iter().flatten() {
            found.extend(child.floats());
        }
        found
    }
}

#[autodiff(gradient_of_tree, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_tree, Forward, Dual, Dual)]
fn tree_beside_a_changed_clone(tree: &Node) -> f64 {
    let mut other = tree.clone();
    other.bias *= tree.weights[1];
    if let Some(left) = &mut other.left {
        left.weights[0] += tree.weights[0];
        left.bias = 2.0;
    }
    tree.sum() * other.sum()
}

#[test]
fn a_tree_in_boxes_is_cloned_and_changed() {
    owned(Node::grow(&X, 2), tree_beside_a_changed_clone, tangent_of_tree, gradient_of_tree, Node::floats);
}

#[derive(Shadow)]
struct World {
    table: HashMap<u32, f64>,
    items: Vec<Rc<f64>>,
    list: LinkedList<Box<f64>>,
}

impl World {
    fn new() -> World {
        World {
            table: X.iter().zip(0..).map(|(v, key)| (key, *v)).collect(),
            items: X.iter().map(|v| Rc::new(v * v)).collect(),
            list: X.iter().map(|v| Box::new(v + 1.0)).collect(),
        }
    }

    #[inline(never)]
    fn pairs(&self) -> f64 {
        (0..4).zip(&self.items).map(|(key, item)| self.table[&key] * **item).sum()
    }

    fn floats(&mut self) -> Vec<&mut f64> {
        let mut table: Vec<(&u32, &mut f64)> = self.table.iter_mut().collect();
        table.sort_by_key(|entry| *entry.0);
        let items = self.items.iter_mut().filter_map(Rc::get_mut);
        let list = self.list.iter_mut().map(|item| &mut **item);
        table.into_iter().map(|entry| entry.1).chain(items).chain(list).collect()
    }
}

#[autodiff(gradient_of_world, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_world, Forward, Dual, Dual)]
fn world_of_boxes_and_a_table(world: &World) -> f64 {
    let items: f64 = world.items.iter().map(|item| item.sin()).product();
    let list: f64 = world.list.iter().map(|item| item.cos()).product();
    let table: f64 = world.table.values().sum();
    items * table * world.table[&1] + world.pairs() * list
}

#[test]
fn lists_of_boxes_and_a_table_are_read_in_one_function() {
    owned(World::new(), world_of_boxes_and_a_table, tangent_of_world, gradient_of_world, World::floats);
}

#[derive(Clone, Shadow)]
struct Record {
    name: String,
    values: Vec<f64>,
    weight: f64,
}

fn records() -> Vec<Record> {
    let record =
        |(i, v): (usize, &f64)| Record { name: format!("n{}", i * 7 % 4), values: vec![*v; i + 1], weight: v * v };
    X.iter().enumerate().map(record).collect()
}

#[autodiff(gradient_of_records, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_records, Forward, Dual, Dual)]
#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
fn records_sorted_by_name(records: &Vec<Record>) -> f64 {
    let mut sorted = records.clone();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let value = |(i, r): (usize, &Record)| r.weight * i as f64 * r.values.iter().sum::<f64>();
    sorted.iter().enumerate().map(value).sum()
}

#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
fn floats_of_records(records: &mut Vec<Record>) -> Vec<&mut f64> {
    records.iter_mut().flat_map(|r| r.values.iter_mut().chain([&mut r.weight])).collect()
}

#[test]
fn records_with_texts_are_cloned_and_sorted() {
    owned(records(), records_sorted_by_name, tangent_of_records, gradient_of_records, floats_of_records);
}

type Measured = Result<(f64, u32, [f64; 2]), String>;

#[autodiff(gradient_of_result, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_result, Forward, Dual, Dual)]
fn of_result(measured: &Measured) -> f64 {
    match measured {
        Ok((a, n, b)) => a * b[0] * b[1] * f64::from(*n),
        Err(text) => text.len() as f64,
    }
}

fn floats_of_result(measured: &mut Measured) -> Vec<&mut f64> {
    match measured {
        Ok((a, _, [b, c])) => vec![a, b, c],
        Err(_) => vec![],
    }
}

#[test]
fn a_result_has_floats_or_a_text() {
    for measured in [Ok((0.4, 3, [1.2, -0.3])), Err("no floats".to_owned())] {
        owned(measured, of_result, tangent_of_result, gradient_of_result, floats_of_result);
    }
}

#[autodiff(gradient_of_option, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_option, Forward, Dual, Dual)]
fn of_option(value: &Option<f64>) -> f64 {
    value.map_or(1.0, |v| v * v)
}

#[test]
fn an_option_has_a_float_or_none() {
    for value in [Some(0.4), None] {
        owned(value, of_option, tangent_of_option, gradient_of_option, |v: &mut Option<f64>| v.iter_mut().collect());
    }
}

#[autodiff(gradient_of_cell, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_cell, Forward, Dual, Dual)]
fn of_cell(values: &RefCell<Vec<f64>>) -> f64 {
    values.borrow().iter().map(|v| v * v).product()
}

#[test]
fn a_vector_in_a_cell_is_borrowed() {
    let values = RefCell::new(vec![0.4, 1.2]);
    owned(values, of_cell, tangent_of_cell, gradient_of_cell, |c| c.get_mut().iter_mut().collect());
}

#[autodiff(gradient_of_map, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_map, Forward, Dual, Dual)]
fn of_map(map: &BTreeMap<String, f64>) -> f64 {
    map["a"] * map["b"].sin()
}

#[test]
fn values_of_an_ordered_map_are_found_by_name() {
    let map: BTreeMap<String, f64> = [("b", 1.2), ("a", 0.4), ("c", 0.5)].map(|(k, v)| (k.to_owned(), v)).into();
    owned(map, of_map, tangent_of_map, gradient_of_map, |m| m.values_mut().collect());
}

type SharedParts = (Arc<Vec<f64>>, Rc<[f64; 2]>, bool);

#[autodiff(gradient_of_shared, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_shared, Forward, Dual, Dual)]
fn of_shared(parts: &SharedParts) -> f64 {
    let (vector, array, flag) = parts;
    vector[0] * vector[1] * array[0] + if *flag { array[1] * array[1] } else { 0.0 }
}

fn floats_of_shared((vector, array, _): &mut SharedParts) -> Vec<&mut f64> {
    Arc::get_mut(vector).unwrap().iter_mut().chain(Rc::get_mut(array).unwrap()).collect()
}

#[test]
fn a_tuple_has_a_shared_vector_a_shared_array_and_a_flag() {
    for flag in [true, false] {
        let parts = (Arc::new(vec![0.4, 1.2]), Rc::new([0.3, 0.2]), flag);
        owned(parts, of_shared, tangent_of_shared, gradient_of_shared, floats_of_shared);
    }
}

/// A square matrix with its size.
struct Grid {
    entries: Vec<f64>,
    size: usize,
}

impl Grid {
    fn identity(size: usize) -> Grid {
        let mut grid = Grid { entries: vec![0.0; size * size], size };
        (0..size).for_each(|i| grid[(i, i)] = 1.0);
        grid
    }

    fn times(&self, other: &Grid) -> Grid {
        let mut product = Grid { entries: vec![0.0; self.size * self.size], size: self.size };
        for i in 0..self.size {
            for j in 0..self.size {
                product[(i, j)] = (0..self.size).map(|k| self[(i, k)] * other[(k, j)]).sum();
            }
        }
        product
    }
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.entries[i * self.size + j]
    }
}

impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.entries[i * self.size + j]
    }
}

#[inline(never)]
fn total(values: &[f64]) -> f64 {
    values.iter().map(|v| v.sin()).sum()
}

functional! {
    fn a_grid_that_is_replaced_in_a_loop_is_summed_by_a_call(x: &[f64]) -> f64 {
        let mut a = Grid::identity(3);
        a[(0, 1)] = x[0];
        a[(2, 0)] += x[1];
        let b = a.times(&a);
        let mut power = Grid::identity(3);
        for _ in 0..3 {
            power = power.times(&b);
            power[(1, 1)] *= x[2];
        }
        total(&power.entries)
    } at [0.4, 1.2, -0.3];
}
