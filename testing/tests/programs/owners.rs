//! Programs whose values belong to names: scopes inside of scopes, orders of owners, optimisers that own maps.

use crate::functional;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

struct Scope {
    names: RefCell<HashMap<String, f64>>,
    outer: Option<Rc<Scope>>,
}

impl Scope {
    fn get(&self, name: &str) -> Option<f64> {
        match self.names.borrow().get(name) {
            Some(value) => Some(*value),
            None => self.outer.as_ref()?.get(name),
        }
    }

    fn inside(self: &Rc<Scope>) -> Scope {
        Scope { names: RefCell::default(), outer: Some(self.clone()) }
    }
}

#[derive(Debug, Clone)]
struct Order {
    id: u64,
    price: f64,
    size: f64,
    buys: bool,
    owner: Rc<str>,
}

trait Optimizer {
    fn step(&mut self, params: &mut [f64], gradient: &[f64], _turn: usize);
}

struct Momentum {
    kept: f64,
    velocity: HashMap<usize, f64>,
}

impl Optimizer for Momentum {
    fn step(&mut self, params: &mut [f64], gradient: &[f64], _turn: usize) {
        for (i, (p, g)) in params.iter_mut().zip(gradient).enumerate() {
            let v = self.velocity.entry(i).or_insert(0.0);
            *v = self.kept * *v - 0.1 * g;
            *p += *v;
        }
    }
}

struct Plain {
    rate: f64,
}

impl Optimizer for Plain {
    fn step(&mut self, params: &mut [f64], gradient: &[f64], _turn: usize) {
        params.iter_mut().zip(gradient).for_each(|(p, g)| *p -= self.rate * g);
    }
}

functional! {
    fn names_are_looked_up_in_the_scope_around(x: &[f64]) -> f64 {
        let global = Rc::new(Scope { names: RefCell::default(), outer: None });
        global.names.borrow_mut().insert("a".into(), x[0]);
        let middle = Rc::new(global.inside());
        middle.names.borrow_mut().insert("b".into(), x[1] * global.get("a").unwrap_or(1.0));
        let inner = middle.inside();
        inner.names.borrow_mut().insert("c".into(), x[0] - x[1]);
        ["a", "b", "c", "b"].iter().filter_map(|name| inner.get(name)).product::<f64>() + inner.get("d").unwrap_or(0.5)
    } at [0.3, -0.7];

    fn orders_of_shared_owners_are_matched(x: &[f64]) -> f64 {
        let owners: Vec<Rc<str>> = ["ann", "bob"].map(Rc::from).into();
        let (mut bids, mut asks): (Vec<Order>, Vec<Order>) = (Vec::new(), Vec::new());
        let mut cash: BTreeMap<Rc<str>, f64> = BTreeMap::new();
        let mut filled = BTreeSet::new();
        for (k, v) in x.iter().enumerate() {
            let (id, owner) = (k as u64, owners[k / 2 % 2].clone());
            let mut order = Order { id, price: 10.0 + v, size: 1.0 + 0.1 * v * v, buys: k % 2 == 0, owner };
            let (mine, other) = if order.buys { (&mut bids, &mut asks) } else { (&mut asks, &mut bids) };
            while order.size > 1e-9 {
                let Some(best) = other.last_mut() else { break };
                if (order.buys && best.price > order.price) || (!order.buys && best.price < order.price) {
                    break;
                }
                let quantity = best.size.min(order.size);
                let sign = if order.buys { -1.0 } else { 1.0 };
                *cash.entry(order.owner.clone()).or_insert(0.0) += sign * quantity * best.price;
                *cash.entry(best.owner.clone()).or_insert(0.0) -= sign * quantity * best.price;
                best.size -= quantity;
                order.size -= quantity;
                if best.size < 1e-9 {
                    filled.extend(other.pop().map(|order| order.id));
                }
            }
            if order.size > 1e-9 {
                let better = |o: &Order| if order.buys { o.price < order.price } else { o.price > order.price };
                mine.insert(mine.partition_point(better), order);
            }
        }
        let left: f64 = bids.iter().chain(&asks).map(|order| order.price * order.size).sum();
        cash.values().zip([1.0, 0.5]).map(|(a, w)| a * w).sum::<f64>() + 0.1 * left + filled.len() as f64
    } at [0.4, -0.7, 1.2, 0.3, -0.2, 0.9];

    fn optimisers_of_which_one_owns_a_map_take_steps(x: &[f64]) -> f64 {
        let all: Vec<Box<dyn Optimizer>> =
            vec![Box::new(Plain { rate: x[2] }), Box::new(Momentum { kept: x[2], velocity: HashMap::new() })];
        let mut params = x[..2].to_vec();
        for mut optimizer in all {
            for turn in 0..5 {
                let gradient: Vec<f64> = params.iter().map(|p| p.cos()).collect();
                optimizer.step(&mut params, &gradient, turn);
            }
        }
        params.iter().sum::<f64>()
    } at [0.3, -0.7, 0.8];
}
