//! Arrays of any dimension, views of them, and loops over them.

use crate::functional;
use cotangent::{autodiff, gradient, hvp, jvp};
use ndarray::{Array1, Array2, ArrayD, ArrayView1, ArrayView2, Axis, Zip, aview1, concatenate, s, stack};
use testing::{assert_close, differences};

functional! {
    fn maps_and_arithmetic(x: &[f64]) -> f64 {
        let a = Array1::from_vec(x.to_vec());
        (a.mapv(|v| v.sin()) * &a + 2.0).sum()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn broadcasting_and_sums_along_an_axis(x: &[f64]) -> f64 {
        let a = Array2::from_shape_fn((2, 5), |(i, j)| x[j] * (i + 1) as f64);
        let b = aview1(x);
        (&a * &b).sum_axis(Axis(0)).dot(&b)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_zip_of_arrays(x: &[f64]) -> f64 {
        let a = Array1::from_vec(x.to_vec());
        let mut c = Array1::zeros(5);
        Zip::from(&mut c).and(&a).for_each(|c, a| *c = a * a);
        c.slice(s![1..4]).sum() + c.mean().unwrap()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn the_elements_of_an_array_of_any_dimension(x: &[f64]) -> f64 {
        let a = ArrayD::from_shape_vec(vec![5, 1], x.to_vec()).unwrap();
        let b = a.clone();
        a.iter().zip(b.iter().skip(1)).map(|(a, b)| a * b).sum::<f64>() * a[[3, 0]]
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn slices_with_steps_and_concatenation(x: &[f64]) -> f64 {
        let a = ArrayView1::from(x);
        let b = a.slice(s![..;2]).to_owned();
        let c = concatenate(Axis(0), &[a, b.view()]).unwrap();
        c.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn rows_and_columns(x: &[f64]) -> f64 {
        let a = Array2::from_shape_fn((3, 4), |(i, j)| x[(i * 2 + j) % 5] * (j as f64 + 1.0));
        let rows: f64 = a.rows().into_iter().map(|r| r.dot(&r)).sum();
        rows + a.columns().into_iter().map(|c| c[0] * c[1]).sum::<f64>()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_matrix_times_a_vector(x: &[f64]) -> f64 {
        let a = Array2::from_shape_fn((3, 5), |(i, j)| (i + j) as f64);
        let w = a.dot(&Array1::from(x.to_vec()));
        w.dot(&w)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];
}

#[autodiff(summed_reverse, Reverse, Duplicated, Active)]
#[autodiff(summed_forward, Forward, Dual, Dual)]
fn summed(a: &Array2<f64>) -> f64 {
    a.dot(&a.t()).mapv(f64::sin).sum()
}

#[test]
fn an_array_as_an_argument() {
    let a = Array2::from_shape_fn((3, 2), |(i, j)| 0.3 * i as f64 - 0.2 * j as f64 + 0.1);
    let mut d = Array2::zeros((3, 2));
    let value = summed_reverse(&a, &mut d, 1.0);
    assert_close!(value, summed(&a));
    // Twice the cosines, which are symmetric, times the matrix.
    let expected = a.dot(&a.t()).mapv(|v| 2.0 * v.cos()).dot(&a);
    assert_close!(d.as_slice().unwrap(), expected.as_slice().unwrap());
    let v = Array2::from_shape_fn((3, 2), |(i, j)| i as f64 - 0.5 * j as f64);
    assert_close!(summed_forward(&a, &v), (value, (&v * &expected).sum()));
}

trait Layer {
    fn forward(&self, x: Array2<f32>) -> Array2<f32>;
}

struct Bias(Array1<f32>);

struct Dense {
    weights: Array2<f32>,
    bias: Array1<f32>,
}

impl Layer for Bias {
    fn forward(&self, x: Array2<f32>) -> Array2<f32> {
        x + &self.0
    }
}

impl Layer for Dense {
    fn forward(&self, x: Array2<f32>) -> Array2<f32> {
        x.dot(&self.weights.t()) + &self.bias
    }
}

functional! {
    fn layers_behind_trait_objects(x: &[f32]) -> f32 {
        let weights = Array2::from_shape_fn((2, 2), |(i, j)| x[i + j] * 0.5);
        let layers: Vec<Box<dyn Layer>> = vec![
            Box::new(Bias(Array1::from_iter(x[..2].iter().cloned()))),
            Box::new(Dense { weights, bias: Array1::from_vec(x[2..4].to_vec()) }),
        ];
        let out = layers.iter().fold(Array2::from_elem((2, 2), x[8]), |x, layer| layer.forward(x));
        out.mapv(f32::sin).sum()
    } at [0.3, -0.2, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
}

#[test]
fn a_view_of_captured_data_beside_views_of_the_argument() {
    let data = Array2::from_shape_fn((4, 2), |(i, j)| 0.3 + 0.1 * i as f64 - 0.2 * j as f64);
    let distance = |v: &[f64]| {
        let (means, widths) = (ArrayView2::from_shape((3, 2), &v[..6]).unwrap(), ArrayView1::from(&v[6..8]));
        let from = &data.view().insert_axis(Axis(1)) - &means.insert_axis(Axis(0));
        (from / widths).mapv_into(|v| -0.5 * v * v).sum()
    };
    let at = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.2];
    let mut expected = [0.0; 8];
    for ((_, j), x) in data.indexed_iter() {
        for k in 0..3 {
            let (mean, width) = (at[2 * k + j], at[6 + j]);
            expected[2 * k + j] += (x - mean) / (width * width);
            expected[6 + j] += (x - mean).powi(2) / width.powi(3);
        }
    }
    assert_close!(gradient(distance, &at), expected);
}

#[test]
fn second_derivatives_of_captured_data_beside_a_view_of_the_argument() {
    let data = Array1::from(vec![0.3, 0.7]);
    let cubes = |v: &[f64]| {
        let means = ArrayView2::from_shape((3, 2), &v[..6]).unwrap();
        ((&data - &means) / &data).mapv_into(|v| v * v * v).sum()
    };
    let (at, to) = ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0], [1.0, -0.5, 0.3, 2.0, -1.0, 0.1, 4.0]);
    let second = |i: usize| 6.0 * (data[i % 2] - at[i]) / data[i % 2].powi(3) * to[i];
    let expected: Vec<f64> = (0..6).map(second).chain([0.0]).collect();
    assert_close!(hvp(cubes, &at, &to), expected);
}

#[test]
fn second_derivatives_where_captured_and_own_arrays_are_concatenated() {
    let data = Array1::from(vec![0.4, 0.8]);
    let squares = |p: &[f64]| {
        let own = data.mapv(|v| v * p[0]);
        concatenate(Axis(0), &[data.view(), own.view()]).unwrap().mapv(|v| v * v * v).sum()
    };
    let at = [0.7];
    let expected = |along: f64| 6.0 * at[0] * (0.4f64.powi(3) + 0.8f64.powi(3)) * along;
    assert_close!(hvp(squares, &at, &[0.5]), [expected(0.5)]);
    // The direction is the point itself.
    assert_close!(hvp(squares, &at, &at), [expected(0.7)]);
    let slope = 3.0 * at[0].powi(2) * (0.4f64.powi(3) + 0.8f64.powi(3));
    assert_close!(jvp(squares, &at, &at), (squares(&at), slope * 0.7));
}

enum Stage {
    Dense(Array2<f64>, Array1<f64>),
    Attention(Array2<f64>, Array2<f64>),
    Norm(Array1<f64>),
    Masked,
    Tanh,
}

impl Stage {
    fn apply(&self, x: Array2<f64>) -> Array2<f64> {
        match self {
            Stage::Dense(w, b) => x.dot(w) + b,
            Stage::Attention(q, k) => x.dot(q).dot(&x.dot(k).t()).dot(&x) + x,
            Stage::Norm(gain) => {
                let centred = &x - &x.mean_axis(Axis(1)).unwrap().insert_axis(Axis(1));
                let spread = centred.map_axis(Axis(1), |row| row.dot(&row) + 0.1);
                &centred / &spread.insert_axis(Axis(1)) * gain
            }
            Stage::Masked => {
                let mut seed = 3;
                let mask = Array2::from_shape_simple_fn(x.raw_dim(), || {
                    seed = seed * 5 % 17;
                    f64::from(seed % 3)
                });
                x * mask
            }
            Stage::Tanh => x.mapv_into(f64::tanh),
        }
    }
}

#[autodiff(staged_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(staged_forward, Forward, Dual, Const, Dual)]
fn staged(net: &[Stage], x: &Array2<f64>) -> f64 {
    net.iter().fold(x.to_owned(), |x, stage| stage.apply(x)).sum()
}

/// Stages out of 24 numbers.
fn stages(p: &[f64]) -> Vec<Stage> {
    let matrix = |at: usize, rows: usize| Array2::from_shape_vec((rows, 2), p[at..][..2 * rows].to_vec()).unwrap();
    vec![
        Stage::Dense(matrix(0, 3), Array1::from_vec(p[6..8].to_vec())),
        Stage::Tanh,
        Stage::Masked,
        Stage::Norm(Array1::from_vec(p[8..10].to_vec())),
        Stage::Attention(matrix(10, 2), matrix(14, 2)),
        Stage::Dense(matrix(18, 2), Array1::from_vec(p[22..24].to_vec())),
    ]
}

fn numbers(net: &[Stage]) -> Vec<f64> {
    let of = |stage: &Stage| match stage {
        Stage::Dense(w, b) => w.iter().chain(b).copied().collect(),
        Stage::Attention(q, k) => q.iter().chain(k).copied().collect(),
        Stage::Norm(gain) => gain.to_vec(),
        Stage::Masked | Stage::Tanh => vec![],
    };
    net.iter().flat_map(of).collect()
}

#[test]
fn an_enum_of_layers_applied_one_after_the_other() {
    let x = Array2::from_shape_fn((5, 3), |(i, j)| ((i * 3 + j) as f64).sin());
    let (at, to) = (testing::noise(1, 24), testing::noise(2, 24));
    let mut d = stages(&[0.0; 24]);
    let value = staged_reverse(&stages(&at), &mut d, &x, 1.0);
    assert_close!(value, staged(&stages(&at), &x));
    let slopes = numbers(&d);
    assert_close!(slopes, differences::gradient(|p| staged(&stages(p), &x), &at), 1e-6);
    assert_close!(staged_forward(&stages(&at), &stages(&to), &x), (value, testing::dot(&slopes, &to)));
}

/// Of each node, what its first neighbour has, weighted.
fn gathered(neighbours: &[Vec<usize>], w: &Array2<f64>, h: &Array2<f64>) -> Array2<f64> {
    let z = h.dot(w);
    let rows: Vec<Array1<f64>> = neighbours.iter().map(|of| &z.row(of[0]) * 0.5).collect();
    stack(Axis(0), &rows.iter().map(|r| r.view()).collect::<Vec<_>>()).unwrap()
}

#[autodiff(messages_reverse, Reverse, Const, Duplicated, Active)]
#[autodiff(messages_forward, Forward, Const, Dual, Dual)]
fn messages(neighbours: &[Vec<usize>], heads: &[Array2<f64>]) -> f64 {
    let mut h = Array2::from_shape_fn((3, 2), |(i, j)| heads[0][[j, 0]] * (i + 2 * j) as f64);
    for _ in 0..2 {
        let outs: Vec<_> = heads.iter().map(|w| gathered(neighbours, w, &h)).collect();
        h = outs.iter().fold(Array2::zeros(outs[0].raw_dim()), |a, b| a + b);
    }
    h.mapv(f64::sin).sum()
}

#[test]
fn messages_along_lists_of_neighbours_that_are_constant() {
    let neighbours = [vec![1], vec![0], vec![1]];
    let heads = |p: &[f64]| [0, 4].map(|at| Array2::from_shape_vec((2, 2), p[at..at + 4].to_vec()).unwrap());
    let (at, to) = (testing::noise(3, 8), testing::noise(4, 8));
    let mut d = heads(&[0.0; 8]);
    let value = messages_reverse(&neighbours, &heads(&at), &mut d, 1.0);
    assert_close!(value, messages(&neighbours, &heads(&at)));
    let slopes: Vec<f64> = d.iter().flatten().copied().collect();
    assert_close!(slopes, differences::gradient(|p| messages(&neighbours, &heads(p)), &at), 1e-6);
    assert_close!(messages_forward(&neighbours, &heads(&at), &heads(&to)), (value, testing::dot(&slopes, &to)));
}
