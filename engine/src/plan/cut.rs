//! Which items to keep: a minimum cut.
//!
//! The graph has an edge from each item to what is computed from it. What cannot be computed again hangs on the source, what the
//! reverse sweep uses on the sink; cutting an item means keeping it, at the price of its bytes times how often its
//! loop may run. By the max-flow min-cut theorem (Ford and Fulkerson, 1956) the saturated items of a maximum flow (here by
//! Dinic's algorithm) are a cheapest set.
use super::recompute::{sources, way};
use super::{Facts, Item};
use crate::maps::HashMap;
use std::collections::{BTreeSet, VecDeque};

/// An iteration count that stands for "many" where nothing is known.
const MANY: u64 = 64;
const INFINITE: u64 = u64::MAX / 4;

struct Edge {
    to: usize,
    capacity: u64,
}

#[derive(Default)]
struct Network {
    edges: Vec<Edge>,
    out: Vec<Vec<usize>>,
}

impl Network {
    fn node(&mut self) -> usize {
        self.out.push(Vec::new());
        self.out.len() - 1
    }
    fn edge(&mut self, from: usize, to: usize, capacity: u64) {
        self.out[from].push(self.edges.len());
        self.edges.push(Edge { to, capacity });
        self.out[to].push(self.edges.len());
        self.edges.push(Edge { to: from, capacity: 0 });
    }
    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut levels = vec![None; self.out.len()];
        levels[source] = Some(0);
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.out[node] {
                let Edge { to, capacity } = self.edges[*edge];
                if capacity > 0 && levels[to].is_none() {
                    levels[to] = levels[node].map(|l: u32| l + 1);
                    queue.push_back(to);
                }
            }
        }
        levels
    }
    /// Pushes flow along one path of rising levels, found depth first without recursion.
    fn augment(&mut self, source: usize, sink: usize, levels: &[Option<u32>], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut node = source;
        while node != sink {
            let mut advanced = false;
            while next[node] < self.out[node].len() {
                let edge = self.out[node][next[node]];
                let Edge { to, capacity } = self.edges[edge];
                if capacity > 0 && levels[to].is_some() && levels[to] == levels[node].map(|l| l + 1) {
                    path.push(edge);
                    node = to;
                    advanced = true;
                    break;
                }
                next[node] += 1;
            }
            if !advanced {
                let Some(edge) = path.pop() else { return false };
                node = self.edges[edge ^ 1].to;
                next[node] += 1;
            }
        }
        let flow = path.iter().map(|e| self.edges[*e].capacity).min().unwrap_or(0);
        for edge in path {
            self.edges[edge].capacity -= flow;
            self.edges[edge ^ 1].capacity = self.edges[edge ^ 1].capacity.saturating_add(flow);
        }
        flow > 0
    }
    fn saturate(&mut self, source: usize, sink: usize) -> Vec<Option<u32>> {
        loop {
            let levels = self.levels(source);
            if levels[sink].is_none() {
                return levels;
            }
            let mut next = vec![0; self.out.len()];
            while self.augment(source, sink, &levels, &mut next) {}
        }
    }
}

/// What to keep, and what is computed again on the way from there to what is wanted.
pub fn cut(facts: &Facts, wanted: &[Item]) -> (BTreeSet<Item>, BTreeSet<Item>) {
    let mut network = Network::default();
    let (source, sink) = (network.node(), network.node());
    let mut nodes: HashMap<Item, (usize, usize)> = HashMap::default();
    let mut order = Vec::new();
    let mut todo: Vec<Item> = wanted.to_vec();
    while let Some(item) = todo.pop() {
        if nodes.contains_key(&item) {
            continue;
        }
        let (inside, outside) = (network.node(), network.node());
        network.edge(inside, outside, price(facts, item));
        nodes.insert(item, (inside, outside));
        order.push(item);
        if let Some(way) = way(facts, item) {
            todo.extend(sources(facts, item, &way));
        }
    }
    for item in &order {
        let (inside, _) = nodes[item];
        match way(facts, *item) {
            None => network.edge(source, inside, INFINITE),
            Some(way) => {
                for from in sources(facts, *item, &way) {
                    network.edge(nodes[&from].1, inside, INFINITE);
                }
            }
        }
    }
    for item in wanted.iter().collect::<BTreeSet<_>>() {
        network.edge(nodes[item].1, sink, INFINITE);
    }
    let levels = network.saturate(source, sink);
    let kept: BTreeSet<Item> = order
        .iter()
        .copied()
        .filter(|item| levels[nodes[item].0].is_some() && levels[nodes[item].1].is_none())
        .collect();
    let mut recomputed = BTreeSet::new();
    let mut todo: Vec<Item> = wanted.to_vec();
    while let Some(item) = todo.pop() {
        if kept.contains(&item) || !recomputed.insert(item) {
            continue;
        }
        if let Some(way) = way(facts, item) {
            todo.extend(sources(facts, item, &way));
        }
    }
    (kept, recomputed)
}

/// Bytes times expected number of iterations.
fn price(facts: &Facts, item: Item) -> u64 {
    let mut times = 1u64;
    let mut scope = facts.scope(item);
    while let Some(l) = scope {
        let known = facts.loops[l.0 as usize].trips.and_then(|v| match v {
            crate::ir::Val::Const(c) => c.as_u64().map(|n| n.saturating_add(1)),
            _ => None,
        });
        times = times.saturating_mul(known.unwrap_or(MANY).clamp(1, 1 << 20)).min(1 << 40);
        scope = facts.cfg.get(l).parent;
    }
    facts.bytes(item).max(1).saturating_mul(times)
}
