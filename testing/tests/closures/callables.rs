//! Whatever can be called: pointers, boxes, lists of functions, methods of objects, closures that keep books.

use cotangent::{derivative, gradient, hessian, jacobian, vjp};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use testing::{assert_close, differences, noise};

#[test]
fn pointers_to_functions() {
    fn square(x: f64) -> f64 {
        x * x
    }
    fn cube(x: f64) -> f64 {
        x * x * x
    }
    fn norm(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }
    let which: [fn(f64) -> f64; 2] = std::hint::black_box([square, cube]);
    assert_close!(which.map(|f| derivative(f, 2.0)), [4.0, 12.0]);
    assert_close!(derivative(|x| which.iter().fold(x, |x, f| f(x)), 1.5), 6.0 * 1.5f64.powi(5));
    let norm: fn(&[f64]) -> f64 = std::hint::black_box(norm);
    assert_close!(gradient(norm, &[1.0, 2.0]), [2.0, 4.0]);
}

#[test]
fn boxes_and_lists_of_closures() {
    fn grown(rate: f64) -> impl Fn(f64) -> f64 + Clone {
        move |x| (rate * x).exp()
    }
    let boxed: Box<dyn Fn(f64) -> f64> = Box::new(grown(1.5));
    assert_close!(derivative(&boxed, 0.3), 1.5 * 0.45f64.exp());
    assert_close!(derivative(&*boxed, 0.3), 1.5 * 0.45f64.exp());
    assert_close!(derivative(|x| boxed(x) * x, 0.3), 1.45 * 0.45f64.exp());
    let of_slices = Box::new(|x: &[f64]| x[0] * x[1]) as Box<dyn Fn(&[f64]) -> f64>;
    assert_close!(gradient(&of_slices, &[2.0, 3.0]), [3.0, 2.0]);
    let layers: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|x| x * x), Box::new(f64::sin), Box::new(grown(2.0))];
    let (x, all) = (0.7, |x: f64| layers.iter().fold(x, |x, layer| layer(x)));
    assert_close!(derivative(all, x), 2.0 * x * (x * x).cos() * 2.0 * (2.0 * (x * x).sin()).exp());
}

#[test]
fn objects_whose_gradient_is_a_provided_method() {
    trait Problem {
        fn cost(&self, x: &[f64]) -> f64;
        fn slope(&self, x: &[f64]) -> Vec<f64> {
            gradient(|x: &[f64]| self.cost(x), x)
        }
    }
    struct Valley {
        steepness: Vec<f64>,
    }
    impl Problem for Valley {
        fn cost(&self, x: &[f64]) -> f64 {
            let steps = x.windows(2).zip(self.steepness.iter().cycle());
            steps.map(|(w, steepness)| (1.0 - w[0]).powi(2) + steepness * (w[1] - w[0] * w[0]).powi(2)).sum()
        }
    }
    struct Bowl;
    impl Problem for Bowl {
        fn cost(&self, x: &[f64]) -> f64 {
            x.iter().map(|x| x * x).sum()
        }
    }
    let problems: [Box<dyn Problem>; 2] = [Box::new(Valley { steepness: vec![100.0, 10.0] }), Box::new(Bowl)];
    let x = [0.3, 0.5, -0.2];
    for problem in &problems {
        assert_close!(problem.slope(&x), differences::gradient(|x| problem.cost(x), &x), 1e-7);
    }
}

#[test]
fn closures_that_keep_books_run_once() {
    let (count, log) = (Cell::new(0), RefCell::new(Vec::new()));
    let f = |x: &[f64]| {
        count.set(count.get() + 1);
        log.borrow_mut().push("called");
        x[0] * x[1]
    };
    assert_close!(gradient(f, &[2.0, 3.0]), [3.0, 2.0]);
    assert_eq!((count.get(), &log.borrow()[..]), (1, &["called"][..]));
}

#[test]
fn closures_that_look_things_up() {
    let factors = HashMap::from([("quadratic".to_owned(), 2.0), ("linear".to_owned(), 3.0)]);
    let f = |x: &[f64]| {
        factors["quadratic"] * x[0] * x[0] + factors.get("linear").copied().unwrap_or(0.0) * x[1]
            - factors.get("none").copied().unwrap_or(0.0)
    };
    assert_close!(gradient(f, &[2.0, 1.0]), [8.0, 3.0]);
}

#[test]
fn results_that_are_read_while_they_are_written() {
    let f = |x: &[f64], y: &mut [f64]| {
        for x in x {
            y[0] += x * x;
            y[1] = y[0] * x;
        }
    };
    // y0 = a² + b², y1 = y0 b.
    assert_close!(jacobian(f, &[2.0, 3.0], 2), [4.0, 6.0, 12.0, 31.0]);
    assert_close!(vjp(f, &[2.0, 3.0], &[0.0, 1.0]), [12.0, 31.0]);
}

#[test]
fn jacobians_of_every_shape_in_single_precision() {
    for (n, m) in [(1, 40), (40, 1), (7, 3), (3, 7), (13, 13), (5, 4), (4, 5)] {
        let x: Vec<f32> = noise(n as u64, n).iter().map(|x| *x as f32).collect();
        let f = |x: &[f32], y: &mut [f32]| {
            let sum: f32 = x.iter().map(|x| x * x).sum();
            y.iter_mut().enumerate().for_each(|(k, y)| *y = sum * (k as f32 * 0.1) + x[k % x.len()].exp());
        };
        let entry = |k: usize, i: usize| {
            let own = if k % n == i { x[i].exp() } else { 0.0 };
            2.0 * x[i] * (k as f32 * 0.1) + own
        };
        let expected: Vec<f32> = (0..m * n).map(|at| entry(at / n, at % n)).collect();
        assert_close!(jacobian(f, &x, m), expected, 1e-5);
    }
}

#[test]
fn a_hessian_through_vectors_that_grow() {
    let f = |x: &[f64]| {
        let mut products: Vec<f64> = Vec::new();
        for (i, a) in x.iter().enumerate() {
            x[..=i].iter().for_each(|b| products.push(a * b * b));
        }
        let rows: Vec<Vec<f64>> = products.chunks(2).map(<[f64]>::to_vec).collect();
        rows.iter().map(|row| row.iter().product::<f64>()).sum::<f64>()
    };
    let x = [0.7, -1.2, 0.9];
    for (i, row) in hessian(f, &x).chunks(3).enumerate() {
        let unit: [f64; 3] = std::array::from_fn(|k| f64::from(u8::from(k == i)));
        assert_close!(row, differences::along(|x| gradient(f, x), &x, &unit), 1e-7);
    }
}

#[test]
fn the_derivative_of_an_optimiser_that_uses_derivatives() {
    let minimum = |p: f64| {
        let mut x = 0.0;
        for _ in 0..30 {
            x -= 0.1 * derivative(|y: f64| (y - p).powi(2) + 0.1 * y.powi(4), x);
        }
        x
    };
    assert_close!(derivative(minimum, 0.8), differences::slope(minimum, 0.8), 1e-8);
    let slopes = |x: &[f64], y: &mut [f64]| y.copy_from_slice(&gradient(|z: &[f64]| z[0] * z[0] * z[1], x));
    assert_close!(jacobian(slopes, &[2.0, 3.0], 2), [6.0, 4.0, 4.0, 0.0]);
}
