//! What one call makes and hands over together: vectors of floats, of numbers and of bytes, tables and queues of numbers.
use crate::functional;
use std::collections::{HashMap, VecDeque};

/// An order, and what stands there.
#[inline(never)]
fn sorted(x: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    let squares = order.iter().map(|i| x[*i] * x[*i]).collect();
    (order, squares)
}

/// What waits, by key, with values of its own.
struct Waiting {
    places: HashMap<u32, usize>,
    queue: VecDeque<u32>,
    values: Vec<f64>,
}

#[inline(never)]
fn waiting(x: &[f64]) -> Waiting {
    let mut all = Waiting { places: HashMap::new(), queue: VecDeque::new(), values: Vec::new() };
    for (k, v) in x.iter().enumerate() {
        all.places.insert(k as u32 * 7, k);
        all.queue.push_front(k as u32);
        all.values.push(v * v);
    }
    all
}

/// Columns that are filled by one function and put in another order by a second.
struct Columns {
    ids: Vec<u32>,
    flags: Vec<bool>,
    counts: Vec<u64>,
    floats: Vec<f64>,
    narrow: Vec<f32>,
}

#[inline(never)]
fn columns(x: &[f64]) -> Columns {
    let mut all =
        Columns { ids: Vec::new(), flags: Vec::new(), counts: Vec::new(), floats: Vec::new(), narrow: Vec::new() };
    for (i, v) in x.iter().enumerate() {
        all.ids.push(i as u32 * 3);
        all.flags.push(*v > 1.0);
        all.counts.push(i as u64);
        all.floats.push(v.sin());
        all.narrow.push(i as f32 * 0.5);
    }
    all
}

#[inline(never)]
fn turned(all: &mut Columns) {
    all.ids.reverse();
    all.counts.rotate_left(1);
    all.floats.swap(0, 2);
    for (count, id) in all.counts.iter_mut().zip(&all.ids) {
        *count = (*count ^ 1) + u64::from(*id) / 3;
    }
}

fn halves(x: &[f64], at: usize) -> (Vec<usize>, Vec<f64>) {
    if x.len() < 2 {
        return (vec![at; x.len()], x.to_vec());
    }
    let mid = x.len() / 2;
    let (mut places, mut values) = halves(&x[..mid], at);
    let (others, more) = halves(&x[mid..], at + mid);
    for (place, value) in others.iter().zip(&more) {
        places.push(place ^ 1);
        values.push(value * values[0]);
    }
    (places, values)
}

functional! {
    fn an_order_beside_what_is_in_order_is_computed_with(x: &[f64]) -> f64 {
        let (mut order, mut squares) = sorted(x);
        for i in 0..order.len() {
            order[i] = (order[i] + 1) % squares.len();
            squares[i] *= 2.0;
        }
        (1..).zip(&order).map(|(k, i)| squares[*i] * x[*i] * f64::from(k)).sum()
    } at [1.3, 0.7, 2.1, 0.3];

    fn a_queue_and_a_table_of_numbers_beside_values(x: &[f64]) -> f64 {
        let mut all = waiting(x);
        let mut sum = 0.0;
        while let Some(k) = all.queue.pop_back() {
            *all.places.entry(k * 7).or_insert(0) += 1;
            sum += all.values[all.places[&(k * 7)] % x.len()] * x[k as usize];
        }
        sum
    } at [1.3, 0.7, 2.1, 0.3];

    fn columns_of_five_types_of_which_some_are_turned(x: &[f64]) -> f64 {
        let mut all = columns(x);
        turned(&mut all);
        let mut sum = 0.0;
        for (i, count) in all.counts.iter().enumerate() {
            let value = all.floats[*count as usize % x.len()] * x[i];
            sum += if all.flags[i] { value } else { f64::from(all.narrow[i]) * f64::from(all.ids[i]) * x[i] };
        }
        sum
    } at [1.25, 0.75, 2.5, 0.5];

    fn a_recursion_that_puts_together_places_and_values(x: &[f64]) -> f64 {
        let (mut places, values) = halves(x, 0);
        places.iter_mut().for_each(|place| *place = (*place + 3) % x.len());
        places.iter().zip(&values).map(|(place, value)| value * x[*place]).sum()
    } at [1.3, 0.7, 2.1, 0.3, 0.9];
}
