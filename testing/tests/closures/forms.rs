//! The closure functions in both widths of floats, with everything that may be captured or called.

use cotangent::{
    Real, derivative, gradient, hessian, hvp, jacobian, jvp, sparse_hessian, sparse_jacobian, value_and_gradient, vjp,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use testing::{assert_close, differences, dot, noise};

#[test]
fn an_adjoint_that_is_zero_by_chance_still_has_its_curvature() {
    // At 1 the slope of the square is zero, and the selection guards what is multiplied by it.
    let f = |x: &[f64]| {
        let root = if x[0] > 0.0 { x[0].sqrt() } else { 0.0 };
        (root - 1.0) * (root - 1.0)
    };
    assert_close!(hessian(f, &[1.0]), [0.5]);
    assert_close!(hvp(f, &[1.0], &[2.0]), [1.0]);
    assert_close!(hessian(f, &[-1.0]), [0.0]);
    let g = |x: &[f64]| {
        let roots: f64 = x.iter().map(|v| if *v > 0.0 { v.sqrt() } else { 1.0 }).sum();
        (roots - 3.0).powi(2)
    };
    assert_close!(hessian(g, &[1.0, -1.0, 1.0]), [0.5, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.5]);
}

#[test]
fn a_tangent_that_is_zero_by_chance_still_has_its_slope() {
    let f = |x: f64| if x > 0.0 { x.ln() } else { 0.0 };
    // d/ds of f'(x) s at s = 0, which is f'(x).
    let along = |s: f64| jvp(|x: &[f64]| f(x[0]), &[2.0], &[s]).1;
    assert_close!(derivative(along, 0.0), 0.5);
    assert_close!(derivative(|s: f64| derivative(|t: f64| f(2.0 + s * t), 0.3), 0.0), 0.5);
    // The arm not taken stays zero, with its infinite slope.
    assert_close!(derivative(|s: f64| derivative(|t: f64| f(s * t), 0.0), 0.0), 0.0);
    // And in a third derivative: (x ln x)''' is -1 / x².
    let third = |x: f64| {
        derivative(|a: f64| derivative(|b: f64| derivative(|c: f64| if c > 0.0 { c * c.ln() } else { c }, b), a), x)
    };
    assert_close!(third(2.0), -0.25);
    assert_close!(third(-2.0), 0.0);
}

#[test]
fn curvature_through_reverse_over_reverse_is_not_lost_either() {
    let f = |x: &[f64]| {
        let root = if x[0] > 0.0 { x[0].sqrt() } else { 0.0 };
        (root - 1.0) * (root - 1.0) * x[1]
    };
    let slope = |x: &[f64]| dot(&gradient(f, x), &[1.0, 0.0]);
    assert_close!(gradient(slope, &[1.0, 3.0]), [1.5, 0.0]);
    assert_close!(gradient(slope, &[-1.0, 3.0]), [0.0, 0.0]);
    assert_close!(hessian(f, &[1.0, 3.0]), [1.5, 0.0, 0.0, 0.0]);
}

/// Each function in one width, against differences.
macro_rules! all_forms {
    ($name:ident, $float:ty, $slack:literal, $curved:literal) => {
        #[test]
        fn $name() {
            let c: Vec<$float> = noise(31, 5).iter().map(|v| *v as $float).collect();
            let x: Vec<$float> = noise(32, 5).iter().map(|v| *v as $float).collect();
            let v: Vec<$float> = noise(33, 5).iter().map(|v| *v as $float).collect();
            let f = |x: &[$float]| x.windows(2).zip(&c).map(|(w, c)| (w[0] * w[1] + c).sin() * c).sum::<$float>();
            let in_f64 = |x: &[f64]| {
                let terms = x.windows(2).zip(&c).map(|(w, c)| (w[0] * w[1] + *c as f64).sin() * *c as f64);
                terms.sum::<f64>()
            };
            let (x64, v64): (Vec<f64>, Vec<f64>) = x.iter().zip(&v).map(|(x, v)| (*x as f64, *v as f64)).unzip();
            let expected = differences::gradient(in_f64, &x64);
            let mut g = vec![7.0; 5];
            assert_close!(value_and_gradient(f, &x, &mut g), f(&x), $slack);
            assert_close!(g, expected, $slack);
            assert_close!(gradient(&f, &x), expected, $slack);
            assert_close!(jvp(f, &x, &v), (f(&x), dot(&expected, &v64)), $slack);
            assert_close!(
                derivative(|t: $float| f(&[t, c[0], c[1], t, t]), x[0]),
                { differences::slope(|t: f64| in_f64(&[t, c[0] as f64, c[1] as f64, t, t]), x64[0]) },
                $slack
            );

            let in_place =
                |x: &[$float], y: &mut [$float]| y.iter_mut().zip(x).for_each(|(y, x)| *y += x * x * x * f(&x_of(*x)));
            fn x_of(x: $float) -> [$float; 3] {
                [x, 2.0 * x, 0.5]
            }
            let one = |x: f64| x.powi(3) * in_f64(&[x, 2.0 * x, 0.5]);
            let slopes: Vec<f64> = x64.iter().map(|x| differences::slope(one, *x)).collect();
            for m in [2, 5] {
                let j = jacobian(in_place, &x, m);
                let expected: Vec<f64> = (0..m * 5).map(|k| if k / 5 == k % 5 { slopes[k / 5] } else { 0.0 }).collect();
                assert_close!(j, expected, $slack);
                assert_close!(sparse_jacobian(in_place, &x, m).unwrap().to_dense(), expected, $slack);
                let pulled: Vec<f64> = (0..5).map(|i| if i < m { slopes[i] * v64[i] } else { 0.0 }).collect();
                assert_close!(vjp(in_place, &x, &v[..m]), pulled, $slack);
            }

            let h = hessian(f, &x);
            for i in 0..5 {
                let mut unit = vec![0.0; 5];
                unit[i] = 1.0;
                let row = differences::along(|x| gradient(in_f64, x), &x64, &unit);
                let got: Vec<f64> = h[5 * i..5 * i + 5].iter().map(|v| *v as f64).collect();
                assert_close!(got, row, $curved);
            }
            let product: Vec<f64> =
                h.chunks(5).map(|row| row.iter().zip(&v64).map(|(h, v)| *h as f64 * v).sum()).collect();
            assert_close!(hvp(f, &x, &v), product, $curved);
            assert_close!(sparse_hessian(f, &x).unwrap().to_dense(), h, $curved);
        }
    };
}
all_forms!(every_function_in_double_precision, f64, 1e-8, 1e-7);
all_forms!(every_function_in_single_precision, f32, 2e-4, 2e-3);

/// A model behind references, boxes, shared counts and cells.
struct Model<'a> {
    scale: &'a f64,
    boxed: Box<[f64; 2]>,
    shared: Rc<Vec<f64>>,
    cell: &'a Cell<f64>,
    behind: &'a RefCell<Vec<f64>>,
}

