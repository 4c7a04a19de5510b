//! Closures and functions without an attribute.

mod closures {
    mod callables;
    mod forms;
    mod sparse;
}

use cotangent::{derivative, gradient, hessian, hvp, jacobian, jvp, value_and_gradient, vjp};
use testing::{assert_close, noise};

#[test]
fn a_derivative_of_a_closure() {
    let d: f64 = derivative(|t| t.sin() * t, 0.3);
    assert_close!(d, 0.3f64.cos() * 0.3 + 0.3f64.sin());
}

#[test]
fn a_derivative_of_a_function_item_and_of_a_method() {
    fn cube(x: f64) -> f64 {
        x * x * x
    }
    assert_close!(derivative(cube, 2.0), 12.0);
    assert_close!(derivative(f64::tanh, 0.5), 1.0 - 0.5f64.tanh().powi(2));
}

#[test]
fn captured_values_are_constants() {
    let a = 3.0;
    let offsets = vec![1.0, 2.0];
    let d: f64 = derivative(|x| a * x * x + offsets[1] * x + offsets[0], 2.0);
    assert_close!(d, 14.0);
    assert_eq!(offsets, [1.0, 2.0]);
}

#[test]
fn a_gradient_is_a_new_vec() {
    let g: Vec<f64> = gradient(|x: &[f64]| x.iter().map(|v| v * v).sum(), &[1.0, -2.0, 0.5]);
    assert_close!(g, [2.0, -4.0, 1.0]);
}

struct Model {
    weights: Vec<f64>,
    power: i32,
}

impl Model {
    fn loss(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.weights).map(|(x, w)| w * x.powi(self.power)).sum()
    }
}

#[test]
fn a_gradient_of_a_captured_models_loss() {
    let model = Model { weights: vec![1.0, 2.0, -3.0], power: 3 };
    let g = gradient(|x: &[f64]| model.loss(x), &[1.0, 2.0, 0.5]);
    assert_close!(g, [3.0, 24.0, -2.25]);
}

#[test]
fn value_and_gradient_overwrites_what_was_there() {
    let x = [3.0, 4.0];
    let mut g = [100.0, 100.0];
    let v: f64 = value_and_gradient(|x: &[f64]| (x[0] * x[0] + x[1] * x[1]).sqrt(), &x, &mut g);
    assert_close!(v, 5.0);
    assert_close!(g, [0.6, 0.8]);
}

#[test]
fn a_product_of_the_jacobian_with_a_direction() {
    let f = |x: &[f64]| x[0] * x[1].exp();
    let (y, dy): (f64, f64) = jvp(f, &[2.0, 0.0], &[1.0, 3.0]);
    assert_close!((y, dy), (2.0, 7.0));
}

#[test]
fn forward_and_reverse_agree_on_a_closure() {
    let x = noise(1, 20);
    let v = noise(2, 20);
    let a = noise(3, 20);
    let f = |x: &[f64]| x.windows(2).zip(&a).map(|(w, a)| (w[0] * w[1] + a).sin() * a).sum::<f64>();
    let (value, tangent) = jvp(f, &x, &v);
    let mut g = vec![0.0; 20];
    assert_close!(value_and_gradient(f, &x, &mut g), value);
    assert_close!(testing::dot(&g, &v), tangent);
    assert_close!(g, testing::differences::gradient(f, &x), 1e-7);
}

#[test]
fn a_jacobian_is_row_after_row() {
    let j: Vec<f64> = jacobian(
        |x: &[f64], y: &mut [f64]| {
            y[0] = x[0] * x[1];
            y[1] = x[1] * x[1];
            y[2] = 5.0;
        },
        &[2.0, 3.0],
        3,
    );
    assert_close!(j, [3.0, 2.0, 0.0, 6.0, 0.0, 0.0]);
}

#[test]
fn wide_and_tall_jacobians_are_the_same_matrix() {
    fn f(x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for (i, y) in y.iter_mut().enumerate() {
            *y = (x[i % n] * (i as f64 + 1.0)).sin() * x[(i + 1) % n];
        }
    }
    for (n, m) in [(2, 9), (9, 2), (4, 4), (1, 1), (17, 5)] {
        let x = noise(n as u64, n);
        let j = jacobian(f, &x, m);
        assert_eq!(j.len(), n * m);
        for (column, basis) in (0..n).map(|i| (i, (0..n).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>())) {
            let run = |x: &[f64]| {
                let mut y = vec![0.0; m];
                f(x, &mut y);
                y
            };
            let expected = testing::differences::along(run, &x, &basis);
            let got: Vec<f64> = (0..m).map(|row| j[row * n + column]).collect();
            assert_close!(got, expected, 1e-6);
        }
    }
}

