//! Records that are ordered, parted and remembered, by functions that stay calls.

use crate::functional;
use std::collections::HashMap;

struct Order {
    id: u64,
    buys: bool,
    price: f64,
    amount: f64,
}

#[derive(Default)]
struct Market {
    bids: Vec<Order>,
    asks: Vec<Order>,
    traded: Vec<f64>,
}

#[inline(never)]
fn cross(market: &mut Market) {
    let (Some(bid), Some(ask)) = (market.bids.first_mut(), market.asks.first_mut()) else { return };
    let amount = bid.amount.min(ask.amount);
    bid.amount -= amount;
    ask.amount -= amount;
    market.traded.push(amount * (bid.price + ask.price) / 2.0);
    market.bids.retain(|order| order.amount > 1e-9);
}

struct Node {
    point: u32,
    axis: u8,
    left: Option<u32>,
    right: Option<u32>,
}

struct Tree {
    nodes: Vec<Node>,
    points: Vec<[f64; 2]>,
}

impl Tree {
    fn make(&mut self, all: &mut [u32], depth: usize) -> Option<u32> {
        if all.is_empty() {
            return None;
        }
        let (points, axis) = (&self.points, depth % 2);
        all.sort_by(|a, b| points[*a as usize][axis].partial_cmp(&points[*b as usize][axis]).unwrap());
        let (left, right) = all.split_at_mut(all.len() / 2);
        let point = right[0];
        let (left, right) = (self.make(left, depth + 1), self.make(&mut right[1..], depth + 1));
        self.nodes.push(Node { point, axis: axis as u8, left, right });
        Some(self.nodes.len() as u32 - 1)
    }
}

#[derive(Clone, Copy)]
struct Trade {
    side: bool,
    amount: u16,
    price: f64,
    venue: u8,
    fee: f64,
    id: u32,
}

#[derive(Clone, Copy)]
struct Record {
    narrow: f32,
    wide: f64,
    key: u32,
}

#[derive(Clone, Copy)]
struct Small {
    key: u8,
    wide: f64,
    other: Option<u8>,
}

#[derive(Clone)]
struct Lot {
    units: f64,
    cost: f64,
    touched: u16,
}

struct Row {
    id: u32,
    amount: f64,
    kind: String,
}

fn rows(text: &str) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let kind = fields.get(2).ok_or("short")?.to_string();
        Ok(Row { id: fields[0].parse()?, amount: fields[1].parse()?, kind })
    };
    text.lines().map(row).collect()
}

struct Sample {
    value: f64,
    weight: f32,
    valid: bool,
}

fn each(v: &mut [f64], f: fn(f64) -> f64) {
    if v.is_empty() {
        return;
    }
    v[0] = f(v[0]);
    each(&mut v[1..], f);
}

fn selected(v: &mut [f64], less: &dyn Fn(&f64, &f64) -> bool) {
    for i in 1..v.len() {
        if less(&v[i], &v[0]) {
            v.swap(0, i);
        }
    }
    if !v.is_empty() {
        selected(&mut v[1..], less);
    }
}

type Counter = Box<dyn Fn(&HashMap<String, f64>) -> f64>;

fn counter(gain: f64) -> Counter {
    Box::new(move |all| all.iter().filter(|(key, _)| key.starts_with("a")).map(|(_, w)| w * gain).sum())
}