#[test]
fn whatever_is_captured_is_constant() {
    let (scale, cell, behind) = (3.0, Cell::new(0.25), RefCell::new(vec![1.5, -2.0]));
    let model = Model {
        scale: &scale,
        boxed: Box::new([0.5, 2.0]),
        shared: Rc::new(vec![4.0, 5.0]),
        cell: &cell,
        behind: &behind,
    };
    let f = |x: &[f64]| {
        let behind = model.behind.borrow();
        let own = x[0] * model.boxed[1] + x[1] * model.shared[0] * model.cell.get();
        (own * *model.scale).sin() + x[0] * behind[1] + model.shared[1] * behind[0]
    };
    let x = [0.3, -0.7];
    let expected = differences::gradient(f, &x);
    assert_close!(gradient(f, &x), expected, 1e-8);
    assert_close!(jvp(f, &x, &[1.0, 0.0]).1, expected[0], 1e-8);
    assert_eq!((cell.get(), behind.borrow().as_slice()), (0.25, &[1.5, -2.0][..]));
}

#[test]
fn functions_of_others_and_of_types_are_taken() {
    assert_close!(derivative(f64::exp, 1.0), 1f64.exp());
    assert_close!(derivative(f32::sqrt, 4.0), 0.25f32);
    assert_close!(derivative(libm::tgamma, 3.0), differences::slope(libm::tgamma, 3.0), 1e-8);
    assert_close!(gradient(|x: &[f64]| dot(x, &[2.0, 3.0]), &[1.0, 1.0]), [2.0, 3.0]);
    fn norm<T: Real + std::ops::Mul<Output = T> + std::iter::Sum>(x: &[T]) -> T {
        x.iter().map(|v| *v * *v).sum()
    }
    assert_close!(gradient(norm::<f64>, &[1.0, -2.0]), [2.0, -4.0]);
    assert_close!(gradient(norm::<f32>, &[1.0, -2.0]), [2.0f32, -4.0]);
}

