//! Copies out of a struct that holds everything at once: vectors of floats, of vectors, of pairs, of floats beside counts, behind one reference.

use cotangent::{Shadow, autodiff, zeroed};
use std::rc::Rc;

#[derive(Shadow, Clone, Debug)]
struct Layer {
    name: String,
    kind: Kind,
    matrix: Vec<Vec<f64>>,
    offsets: Vec<f64>,
    slope: Option<f64>,
}

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear,
    Tanh,
    Leaky(f64),
}

#[derive(Shadow, Clone, Debug)]
struct Model {
    name: String,
    bias: f64,
    weights: Vec<f64>,
    layers: Vec<Vec<f64>>,
    points: Vec<(f64, f64)>,
    corners: Vec<[f64; 3]>,
    counted: Vec<(usize, f64)>,
    scale: Option<f64>,
    boxed: Box<[f64]>,
    sizes: Vec<usize>,
    stack: Vec<Layer>,
    next: Option<Box<Model>>,
}

impl Model {
    fn example() -> Model {
        let leaf = Model {
            name: "leaf".to_owned(),
            bias: 0.3,
            weights: vec![0.7, -0.4],
            layers: vec![vec![0.5], vec![-0.6, 0.8]],
            points: vec![(0.1, 0.2), (-0.3, 0.9)],
            corners: vec![[0.25, -0.5, 1.5]],
            counted: vec![(1, 0.65), (0, -0.35)],
            scale: None,
            boxed: vec![0.15, 1.1].into(),
            sizes: vec![1, 0],
            stack: Vec::new(),
            next: None,
        };
        Model {
            name: "root".to_owned(),
            bias: -0.2,
            weights: vec![0.9, 0.4, -1.3],
            layers: vec![vec![0.35, -0.75], vec![1.2, 0.6, -0.1]],
            points: vec![(0.45, -0.85), (1.05, 0.55), (-0.65, 0.95)],
            corners: vec![[0.5, 1.25, -0.75], [0.2, -0.4, 0.8]],
            counted: vec![(2, 0.85), (0, 0.15), (1, -0.95)],
            scale: Some(1.4),
            boxed: vec![-0.55, 0.05, 0.7].into(),
            sizes: vec![2, 0, 1],
            stack: vec![
                Layer {
                    name: "first".to_owned(),
                    kind: Kind::Leaky(0.1),
                    matrix: vec![vec![0.3, -0.8], vec![-1.1, 0.4], vec![0.6, 0.9]],
                    offsets: vec![0.2, -0.7, 0.1],
                    slope: None,
                },
                Layer {
                    name: "second".to_owned(),
                    kind: Kind::Tanh,
                    matrix: vec![vec![0.5, 1.0, -0.9]],
                    offsets: vec![0.3],
                    slope: Some(0.8),
                },
            ],
            next: Some(Box::new(leaf)),
        }
    }

    fn floats(&mut self) -> Vec<&mut f64> {
        let mut all = vec![&mut self.bias];
        all.extend(&mut self.weights);
        all.extend(self.layers.iter_mut().flatten());
        all.extend(self.points.iter_mut().flat_map(|(a, b)| [a, b]));
        all.extend(self.corners.iter_mut().flatten());
        all.extend(self.counted.iter_mut().map(|(_, x)| x));
        all.extend(&mut self.scale);
        all.extend(&mut *self.boxed);
        for layer in &mut self.stack {
            all.extend(layer.matrix.iter_mut().flatten());
            all.extend(&mut layer.offsets);
            all.extend(&mut layer.slope);
            if let Kind::Leaky(slope) = &mut layer.kind {
                all.push(slope);
            }
        }
        if let Some(next) = &mut self.next {
            all.extend(next.floats());
        }
        all
    }
}

/// Functions of a model, each with a test of reverse against forward mode and differences.
macro_rules! of_a_model {
    ($(fn $name:ident($model:ident: &Model) -> f64 $body:block)*) => {$(
        mod $name {
            use super::*;

            #[autodiff(reverse, Reverse, Duplicated, Active)]
            #[autodiff(forward, Forward, Dual, Dual)]
            fn primal($model: &Model) -> f64 $body

            #[test]
            fn agrees() {
                check(primal, reverse, forward);
            }
        }
    )*};
}

type Reverse = fn(&Model, &mut Model, f64) -> f64;
type Forward = fn(&Model, &Model) -> (f64, f64);