#[test]
fn a_closure_called_from_another_function_generically() {
    fn slope_of(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        derivative(f, x)
    }
    let k = 2.5;
    assert_close!(slope_of(|x| x.powi(2) * k, 3.0), 15.0);
    assert_close!(slope_of(|x| x.exp(), 0.0), 1.0);
}

#[test]
fn one_closure_for_many_points() {
    let centre = [1.0, -1.0];
    let f = |x: &[f64]| x.iter().zip(&centre).map(|(x, c)| (x - c) * (x - c)).sum::<f64>();
    let mut x = vec![5.0, 5.0];
    for _ in 0..60 {
        let g = gradient(f, &x);
        x.iter_mut().zip(&g).for_each(|(x, g)| *x -= 0.25 * g);
    }
    assert_close!(x, centre, 1e-9);
}

#[test]
fn a_closure_that_captures_by_move() {
    let table = vec![2.0; 8];
    let f = move |x: &[f64]| x.iter().zip(&table).map(|(x, t)| x * x * t).product::<f64>();
    let g = gradient(&f, &[1.0, 2.0]);
    assert_close!(g, [32.0, 16.0 * 2.0 / 2.0]);
}

#[test]
fn a_closure_in_a_thread() {
    let handles: Vec<_> =
        (1..5).map(|k| std::thread::spawn(move || derivative(move |x: f64| x.powi(k) * f64::from(k), 2.0))).collect();
    let got: Vec<f64> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    let expected: Vec<f64> = (1..5).map(|k| f64::from(k * k) * 2f64.powi(k - 1)).collect();
    assert_close!(got, expected);
}

#[test]
#[should_panic(expected = "below zero")]
fn a_panic_comes_out_of_the_gradient() {
    gradient(
        |x: &[f64]| {
            assert!(x[0] >= 0.0, "below zero");
            x[0].sqrt()
        },
        &[-1.0],
    );
}

#[test]
fn a_hessian_of_a_quadratic_form_is_its_matrix() {
    let a = [2.0, 0.5, -1.0, 0.5, 3.0, 0.25, -1.0, 0.25, 4.0];
    let f = |x: &[f64]| {
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                sum += 0.5 * a[i * 3 + j] * x[i] * x[j];
            }
        }
        sum
    };
    assert_close!(hessian(f, &[0.3, -0.7, 1.1]), a);
    assert_close!(hvp(f, &[0.3, -0.7, 1.1], &[1.0, 0.0, 2.0]), [0.0, 1.0, 7.0]);
}

#[test]
fn a_hessian_of_a_curved_function_is_symmetric_and_right() {
    let f = |x: &[f64]| (x[0] * x[1]).sin() + x[2].exp() * x[0];
    let x = [0.4, 1.2, -0.3];
    let h = hessian(f, &x);
    let (s, c) = (0.4f64 * 1.2).sin_cos();
    let e = (-0.3f64).exp();
    let expected = [-1.44 * s, c - 0.48 * s, e, c - 0.48 * s, -0.16 * s, 0.0, e, 0.0, e * 0.4];
    assert_close!(h, expected);
}

#[test]
fn a_pullback_takes_a_seed_for_each_output() {
    let f = |x: &[f64], y: &mut [f64]| {
        y[0] = x[0] * x[1];
        y[1] = x[0] + x[1].sin();
    };
    assert_close!(vjp(f, &[2.0, 3.0], &[1.0, 10.0]), [3.0 + 10.0, 2.0 + 10.0 * 3f64.cos()]);
}

#[test]
fn closures_work_in_f32_too() {
    let g: Vec<f32> = gradient(|x: &[f32]| x[0] * x[0] * x[1], &[2.0f32, 3.0]);
    assert_close!(g, [12.0f32, 4.0]);
    let d: f32 = derivative(|t| t * t * t, 2.0);
    assert_close!(d, 12.0f32);
    let (y, dy): (f32, f32) = jvp(|x: &[f32]| x[0] / x[1], &[3.0, 2.0], &[1.0, 1.0]);
    assert_close!((y, dy), (1.5f32, -0.25f32));
}
