//! Searches over trees and over states that are cloned at each step.

use crate::functional;
use std::collections::VecDeque;

/// Where a leaf has the length of its vector, a split has a float; where the one has a pointer, the other has the number of an axis.
enum Node {
    Leaf(Vec<f64>),
    Split { axis: usize, at: f64, left: Box<Node>, right: Box<Node> },
}

fn build(mut values: Vec<f64>, depth: usize) -> Node {
    if values.len() <= 2 {
        return Node::Leaf(values);
    }
    let right = values.split_off(values.len() / 2);
    Node::Split {
        axis: depth % 2,
        at: right[0],
        left: Box::new(build(values, depth + 1)),
        right: Box::new(build(right, depth + 1)),
    }
}

fn weighed(node: &Node, point: &[f64; 2]) -> f64 {
    match node {
        Node::Leaf(values) => values.iter().sum(),
        Node::Split { axis, at, left, right } => {
            let (near, far) = if point[*axis] < *at { (left, right) } else { (right, left) };
            weighed(near, point) + 2.0 * weighed(far, point) + at * at
        }
    }
}

#[derive(Clone)]
struct State {
    points: f64,
    bonus: Option<f64>,
    log: VecDeque<f64>,
}

impl State {
    fn after(&self, step: f64) -> State {
        let mut next = self.clone();
        next.points -= step * next.bonus.unwrap_or(1.0);
        next.log.push_back(step);
        next
    }
}

fn search(state: &State, depth: u32, weight: f64) -> f64 {
    if depth == 0 {
        return state.points * state.log.back().unwrap_or(&1.0);
    }
    [1.0, weight].into_iter().map(|step| search(&state.after(step), depth - 1, weight)).sum()
}

functional! {
    fn leaves_and_splits_that_recursion_makes(x: &[f64]) -> f64 {
        let values = (0..5).map(|i| x[0] * i as f64 + x[1]).collect();
        weighed(&build(values, 0), &[0.4, 0.9])
    } at [0.3, 1.4];

    fn states_that_are_cloned_at_each_step(x: &[f64]) -> f64 {
        search(&State { points: x[0], bonus: None, log: VecDeque::new() }, 3, x[1])
            + search(&State { points: x[1], bonus: Some(x[0]), log: VecDeque::new() }, 2, x[0])
    } at [0.73, 0.81];
}
