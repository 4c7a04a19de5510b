//! Enums of layers: vectors in one variant, a float at the same place in another, nothing in a third; cloned, changed, moved.

use crate::functional;
use cotangent::{Shadow, autodiff, zeroed};

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

/// Every float of an argument: by adding to a shadow that is not zero, by tangents, and by differences.
fn check<T: Shadow + Clone>(
    mut at: T,
    f: impl Fn(&T) -> f64,
    reverse: impl Fn(&T, &mut T) -> f64,
    forward: impl Fn(&T, &T) -> f64,
    floats: impl Fn(&mut T) -> Vec<&mut f64>,
) {
    let mut shadow = zeroed(&at);
    assert!((reverse(&at, &mut shadow) - f(&at)).abs() < 1e-12);
    let once: Vec<f64> = floats(&mut shadow).iter().map(|v| **v).collect();
    assert!(once.iter().any(|v| *v != 0.0));
    reverse(&at, &mut shadow);
    for (i, (twice, once)) in floats(&mut shadow).into_iter().zip(&once).enumerate() {
        assert!((*twice - 2.0 * once).abs() < 1e-9 * (1.0 + once.abs()), "{i}: {twice} is not twice {once}");
    }
    for (i, slope) in once.iter().enumerate() {
        let mut direction = zeroed(&at);
        *floats(&mut direction)[i] = 1.0;
        let tangent = forward(&at, &direction);
        let mut moved = |by: f64| {
            *floats(&mut at)[i] += by;
            f(&at)
        };
        let h = 1e-5;
        let difference = (moved(h) - moved(-2.0 * h)) / (2.0 * h);
        moved(h);
        assert!((tangent - slope).abs() < 1e-9 * (1.0 + slope.abs()), "{i}: {tangent}, {slope}");
        assert!((difference - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{i}: {difference}, {slope}");
    }
}

#[test]
fn layers_behind_an_argument_are_cloned_and_changed() {
    check(
        layers(&[0.4, 1.2, -0.3, 0.7, 0.9, -0.6, 0.2]),
        changed_in_a_clone,
        |at, shadow| gradient_of_layers(at, shadow, 1.0),
        |at, direction| tangent_of_layers(at, direction).1,
        |all| floats_of_layers(all),
    );
}
