//! Enums of layers: vectors in one variant, a float at the same place in another, nothing in a third; cloned, changed, moved.

use crate::functional;
use cotangent::{Shadow, autodiff};
use testing::check::owned;

/// Three variants that share their places.
#[derive(Clone, Shadow)]
enum Layer {
    Dense { weights: Vec<f64> },
    Scale(f64),
    None,
}

fn layers(x: &[f64]) -> Vec<Layer> {
    let layer = |(i, v): (usize, &f64)| match i % 4 {
        0 | 1 => Layer::Scale(*v),
        2 => Layer::None,
        _ => Layer::Dense { weights: vec![*v, 2.0 * v] },
    };
    x.iter().enumerate().map(layer).collect()
}

#[inline(never)]
fn layers_made_by_a_call(x: &[f64]) -> Vec<Layer> {
    layers(x)
}

#[inline(never)]
fn value(layer: &Layer) -> f64 {
    match layer {
        Layer::Dense { weights } => weights.iter().map(|w| w * w).sum(),
        Layer::Scale(s) => s.sin(),
        Layer::None => 1.0,
    }
}

fn doubled(all: &mut [Layer]) {
    for layer in all {
        match layer {
            Layer::Dense { weights } => weights.iter_mut().for_each(|w| *w *= 2.0),
            Layer::Scale(s) => *s *= 2.0,
            Layer::None => {}
        }
    }
}

functional! {
    fn cloned_layers_are_changed(x: &[f64]) -> f64 {
        let before = layers(x);
        let mut after = before.clone();
        doubled(&mut after);
        before.iter().zip(&after).map(|(a, b)| value(a) * value(b)).sum()
    } at [0.4, 1.2, -0.3, 0.7, 0.9, -0.6, 0.2];

    fn cloned_layers_of_a_call_are_changed(x: &[f64]) -> f64 {
        let before = layers_made_by_a_call(x);
        let mut after = before.clone();
        doubled(&mut after);
        if let Layer::Scale(s) = &mut after[1] {
            *s *= x[0];
        }
        after[2] = after[0].clone();
        before.iter().zip(&after).map(|(a, b)| value(a) * value(b)).sum()
    } at [0.4, 1.2, -0.3, 0.7, 0.9, -0.6, 0.2];

    fn a_layer_is_replaced_and_taken(x: &[f64]) -> f64 {
        let mut all = layers(x);
        let old = std::mem::replace(&mut all[1], Layer::Dense { weights: x.to_vec() });
        let taken = std::mem::replace(&mut all[3], Layer::None);
        all.push(taken.clone());
        all.push(old);
        all.rotate_left(2);
        all.iter().map(value).enumerate().map(|(i, v)| v * (i + 1) as f64).sum::<f64>() * value(&taken)
    } at [0.4, 1.2, -0.3, 0.7];
}

#[autodiff(gradient_of_layers, Reverse, Duplicated, Active)]
#[autodiff(tangent_of_layers, Forward, Dual, Dual)]
fn changed_in_a_clone(all: &Vec<Layer>) -> f64 {
    let mut changed = all.clone();
    doubled(&mut changed);
    changed[0] = changed[3].clone();
    changed.iter().chain(all).map(value).sum()
}

fn floats_of_layers(all: &mut [Layer]) -> Vec<&mut f64> {
    let mut found = Vec::new();
    for layer in all {
        match layer {
            Layer::Dense { weights } => found.extend(weights),
            Layer::Scale(s) => found.push(s),
            Layer::None => {}
        }
    }
    found
}

#[test]
fn layers_behind_an_argument_are_cloned_and_changed() {
    owned(
        layers(&[0.4, 1.2, -0.3, 0.7, 0.9, -0.6, 0.2]),
        changed_in_a_clone,
        tangent_of_layers,
        gradient_of_layers,
        |all| floats_of_layers(all),
    );
}
