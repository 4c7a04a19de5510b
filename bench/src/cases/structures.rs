//! Programs over structs, vectors of vectors, boxes and a matrix library. No gradient is written by hand here: the limit is
//! five times the function, and the directional derivative of forward mode is what the gradient is held against.

#![expect(clippy::needless_range_loop, reason = "written as numerical programs are, with indices")]

use super::Case;
use crate::report::{Limits, Row};
use crate::timing::medians;
use cotangent::autodiff;
use examples::random::Random;
use nalgebra::{DMatrix, DVector};
use std::hint::black_box;

/// What was promised: five times the function.
const LIMITS: Limits = Limits { of_primal: Some(5.0), of_hand: None };

/// A body of the solar system, or of another.
#[derive(Clone, Copy, Default)]
pub struct Body {
    position: [f64; 3],
    velocity: [f64; 3],
    mass: f64,
}

/// The energy after some steps of a leap-frog.
#[autodiff(d_bodies, Reverse, Duplicated, Const, Const, Active)]
#[autodiff(b_bodies, Forward, Dual, Const, Const, DualOnly)]
pub fn bodies(start: &[Body], steps: usize, dt: f64) -> f64 {
    let mut all = start.to_vec();
    for _ in 0..steps {
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                let mut apart = [0.0; 3];
                let mut square = 1e-3;
                for k in 0..3 {
                    apart[k] = all[i].position[k] - all[j].position[k];
                    square += apart[k] * apart[k];
                }
                let pull = dt / (square * square.sqrt());
                let (of_i, of_j) = (all[i].mass, all[j].mass);
                for k in 0..3 {
                    all[i].velocity[k] -= apart[k] * of_j * pull;
                    all[j].velocity[k] += apart[k] * of_i * pull;
                }
            }
        }
        for body in &mut all {
            for k in 0..3 {
                body.position[k] += dt * body.velocity[k];
            }
        }
    }
    all.iter().map(|body| 0.5 * body.mass * body.velocity.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// A layer of a network: rows of weights, and a bias for each.
#[derive(Clone)]
pub struct Layer {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
}

impl Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let row = |(row, bias): (&Vec<f64>, &f64)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + bias;
        self.weights.iter().zip(&self.bias).map(row).map(f64::tanh).collect()
    }

    fn random(inputs: usize, outputs: usize, random: &mut Random) -> Layer {
        let weights = (0..outputs).map(|_| random.normals(inputs).iter().map(|w| 0.2 * w).collect()).collect();
        Layer { weights, bias: random.normals(outputs) }
    }
}

/// The squared output of a network of layers of unequal width, each of which allocates its output.
#[autodiff(d_network, Reverse, Duplicated, Const, Active)]
#[autodiff(b_network, Forward, Dual, Const, DualOnly)]
pub fn network(layers: &[Layer], input: &[f64]) -> f64 {
    let mut x = input.to_vec();
    for layer in layers {
        x = layer.forward(&x);
    }
    x.iter().map(|x| x * x).sum()
}

/// A tree with a weight in each node.
#[derive(Clone)]
pub enum Tree {
    /// The end of a branch.
    Leaf(f64),
    /// Two branches.
    Node(Box<Tree>, Box<Tree>, f64),
}

impl Tree {
    fn full(depth: u32, random: &mut Random) -> Tree {
        let weight = 0.3 * random.normals(1)[0];
        match depth {
            0 => Tree::Leaf(weight),
            _ => Tree::Node(Tree::full(depth - 1, random).into(), Tree::full(depth - 1, random).into(), weight),
        }
    }

    fn each(&mut self, f: &mut impl FnMut(&mut f64)) {
        match self {
            Tree::Leaf(weight) => f(weight),
            Tree::Node(left, right, weight) => {
                left.each(f);
                right.each(f);
                f(weight);
            }
        }
    }
}

/// A value computed from the leaves up.
#[autodiff(d_tree, Reverse, Duplicated, Active)]
#[autodiff(b_tree, Forward, Dual, DualOnly)]
pub fn tree(node: &Tree) -> f64 {
    match node {
        Tree::Leaf(weight) => weight.sin(),
        Tree::Node(left, right, weight) => {
            let (left, right) = (tree(left), tree(right));
            left * right + weight * (left + right)
        }
    }
}

