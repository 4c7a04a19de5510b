//! Layers of a network in one enum, with a text, layers in layers, and two floats where another variant has a vector; cloned, changed, moved.

use crate::functional;
use cotangent::{Shadow, autodiff};
use testing::check::owned;

#[derive(Clone, Shadow)]
enum Rich {
    Dense { matrix: Vec<Vec<f64>>, offsets: Vec<f64>, name: String },
    Scale(f64),
    Window(f64, f64),
    Skip(Box<Rich>),
    None,
}

fn apply(layer: &Rich, v: Vec<f64>) -> Vec<f64> {
    match layer {
        Rich::Dense { matrix, offsets, name } => {
            let row = |(row, o): (&Vec<f64>, &f64)| (row.iter().zip(&v).map(|(a, b)| a * b).sum::<f64>() + o).tanh();
            matrix.iter().zip(offsets).map(row).map(|v| v * (name.len() + 1) as f64).collect()
        }
        Rich::Scale(s) => v.into_iter().map(|v| v * s).collect(),
        Rich::Window(low, high) => v.into_iter().map(|v| (v - low) * (high - v)).collect(),
        Rich::Skip(inner) => {
            let w = apply(inner, v.clone());
            v.iter().zip(&w).map(|(a, b)| a + b).collect()
        }
        Rich::None => v,
    }
}

fn network(x: &[f64]) -> Vec<Rich> {
    let dense = |rows: usize, name: &str| Rich::Dense {
        matrix: (0..rows).map(|i| x.iter().map(|v| v + i as f64).collect()).collect(),
        offsets: x[..rows].to_vec(),
        name: name.to_owned(),
    };
    vec![
        dense(4, "first"),
        Rich::Scale(x[0]),
        Rich::None,
        Rich::Skip(Box::new(Rich::Window(x[1], x[2]))),
        Rich::Skip(Box::new(dense(4, ""))),
        Rich::Window(x[3], x[0]),
        Rich::Skip(Box::new(Rich::Skip(Box::new(Rich::Scale(x[2]))))),
    ]
}

fn run(net: &[Rich]) -> f64 {
    net.iter().fold(vec![0.1, 0.2, 0.3, 0.4], |v, layer| apply(layer, v)).iter().sum()
}

functional! {
    fn a_network_that_is_cloned_and_changed(x: &[f64]) -> f64 {
        let net = network(x);
        let mut other = net.clone();
        if let Rich::Scale(s) = &mut other[1] {
            *s *= x[1];
        }
        other.swap(1, 3);
        other.push(Rich::Scale(0.5));
        run(&net) * run(&other)
    } at [0.4, 1.2, -0.3, 0.7];
}

#[autodiff(gradient_of_network, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_network, Forward, Dual, Dual)]
#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
fn run_changed(net: &Vec<Rich>) -> f64 {
    let mut other = net.clone();
    if let Rich::Scale(s) = &mut other[1] {
        *s *= 2.0;
    }
    other.swap(1, 3);
    run(net) * run(&other)
}

fn floats_of_network(all: &mut [Rich]) -> Vec<&mut f64> {
    let mut found = Vec::new();
    for layer in all {
        match layer {
            Rich::Dense { matrix, offsets, .. } => found.extend(matrix.iter_mut().flatten().chain(offsets)),
            Rich::Scale(s) => found.push(s),
            Rich::Window(low, high) => found.extend([low, high]),
            Rich::Skip(inner) => found.extend(floats_of_network(std::slice::from_mut(&mut **inner))),
            Rich::None => {}
        }
    }
    found
}

#[test]
fn a_network_behind_an_argument_is_cloned_and_changed() {
    owned(network(&[0.4, 1.2, -0.3, 0.7]), run_changed, tangent_of_network, gradient_of_network, |n| {
        floats_of_network(n)
    });
}