functional! {
    fn filled_orders_leave_one_of_the_vectors_of_a_market(x: &[f64]) -> f64 {
        let mut market = Market::default();
        for (i, c) in x.chunks(2).enumerate() {
            let order = Order { id: i as u64, buys: i % 2 == 0, price: c[0], amount: c[1] };
            if order.buys { market.bids.push(order) } else { market.asks.push(order) }
        }
        cross(&mut market);
        cross(&mut market);
        let left: f64 = market.bids.iter().map(|order| order.amount * (order.id + 1) as f64).sum();
        market.traded.iter().map(|p| p * p).sum::<f64>() + left
    } at [1.2, 0.5, 1.0, 0.8, 1.1, 0.6, 0.9, 0.2, 1.3, 0.35];

    fn a_tree_of_points_is_made_by_sorting_indices(x: &[f64]) -> f64 {
        let mut tree = Tree { nodes: vec![], points: x.chunks(2).map(|c| [c[0], c[1]]).collect() };
        let mut all: Vec<u32> = (0..tree.points.len() as u32).collect();
        let root = tree.make(&mut all, 0).unwrap() as usize;
        let Node { point, axis, left, right } = &tree.nodes[root];
        let children = left.unwrap_or(0) + right.unwrap_or(0) + u32::from(*axis);
        let [a, b] = tree.points[*point as usize];
        a * b * f64::from(children + 1)
    } at [0.3, 0.2, 0.9, 0.5, 0.8, 0.7];

    fn trades_with_numbers_of_all_sizes_are_sorted_and_parted(x: &[f64]) -> f64 {
        let trade = |(i, p): (usize, &f64)| Trade {
            side: i % 2 == 0, amount: 10 + i as u16, price: *p, venue: (i % 3) as u8, fee: 0.01 * p * p, id: i as u32,
        };
        let mut all: Vec<Trade> = x.iter().enumerate().map(trade).collect();
        all.sort_by(|a, b| b.price.partial_cmp(&a.price).unwrap());
        all.swap(0, 1);
        let (buys, sells): (Vec<Trade>, Vec<Trade>) = all.into_iter().partition(|trade| trade.side);
        let value = |all: &[Trade]| -> f64 {
            all.iter().map(|t| f64::from(t.amount) * (t.price.sin() + t.fee) + f64::from(t.id + u32::from(t.venue)) * t.price).sum()
        };
        value(&buys) * 0.5 - value(&sells).powi(2) * 0.01
    } at [0.3, 1.7, 0.9, 2.2, 1.1, 0.4];

    fn records_of_two_widths_are_sorted_by_key(x: &[f64]) -> f64 {
        let record = |(i, v): (usize, &f64)| Record { narrow: (i + 1) as f32, wide: v * v, key: (i * 7 % 5) as u32 };
        let mut all: Vec<Record> = x.iter().enumerate().map(record).collect();
        all.sort_by_key(|record| record.key);
        all.iter().zip(1..).map(|(r, i)| r.wide * f64::from(r.narrow) * f64::from(i)).sum()
    } at [0.4, 1.2, -0.3];

    fn records_with_options_of_a_byte_are_sorted_by_key(x: &[f64]) -> f64 {
        let small = |(i, v): (usize, &f64)| Small {
            key: (i * 7 % 5) as u8, wide: v * v, other: if i == 1 { None } else { Some(i as u8) },
        };
        let mut all: Vec<Small> = x.iter().enumerate().map(small).collect();
        all.sort_by_key(|small| small.key);
        all.iter().zip(1..).map(|(s, i)| s.wide * f64::from(s.other.unwrap_or(7)) * f64::from(i)).sum()
    } at [0.4, 1.2, -0.3, 0.8];

    fn pairs_of_a_key_and_a_record_are_sorted(x: &[f64]) -> f64 {
        let pair = |(i, p): (usize, &f64)| (9 - i as u32, Lot { units: *p, cost: p * p, touched: i as u16 });
        let mut all: Vec<(u32, Lot)> = x.iter().enumerate().map(pair).collect();
        all.sort_by_key(|pair| pair.0);
        all.iter().map(|(k, lot)| f64::from(*k + u32::from(lot.touched)) * lot.units * lot.cost).sum()
    } at [0.3, 1.7, 0.9, 2.2, 1.1, 0.4];

    fn rows_of_a_text_are_scaled_and_sorted(x: &[f64]) -> f64 {
        let Ok(mut all) = rows("1,10.5,a\n2,20.25,b\n3,5.0,a") else { return -1.0 };
        for row in all.iter_mut() {
            row.amount *= x[0];
        }
        all.sort_by(|a, b| b.amount.partial_cmp(&a.amount).unwrap());
        all.iter().map(|row| row.amount * f64::from(row.id) * row.kind.len() as f64).sum()
    } at [0.7, 1.2];

    fn floats_collected_in_the_place_of_records_are_sorted(x: &[f64]) -> f64 {
        let sample = |(i, v): (usize, &f64)| Sample { value: v * v, weight: 1.0 + i as f32, valid: i != 4 };
        let all: Vec<Sample> = x.iter().enumerate().map(sample).collect();
        let seen = all.iter().filter(|s| s.valid).map(|s| f64::from(s.weight)).sum::<f64>();
        let mut values: Vec<f64> = all.into_iter().map(|sample| sample.value).collect();
        values.sort_by(|a, b| a.total_cmp(b));
        values[0] * values[1] * seen
    } at [0.5, 1.2, -0.7, 0.9, 1.5];

    fn a_function_goes_along_a_slice_by_recursion(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        each(&mut v, f64::sin);
        v.iter().sum()
    } at [0.33, 0.71, 1.34, 0.44, 0.95];

    fn a_slice_is_sorted_by_a_closure_in_a_recursion(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        selected(&mut v, &|a, b| a < b);
        v.iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at [0.33, 0.71, 1.34, 0.44, 0.95];

    fn closures_that_compare_texts_look_at_a_map(x: &[f64]) -> f64 {
        let all = HashMap::from([("acc".to_string(), x[0]), ("b".to_string(), x[1])]);
        let counters: Vec<Counter> = x.iter().map(|gain| counter(*gain)).collect();
        counters.iter().map(|counter| counter(&all)).sum()
    } at [0.33, 0.71];
}