#[test]
fn a_closure_that_takes_closures() {
    fn composed(outer: impl Fn(f64) -> f64, inner: impl Fn(f64) -> f64) -> impl Fn(f64) -> f64 {
        move |x| outer(inner(x))
    }
    let k = 0.75;
    let f = composed(f64::sin, composed(move |x| k * x * x, f64::cosh));
    assert_close!(derivative(&f, 0.4), differences::slope(&f, 0.4), 1e-8);
}

#[test]
fn closures_of_no_numbers_and_of_one() {
    assert_eq!(gradient(|_: &[f64]| 3.0, &[]), [0.0; 0]);
    assert_eq!(hessian(|_: &[f64]| 3.0, &[]), [0.0; 0]);
    assert_eq!(jacobian(|_: &[f64], y: &mut [f64]| y.fill(1.0), &[], 3), [0.0; 0]);
    assert_eq!(jacobian(|_: &[f64], _: &mut [f64]| (), &[1.0, 2.0], 0), [0.0; 0]);
    assert_eq!(vjp(|_: &[f64], _: &mut [f64]| (), &[1.0, 2.0], &[]), [0.0, 0.0]);
    assert_eq!(jvp(|_: &[f64]| 3.0, &[], &[]), (3.0, 0.0));
    assert_eq!(hessian(|x: &[f64]| x[0] * x[0], &[1.0]), [2.0]);
}

#[test]
fn every_number_of_columns_fills_its_lanes() {
    for n in 1..=9 {
        let x = noise(n as u64 + 40, n);
        let f = |x: &[f64], y: &mut [f64]| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = (0..x.len()).map(|k| (x[k] * (i + k) as f64).sin()).product();
            }
        };
        let m = n + 2;
        let j = jacobian(f, &x, m);
        for row in 0..m {
            let one = |x: &[f64]| {
                let mut y = vec![0.0; m];
                f(x, &mut y);
                y[row]
            };
            assert_close!(gradient(one, &x), j[row * n..(row + 1) * n], 1e-11);
            assert_close!(hessian(one, &x), whole_hessian(one, &x), 1e-10);
        }
    }
}

/// The Hessian product by product.
fn whole_hessian(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let unit = |i: usize| (0..x.len()).map(|k| f64::from(u8::from(k == i))).collect::<Vec<_>>();
    (0..x.len()).flat_map(|i| hvp(&f, x, &unit(i))).collect()
}

#[test]
fn the_shape_decides_how_a_jacobian_is_made() {
    let calls = Cell::new(0);
    let f = |x: &[f64], y: &mut [f64]| {
        calls.set(calls.get() + 1);
        let sum: f64 = x.iter().sum();
        y.iter_mut().zip(1..).for_each(|(y, i)| *y = (sum * f64::from(i)).sin());
    };
    // Wide: a reverse sweep for each row. Tall: a forward sweep for each four columns.
    for (n, m, expected) in [(12, 3, 3), (3, 12, 1), (8, 8, 2), (9, 9, 3), (12, 12, 3)] {
        calls.set(0);
        jacobian(f, &noise(50, n), m);
        assert_eq!(calls.get(), expected, "{m} by {n}");
    }
}

#[test]
fn a_closure_of_a_closure_functions_result() {
    // The gradient of a step of gradient descent.
    let f = |x: &[f64]| (x[0] * x[1]).sin() + x[0].powi(4);
    let after = |x: &[f64]| {
        let g = gradient(f, x);
        f(&[x[0] - 0.1 * g[0], x[1] - 0.1 * g[1]])
    };
    let x = [0.6, -0.4];
    assert_close!(gradient(after, &x), differences::gradient(after, &x), 1e-7);
    assert_close!(jvp(after, &x, &[0.3, 1.0]).1, dot(&differences::gradient(after, &x), &[0.3, 1.0]), 1e-7);
}