fn check(primal: fn(&Model) -> f64, reverse: Reverse, forward: Forward) {
    let model = Model::example();
    let mut gradient = zeroed(&model);
    let value = reverse(&model, &mut gradient, 1.0);
    assert!((value - primal(&model)).abs() < 1e-12, "{value} is not {}", primal(&model));
    let gradient: Vec<f64> = gradient.floats().into_iter().map(|x| *x).collect();
    assert!(gradient.iter().any(|x| *x != 0.0), "no derivative at all");
    for (index, adjoint) in gradient.iter().enumerate() {
        let mut direction = zeroed(&model);
        *direction.floats()[index] = 1.0;
        let tangent = forward(&model, &direction).1;
        let at = |by: f64| {
            let mut moved = model.clone();
            *moved.floats()[index] += by;
            primal(&moved)
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!(
            (adjoint - slope).abs() < 1e-6 * slope.abs().max(1.0),
            "{index}: reverse {adjoint}, differences {slope}"
        );
        assert!(
            (tangent - slope).abs() < 1e-6 * slope.abs().max(1.0),
            "{index}: forward {tangent}, differences {slope}"
        );
    }
}

of_a_model! {
    fn a_vector_of_floats_copied(m: &Model) -> f64 {
        let v = m.weights.to_vec();
        v.iter().map(|t| t.sin() * m.layers[1][0]).sum()
    }

    fn a_vector_cloned_and_changed(m: &Model) -> f64 {
        let mut v = m.weights.clone();
        for k in 1..v.len() {
            v[k] *= v[k - 1] + m.bias;
        }
        v[v.len() - 1] * m.layers[0][1]
    }

    fn a_vector_of_vectors_cloned(m: &Model) -> f64 {
        let mut layers = m.layers.clone();
        layers[0][1] *= m.weights[0];
        layers.push(m.weights.clone());
        layers.iter().map(|l| l.iter().product::<f64>()).sum()
    }

    fn a_vector_of_pairs_cloned(m: &Model) -> f64 {
        let mut points = m.points.clone();
        points.swap(0, 2);
        points.iter().enumerate().map(|(k, (a, b))| (k + 1) as f64 * a * b).sum::<f64>() * m.weights[1]
    }

    fn a_vector_of_arrays_cloned(m: &Model) -> f64 {
        let mut corners = m.corners.to_vec();
        corners.reverse();
        corners[0][1] * corners[1][2] + corners[0].iter().sum::<f64>() * m.layers[1][2]
    }

    fn a_vector_of_counted_floats_cloned(m: &Model) -> f64 {
        let counted = m.counted.clone();
        counted.iter().map(|(n, x)| (*n as f64 + 1.0) * x * x).sum()
    }

    fn a_boxed_slice_cloned(m: &Model) -> f64 {
        let boxed = m.boxed.clone();
        boxed.iter().map(|x| x.cos()).sum::<f64>() * m.bias
    }

    fn a_slice_made_shared(m: &Model) -> f64 {
        let shared: Rc<[f64]> = m.weights.to_vec().into();
        let other = Rc::clone(&shared);
        shared[0] * other[1] * m.layers[0][0]
    }

    fn a_part_of_a_vector_copied(m: &Model) -> f64 {
        let mut buffer = [0.0; 2];
        buffer.copy_from_slice(&m.weights[1..]);
        buffer[0] * buffer[1] * m.layers[0][0]
    }

    fn vectors_put_together(m: &Model) -> f64 {
        let all: Vec<f64> = m.layers.concat();
        let mut more = all.clone();
        more.extend_from_slice(&m.weights);
        more.extend(m.points.iter().map(|p| p.1));
        more.windows(2).map(|w| w[0] * w[1]).sum()
    }

    fn a_copy_that_is_sorted(m: &Model) -> f64 {
        let mut v = m.weights.clone();
        v.sort_by(|a, b| a.total_cmp(b));
        v.iter().enumerate().map(|(k, x)| (k as f64 + 0.5) * x * x).sum()
    }

    fn pairs_that_are_sorted(m: &Model) -> f64 {
        let mut points = m.points.clone();
        points.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        points.iter().enumerate().map(|(k, (a, b))| (k as f64 + 0.5) * a * b).sum()
    }

    fn a_copy_that_is_swapped_and_rotated(m: &Model) -> f64 {
        let mut v = m.weights.clone();
        v.swap(0, 1);
        v.rotate_left(1);
        v[0] * v[0] + v[1] * 3.0 + v[2].sin() * m.layers[0][0]
    }

    fn a_copy_that_a_function_takes(m: &Model) -> f64 {
        #[inline(never)]
        fn folded(mut v: Vec<f64>, by: &[f64]) -> f64 {
            v.iter_mut().zip(by).for_each(|(v, b)| *v *= b);
            v.into_iter().map(f64::exp).sum()
        }
        folded(m.weights.clone(), &m.layers[1]) * m.bias
    }

    fn a_copy_that_a_function_makes(m: &Model) -> f64 {
        #[inline(never)]
        fn scaled(m: &Model) -> Vec<f64> {
            let mut v = m.weights.clone();
            v.iter_mut().for_each(|v| *v *= m.bias);
            v
        }
        let v = scaled(m);
        v[0] * v[1] + v[2]
    }

    fn layers_one_after_the_other(m: &Model) -> f64 {
        let mut state = m.layers[0].clone();
        for layer in &m.stack {
            let mut next = layer.offsets.clone();
            for (out, row) in next.iter_mut().zip(&layer.matrix) {
                *out += row.iter().zip(&state).map(|(a, b)| a * b).sum::<f64>();
                *out = match layer.kind {
                    Kind::Linear => *out,
                    Kind::Tanh => out.tanh(),
                    Kind::Leaky(slope) => if *out > 0.0 { *out } else { slope * *out },
                };
            }
            if let Some(slope) = layer.slope {
                next.iter_mut().for_each(|x| *x *= slope);
            }
            state = next;
        }
        state.iter().sum()
    }

    fn a_layer_cloned_and_changed(m: &Model) -> f64 {
        let mut layer = m.stack[1].clone();
        layer.offsets.push(m.bias);
        layer.matrix[0][1] *= layer.offsets[1];
        layer.matrix.push(layer.offsets.clone());
        let name = layer.name.len() as f64;
        layer.matrix.iter().flatten().sum::<f64>() * layer.slope.unwrap_or(name)
    }

    fn all_layers_cloned(m: &Model) -> f64 {
        let mut stack = m.stack.clone();
        stack.swap(0, 1);
        if let Kind::Leaky(slope) = &mut stack[1].kind {
            *slope *= m.bias;
        }
        let slopes: f64 = stack.iter().map(|l| if let Kind::Leaky(s) = l.kind { s } else { 1.0 }).product();
        stack.iter().map(|l| l.matrix.concat().iter().product::<f64>() + l.offsets[0]).sum::<f64>() * slopes
    }

    fn factors_that_some_models_have(m: &Model) -> f64 {
        let (mut at, mut total) = (Some(m), 0.0);
        while let Some(model) = at {
            let scale = model.scale;
            total += model.bias * scale.map_or(0.5, |s| s * s);
            at = model.next.as_deref();
        }
        total
    }

    fn a_walk_along_models_with_copies(m: &Model) -> f64 {
        let (mut at, mut total) = (Some(m), 0.0);
        while let Some(model) = at {
            let row = model.layers.last().cloned().unwrap_or_default();
            total += row.iter().zip(&model.weights).map(|(a, b)| a * b).sum::<f64>();
            at = model.next.as_deref();
        }
        total
    }

    fn a_recursion_with_copies(m: &Model) -> f64 {
        #[inline(never)]
        fn total(m: &Model, mut carried: Vec<f64>) -> f64 {
            carried.extend(&m.weights);
            match &m.next {
                Some(next) => total(next, carried.clone()) * m.bias,
                None => carried.iter().map(|x| x * x).sum(),
            }
        }
        total(m, m.layers[0].clone())
    }

    fn rows_by_an_order_of_counts(m: &Model) -> f64 {
        let order = m.sizes.clone();
        let sorted: Vec<f64> = order.iter().map(|k| m.weights[*k]).collect();
        sorted[0] * sorted[1].sin() + sorted[2]
    }

    fn collected_rows(m: &Model) -> f64 {
        let rows: Vec<Vec<f64>> = m.layers.iter().map(|row| row.iter().map(|x| x * m.bias).collect()).collect();
        let flat: Vec<f64> = rows.into_iter().flatten().collect();
        flat.iter().map(|x| x.sin()).sum()
    }

    fn a_buffer_filled_from_every_layer(m: &Model) -> f64 {
        let (mut buffer, mut total) = (vec![0.0; 3], 0.0);
        for layer in &m.layers {
            buffer[..layer.len()].copy_from_slice(layer);
            total += buffer.iter().product::<f64>() + buffer[0];
        }
        total
    }
}