/// The squared solution of a system, by elimination with pivots in a vector of rows.
#[autodiff(d_elimination, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(b_elimination, Forward, Dual, Dual, DualOnly)]
pub fn elimination(matrix: &[Vec<f64>], right: &[f64]) -> f64 {
    let n = right.len();
    let (mut a, mut x) = (matrix.to_vec(), right.to_vec());
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        x.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                let above = a[k][j];
                a[i][j] -= factor * above;
            }
            x[i] -= factor * x[k];
        }
    }
    for i in (0..n).rev() {
        let mut rest = x[i];
        for j in i + 1..n {
            rest -= a[i][j] * x[j];
        }
        x[i] = rest / a[i][i];
    }
    x.iter().map(|x| x * x).sum()
}

/// The same by `nalgebra`.
#[autodiff(d_solution, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(b_solution, Forward, Dual, Dual, DualOnly)]
pub fn solution(matrix: &DMatrix<f64>, right: &DVector<f64>) -> f64 {
    matrix.clone().lu().solve(right).map_or(f64::NAN, |x| x.dot(&x))
}

/// All five.
pub fn cases() -> Vec<Case> {
    vec![
        Case::new("bodies 20, 100 steps", |name| measure_bodies(name, 20, 100)),
        Case::new("network 64-128-128-10", |name| measure_network(name, &[64, 128, 128, 10])),
        Case::new("tree of depth 14", |name| measure_tree(name, 14)),
        Case::new("elimination 100", |name| measure_elimination(name, 100)),
        Case::new("nalgebra lu 100", |name| measure_solution(name, 100)),
    ]
}