#[test]
#[should_panic(expected = "the shadow of `x` has length 1, but `x` has length 2")]
fn a_gradient_of_another_length_panics_with_both() {
    value_and_gradient(|x: &[f64]| x[0], &[1.0, 2.0], &mut [0.0]);
}

#[test]
#[should_panic(expected = "the shadow of `x` has length 3, but `x` has length 2")]
fn a_direction_of_another_length_panics_with_both() {
    jvp(|x: &[f64]| x[0], &[1.0, 2.0], &[0.0; 3]);
}

#[test]
fn a_panic_in_a_jacobian_leaves_the_next_one_right() {
    let limit = Cell::new(1.0);
    let f = |x: &[f64], y: &mut [f64]| {
        for i in 0..y.len() {
            y[i] = x[i] * x[i + 1];
            assert!(y[i] < limit.get(), "too large");
        }
    };
    let x = [2.0, 3.0, 4.0];
    let run = std::panic::AssertUnwindSafe(|| jacobian(f, &x, 2));
    assert!(std::panic::catch_unwind(run).is_err());
    limit.set(100.0);
    assert_close!(jacobian(f, &x, 2), [3.0, 2.0, 0.0, 0.0, 4.0, 3.0]);
}

#[test]
fn a_library_differentiates_the_closures_that_it_is_given() {
    let centre = [1.0, -2.0];
    let f = |x: &[f64]| x.iter().zip(&centre).map(|(x, c)| (x - c).powi(2) * (1.0 + 0.1 * (x - c).cos())).sum::<f64>();
    assert_close!(companion::minimum(f, &[3.0, 3.0]), centre, 1e-9);
    assert_close!(companion::curvature(|x: f32| x.powi(3), 2.0), 12.0f32);
    assert_close!(companion::curvature(f64::sin, 0.5), -0.5f64.sin());
}

/// The second derivative in four nestings, against differences of the first.
#[track_caller]
fn curved(f: impl Fn(f64) -> f64 + Copy, x: f64) {
    let slope = |x: f64| gradient(|x: &[f64]| f(x[0]), &[x])[0];
    let expected = differences::slope(slope, x);
    assert_close!(hessian(|x: &[f64]| f(x[0]), &[x]), [expected], 1e-6);
    assert_close!(gradient(|x: &[f64]| slope(x[0]), &[x]), [expected], 1e-6);
    assert_close!(derivative(|x| derivative(f, x), x), expected, 1e-6);
    assert_close!(gradient(|x: &[f64]| derivative(f, x[0]), &[x]), [expected], 1e-6);
}

#[test]
fn curvature_where_first_derivatives_vanish() {
    let (one, two) = (std::hint::black_box(1.0), std::hint::black_box(2.0));
    let twice = std::hint::black_box(2i32);
    curved(|x| x.powf(two + 2.0), 0.0);
    curved(|x| x.powi(twice), 0.0);
    curved(|x| x.hypot(one), 0.0);
    curved(|x| one.atan2(x), 0.0);
    curved(|x| (x * x).max(-1.0) * (x + 1.0), 0.0);
    curved(|x| if x > -1.0 { (x * x).cosh() } else { x }, 0.0);
    curved(|x| x.ln().powi(twice), 1.0);
    curved(|x| if x > 0.0 { x.ln() * x.ln() } else { 0.0 }, 1.0);
    curved(|x| x.abs() * x, -0.7);
}

#[test]
fn the_hessian_of_a_loop_that_ends_when_it_ends() {
    let f = |x: &[f64]| {
        let (mut y, mut i) = (x[0], 0.0);
        while y < 1e3 {
            y = y * y.sqrt() + x[1] * i;
            i += 1.0;
        }
        y.ln()
    };
    let x = [1.5, 2.0];
    let slope = |i: usize| move |x: &[f64]| gradient(f, x)[i];
    let expected = [differences::gradient(slope(0), &x), differences::gradient(slope(1), &x)].concat();
    assert_close!(hessian(f, &x), expected, 1e-7);
    assert_close!(sparse_hessian(f, &x).unwrap().to_dense(), expected, 1e-7);
    assert_close!(gradient(slope(1), &x), expected[2..], 1e-7);
}
