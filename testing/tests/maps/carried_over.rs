//! Maps that are replaced or filled on the way, beside maps and numbers that have no derivative.
use crate::assert_close;
use cotangent::{Shadow, autodiff, zeroed};
use std::collections::HashMap;
use testing::differences;

type States = HashMap<u32, [f64; 4]>;

#[derive(Shadow, Clone, Debug)]
struct Net {
    weights: [[f64; 4]; 2],
    skipped: Option<u32>,
}

fn step(states: &States, layer: &[f64; 4]) -> States {
    states.iter().map(|(id, own)| (*id, std::array::from_fn(|i| (own[i] * layer[i]).tanh()))).collect()
}

#[autodiff(passed_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(passed_forward, Forward, Dual, Const, Dual)]
fn passed(net: &Net, features: &HashMap<u32, [f32; 2]>) -> f64 {
    let mut states: States =
        features.iter().map(|(id, x)| (*id, net.weights[0].map(|w| w * f64::from(x[0])))).collect();
    for layer in &net.weights {
        let new = step(&states, layer);
        let old = std::mem::replace(&mut states, new);
        if let Some(skipped) = net.skipped
            && let Some(kept) = old.get(&skipped)
        {
            states.insert(skipped, *kept);
        }
    }
    states.values().map(|v| v[0] * v[1] + v[3]).sum()
}

#[test]
fn an_entry_is_carried_over_by_a_key_that_may_be_there() {
    let features = HashMap::from([(1, [0.5, 1.0]), (2, [0.2, 1.0])]);
    let net =
        |p: &[f64]| Net { weights: std::array::from_fn(|i| std::array::from_fn(|j| p[4 * i + j])), skipped: Some(1) };
    let (at, to) = (testing::noise(1, 8), testing::noise(2, 8));
    let mut shadow = zeroed(&net(&at));
    let value = passed_reverse(&net(&at), &mut shadow, &features, 1.0);
    assert_close!(value, passed(&net(&at), &features));
    let slopes = shadow.weights.as_flattened();
    assert_close!(slopes, differences::gradient(|p| passed(&net(p), &features), &at), 1e-6);
    assert_close!(passed_forward(&net(&at), &net(&to), &features).1, testing::dot(slopes, &to));
}

type Matrix = [[f64; 4]; 4];

enum Kind {
    Leaf(u8),
    Inner(Vec<usize>),
}

struct Node {
    length: f64,
    kind: Kind,
}

struct Tree {
    nodes: Vec<Node>,
    root: usize,
}

struct Pruner<'a> {
    tree: &'a Tree,
    rates: Matrix,
    cache: HashMap<usize, Matrix>,
}

impl Pruner<'_> {
    fn transition(&mut self, node: usize, rate: f64) -> Matrix {
        let matrix = self.rates.map(|row| row.map(|v| v * self.tree.nodes[node].length * rate));
        self.cache.insert(node, matrix);
        matrix
    }

    fn partial(&mut self, node: usize, rate: f64, site: usize, rows: &HashMap<&str, &[u8]>) -> Option<[f64; 4]> {
        match &self.tree.nodes[node].kind {
            Kind::Leaf(taxon) => {
                let base = *rows.get(["a", "b"][usize::from(*taxon)])?.get(site)?;
                Some([f64::from(base); 4])
            }
            Kind::Inner(children) => {
                let mut out = [1.0; 4];
                for &child in children {
                    let down = self.partial(child, rate, site, rows)?;
                    let matrix = self.transition(child, rate);
                    for (out, row) in out.iter_mut().zip(&matrix) {
                        *out *= row.iter().zip(&down).map(|(a, b)| a * b).sum::<f64>();
                    }
                }
                Some(out)
            }
        }
    }
}

#[autodiff(likelihood_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(likelihood_forward, Forward, Dual, Const, Dual)]
fn likelihood(tree: &Tree, rows: &[(&str, &[u8])]) -> f64 {
    let by_name: HashMap<&str, &[u8]> = rows.iter().copied().collect();
    let mut pruner = Pruner { tree, rates: [[1.5; 4]; 4], cache: HashMap::new() };
    let sites = 0..rows[0].1.len();
    sites.map(|site| pruner.partial(tree.root, 1.5, site, &by_name).expect("all rows have it")[0]).sum()
}

#[test]
fn a_recursion_fills_a_map_and_looks_things_up_in_a_constant_one() {
    let tree = |lengths: &[f64]| {
        let kinds = [Kind::Inner(vec![1, 2]), Kind::Leaf(0), Kind::Leaf(1)];
        Tree {
            nodes: lengths.iter().zip(kinds).map(|(length, kind)| Node { length: *length, kind }).collect(),
            root: 0,
        }
    };
    let rows: [(&str, &[u8]); 2] = [("a", b"\x01\x02"), ("b", b"\x02\x03")];
    let at = [0.1, 0.2, 0.3];
    let mut shadow = tree(&[0.0; 3]);
    let value = likelihood_reverse(&tree(&at), &mut shadow, &rows, 1.0);
    assert_close!(value, likelihood(&tree(&at), &rows));
    let slopes: Vec<f64> = shadow.nodes.iter().map(|node| node.length).collect();
    assert_close!(slopes, differences::gradient(|p| likelihood(&tree(p), &rows), &at), 1e-6);
    let to = [1.0, -0.5, 2.0];
    assert_close!(likelihood_forward(&tree(&at), &tree(&to), &rows).1, testing::dot(&slopes, &to));
}