/// Times a function and its gradient. `along` is the derivative along a direction by forward mode, and by the gradient.
fn row(name: String, along: [f64; 2], primal: &mut dyn FnMut(), gradient: &mut dyn FnMut()) -> Row {
    let [primal, gradient] = medians([primal, gradient]);
    let distance = (along[0] - along[1]).abs() / along[0].abs().max(f64::MIN_POSITIVE);
    Row { name, primal, gradient, hand: f64::NAN, distance, limits: LIMITS }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn measure_bodies(name: String, count: usize, steps: usize) -> Row {
    let mut random = Random::new(1);
    let mut body = || {
        let n = random.normals(7);
        Body { position: [n[0], n[1], n[2]], velocity: [n[3], n[4], n[5]], mass: n[6].abs() + 0.1 }
    };
    let start: Vec<Body> = (0..count).map(|_| body()).collect();
    let direction: Vec<Body> = (0..count).map(|_| body()).collect();
    let dt = 1e-3;
    let mut shadow = vec![Body::default(); count];
    d_bodies(&start, &mut shadow, steps, dt, 1.0);
    let flat = |all: &[Body]| -> Vec<f64> {
        all.iter().flat_map(|b| [&b.position[..], &b.velocity[..], &[b.mass]].concat()).collect()
    };
    let along = [b_bodies(&start, &direction, steps, dt), dot(&flat(&shadow), &flat(&direction))];
    row(
        name,
        along,
        &mut || {
            black_box(bodies(black_box(&start), steps, dt));
        },
        &mut || {
            black_box(d_bodies(black_box(&start), &mut shadow, steps, dt, 1.0));
        },
    )
}

fn measure_network(name: String, widths: &[usize]) -> Row {
    let mut random = Random::new(2);
    let mut layers = || widths.windows(2).map(|w| Layer::random(w[0], w[1], &mut random)).collect::<Vec<_>>();
    let (net, direction) = (layers(), layers());
    let input = Random::new(3).normals(widths[0]);
    let mut shadow = net.clone();
    for layer in &mut shadow {
        layer.weights.iter_mut().for_each(|row| row.fill(0.0));
        layer.bias.fill(0.0);
    }
    d_network(&net, &mut shadow, &input, 1.0);
    let flat = |net: &[Layer]| -> Vec<f64> {
        net.iter().flat_map(|l| [l.weights.concat(), l.bias.clone()].concat()).collect()
    };
    let along = [b_network(&net, &direction, &input), dot(&flat(&shadow), &flat(&direction))];
    row(
        name,
        along,
        &mut || {
            black_box(network(black_box(&net), black_box(&input)));
        },
        &mut || {
            black_box(d_network(black_box(&net), &mut shadow, black_box(&input), 1.0));
        },
    )
}

fn measure_tree(name: String, depth: u32) -> Row {
    let mut random = Random::new(4);
    let (node, mut direction) = (Tree::full(depth, &mut random), Tree::full(depth, &mut random));
    let mut shadow = node.clone();
    shadow.each(&mut |weight| *weight = 0.0);
    d_tree(&node, &mut shadow, 1.0);
    let forward = b_tree(&node, &direction);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    shadow.each(&mut |weight| a.push(*weight));
    direction.each(&mut |weight| b.push(*weight));
    row(
        name,
        [forward, dot(&a, &b)],
        &mut || {
            black_box(tree(black_box(&node)));
        },
        &mut || {
            black_box(d_tree(black_box(&node), &mut shadow, 1.0));
        },
    )
}

/// A matrix that elimination has to pivot in, row after row, and a right-hand side.
fn system(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    (random.normals(n * n), random.normals(n))
}

fn measure_elimination(name: String, n: usize) -> Row {
    let ((flat, right), (flat_direction, right_direction)) = (system(n, 5), system(n, 6));
    let rows = |flat: &[f64]| -> Vec<Vec<f64>> { flat.chunks(n).map(<[f64]>::to_vec).collect() };
    let (matrix, direction) = (rows(&flat), rows(&flat_direction));
    let (mut shadow, mut right_shadow) = (vec![vec![0.0; n]; n], vec![0.0; n]);
    d_elimination(&matrix, &mut shadow, &right, &mut right_shadow, 1.0);
    let reverse = dot(&shadow.concat(), &flat_direction) + dot(&right_shadow, &right_direction);
    let along = [b_elimination(&matrix, &direction, &right, &right_direction), reverse];
    row(
        name,
        along,
        &mut || {
            black_box(elimination(black_box(&matrix), black_box(&right)));
        },
        &mut || {
            black_box(d_elimination(black_box(&matrix), &mut shadow, black_box(&right), &mut right_shadow, 1.0));
        },
    )
}

fn measure_solution(name: String, n: usize) -> Row {
    let ((flat, right), (flat_direction, right_direction)) = (system(n, 5), system(n, 6));
    let (matrix, direction) = (DMatrix::from_row_slice(n, n, &flat), DMatrix::from_row_slice(n, n, &flat_direction));
    let (right, right_direction) = (DVector::from_vec(right), DVector::from_vec(right_direction));
    let (mut shadow, mut right_shadow) = (DMatrix::zeros(n, n), DVector::zeros(n));
    d_solution(&matrix, &mut shadow, &right, &mut right_shadow, 1.0);
    let reverse =
        dot(shadow.as_slice(), direction.as_slice()) + dot(right_shadow.as_slice(), right_direction.as_slice());
    let along = [b_solution(&matrix, &direction, &right, &right_direction), reverse];
    row(
        name,
        along,
        &mut || {
            black_box(solution(black_box(&matrix), black_box(&right)));
        },
        &mut || {
            black_box(d_solution(black_box(&matrix), &mut shadow, black_box(&right), &mut right_shadow, 1.0));
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_gradient;

    #[test]
    fn both_modes_agree_in_every_row() {
        for row in [
            measure_bodies("bodies".to_owned(), 4, 7),
            measure_network("network".to_owned(), &[3, 5, 4, 2]),
            measure_tree("tree".to_owned(), 5),
            measure_elimination("elimination".to_owned(), 7),
            measure_solution("nalgebra lu".to_owned(), 7),
        ] {
            assert!(row.agrees(), "{}", row.line());
        }
    }

    #[test]
    fn bodies_agree_with_differences() {
        let of = |flat: &[f64]| -> Vec<Body> {
            let body = |n: &[f64]| Body { position: [n[0], n[1], n[2]], velocity: [n[3], n[4], n[5]], mass: n[6] };
            flat.chunks_exact(7).map(body).collect()
        };
        let start = Random::new(7).normals(28);
        let mut shadow = vec![Body::default(); 4];
        d_bodies(&of(&start), &mut shadow, 9, 1e-2, 1.0);
        let gradient: Vec<f64> =
            shadow.iter().flat_map(|b| [&b.position[..], &b.velocity[..], &[b.mass]].concat()).collect();
        assert_gradient(|flat| bodies(&of(flat), 9, 1e-2), &start, &gradient, 1e-3, 1e-7);
    }

    #[test]
    fn a_network_agrees_with_differences() {
        let of = |flat: &[f64]| -> Vec<Layer> {
            let layer = |flat: &[f64], inputs: usize, outputs: usize| {
                let (weights, bias) = flat.split_at(inputs * outputs);
                Layer { weights: weights.chunks(inputs).map(<[f64]>::to_vec).collect(), bias: bias.to_vec() }
            };
            vec![layer(&flat[..20], 3, 5), layer(&flat[20..], 5, 2)]
        };
        let (net, input) = (Random::new(8).normals(32), Random::new(9).normals(3));
        let mut shadow = of(&[0.0; 32]);
        d_network(&of(&net), &mut shadow, &input, 1.0);
        let gradient: Vec<f64> = shadow.iter().flat_map(|l| [l.weights.concat(), l.bias.clone()].concat()).collect();
        assert_gradient(|flat| network(&of(flat), &input), &net, &gradient, 1e-3, 1e-8);
    }

    #[test]
    fn a_tree_agrees_with_differences() {
        let full = Tree::full(4, &mut Random::new(10));
        let of = |flat: &[f64]| {
            let (mut tree, mut flat) = (full.clone(), flat.iter());
            tree.each(&mut |weight| *weight = *flat.next().expect("a number for each weight"));
            tree
        };
        let numbers = |mut tree: Tree| {
            let mut flat = Vec::new();
            tree.each(&mut |weight| flat.push(*weight));
            flat
        };
        let weights = numbers(full.clone());
        let mut shadow = of(&vec![0.0; weights.len()]);
        d_tree(&full, &mut shadow, 1.0);
        assert_gradient(|flat| tree(&of(flat)), &weights, &numbers(shadow), 1e-3, 1e-8);
    }

    #[test]
    fn solutions_of_a_system_agree_with_differences() {
        const N: usize = 5;
        let (matrix, right) = system(N, 11);
        let rows = |flat: &[f64]| -> Vec<Vec<f64>> { flat.chunks(N).map(<[f64]>::to_vec).collect() };
        let (mut shadow, mut right_shadow) = (vec![vec![0.0; N]; N], vec![0.0; N]);
        d_elimination(&rows(&matrix), &mut shadow, &right, &mut right_shadow, 1.0);
        let all = [&matrix[..], &right].concat();
        let value = |flat: &[f64]| elimination(&rows(&flat[..N * N]), &flat[N * N..]);
        assert_gradient(value, &all, &[shadow.concat(), right_shadow].concat(), 1e-4, 1e-6);

        let of =
            |flat: &[f64]| (DMatrix::from_row_slice(N, N, &flat[..N * N]), DVector::from_row_slice(&flat[N * N..]));
        let (a, b) = of(&all);
        let (mut shadow, mut right_shadow) = (DMatrix::zeros(N, N), DVector::zeros(N));
        d_solution(&a, &mut shadow, &b, &mut right_shadow, 1.0);
        let value = |flat: &[f64]| {
            let (a, b) = of(flat);
            solution(&a, &b)
        };
        // Columns after one another, rows are asked for.
        let gradient = [shadow.transpose().as_slice(), right_shadow.as_slice()].concat();
        assert_gradient(value, &all, &gradient, 1e-4, 1e-6);
    }
}
