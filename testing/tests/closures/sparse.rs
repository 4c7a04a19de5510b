//! Sparse Jacobians and Hessians, against dense ones.

use cotangent::sparse::{HessianColouring, JacobianColouring, MissingEntry, Pattern};
use cotangent::{Real, custom_derivative, hessian, jacobian, sparse_hessian, sparse_jacobian};
use std::cell::Cell;
use testing::{assert_close, noise};

/// Both the dense matrix, and that nothing is stored which the pattern of nonzeros does not have or lack.
#[track_caller]
fn same_jacobian(f: impl Fn(&[f64], &mut [f64]), x: &[f64], m: usize) -> usize {
    let dense = jacobian(&f, x, m);
    let sparse = sparse_jacobian(&f, x, m).unwrap();
    assert_eq!((sparse.rows(), sparse.cols()), (m, x.len()));
    assert_close!(sparse.to_dense(), dense);
    sparse.nnz()
}

fn oregonator(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let (left, right) = (if i > 0 { x[i - 1] } else { 0.5 }, if i + 1 < n { x[i + 1] } else { 1.0 });
        y[i] = left * x[i].sin() - x[i] * right.exp() + x[i].powi(3);
    }
}

#[test]
fn a_band_is_detected_and_right() {
    for n in [1, 2, 3, 5, 8, 33] {
        assert_eq!(same_jacobian(oregonator, &noise(n as u64, n), n), 3 * n - 2);
    }
}

#[test]
fn an_evaluation_calls_the_function_once_for_each_four_colours_and_once_to_verify() {
    let n = 200;
    let calls = Cell::new(0);
    let f = |x: &[f64], y: &mut [f64]| {
        calls.set(calls.get() + 1);
        oregonator(x, y);
    };
    let colouring = JacobianColouring::new(&Pattern::banded(n, n, 1, 1));
    assert_eq!((colouring.sweeps(), colouring.is_forward()), (3, true));
    let x = noise(4, n);
    let sparse = colouring.evaluate(f, &x).unwrap();
    // Three colours are carried by one run of the function.
    assert_eq!(calls.get(), 2);
    assert_close!(sparse.to_dense(), jacobian(oregonator, &x, n));
    calls.set(0);
    assert_eq!(Pattern::of_jacobian(f, &x, n), *colouring.pattern());
    // Eight halvings of some six colours each, four carried by one run; columns one by one would be 50.
    assert!(calls.get() <= 20, "{} runs to find the pattern", calls.get());
}

#[test]
fn a_full_row_is_a_reverse_sweep() {
    let n = 40;
    let calls = Cell::new(0);
    let f = |x: &[f64], y: &mut [f64]| {
        calls.set(calls.get() + 1);
        for i in 0..n {
            y[i] = x[i] * x[i].cos();
        }
        y[n] = x.iter().map(|v| v * v).sum::<f64>() * x[0];
    };
    let pattern = Pattern::from_entries(n + 1, n, (0..n).flat_map(|i| [(i, i), (n, i)]));
    let colouring = JacobianColouring::new(&pattern);
    assert_eq!((colouring.sweeps(), colouring.is_forward()), (2, false));
    let x = noise(5, n);
    let sparse = colouring.evaluate(f, &x).unwrap();
    assert_eq!(calls.get(), 3);
    assert_close!(sparse.to_dense(), jacobian(f, &x, n + 1));
}

/// Each result has some variables that look like chance.
fn scattered(x: &[f64], y: &mut [f64], each: usize) {
    let (n, mut state) = (x.len(), 12_345usize);
    for (i, y) in y.iter_mut().enumerate() {
        let mut product = 1.0;
        for _ in 0..each {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            product *= (x[(state >> 33) % n] + i as f64).sin() + 1.5;
        }
        *y += product;
    }
}

#[test]
fn scattered_entries_are_detected_by_either_mode_and_right() {
    for (n, m, each) in [(30, 30, 2), (50, 20, 3), (20, 50, 3), (1, 9, 1), (9, 1, 4), (64, 65, 1), (65, 64, 2)] {
        let x = noise(n as u64, n);
        let nnz = same_jacobian(|x: &[f64], y: &mut [f64]| scattered(x, y, each), &x, m);
        assert!(nnz <= m * each);
    }
}

#[test]
fn nothing_times_nothing_is_a_matrix_too() {
    assert_eq!(same_jacobian(|_, _| (), &[], 0), 0);
    assert_eq!(same_jacobian(|_, _| (), &[1.0, 2.0, 3.0], 0), 0);
    assert_eq!(same_jacobian(|_, y| y.fill(1.0), &[], 3), 0);
    assert_eq!(same_jacobian(|_, y| y.fill(1.0), &[1.0, 2.0], 3), 0);
    assert_eq!(sparse_hessian(|_: &[f64]| 1.0, &[]).unwrap().nnz(), 0);
    assert_eq!(sparse_hessian(|x: &[f64]| x[0] + 2.0 * x[1], &[1.0, 1.0]).unwrap().nnz(), 0);
}

#[test]
fn an_entry_that_is_zero_by_chance_is_detected() {
    let f = |x: &[f64], y: &mut [f64]| {
        y[0] = x[0] * x[1];
        y[1] = x[2] * x[2];
        y[2] = x[0].cos() - x[1] * x[3];
    };
    let pattern = Pattern::of_jacobian(f, &[0.0; 4], 3);
    assert_eq!(pattern, Pattern::from_entries(3, 4, [(0, 0), (0, 1), (1, 2), (2, 0), (2, 1), (2, 3)]));
}

#[test]
fn a_pattern_of_another_branch_is_an_error_and_never_a_zero() {
    let f = |x: &[f64], y: &mut [f64]| {
        for i in 0..4 {
            y[i] = x[i] * x[i];
        }
        if x[0] > 0.0 {
            y[2] += x[1] * 1e-6;
        }
    };
    let (here, there) = ([-1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
    let pattern = Pattern::of_jacobian(f, &here, 4);
    let colouring = JacobianColouring::new(&pattern);
    assert_eq!(colouring.sweeps(), 1);
    assert_close!(colouring.evaluate(f, &here).unwrap().to_dense(), jacobian(f, &here, 4));
    // The entry at (2, 1) is added to the one at (2, 2), a million times larger.
    assert_eq!(colouring.evaluate(f, &there).unwrap_err(), MissingEntry::InRow(2));
    let both = JacobianColouring::new(&pattern.union(&Pattern::of_jacobian(f, &there, 4)));
    for x in [here, there] {
        assert_close!(both.evaluate(f, &x).unwrap().to_dense(), jacobian(f, &x, 4));
    }
}

#[test]
fn each_entry_that_a_pattern_lacks_is_an_error() {
    let (n, m) = (7, 6);
    let f = |x: &[f64], y: &mut [f64]| {
        for i in 0..m {
            y[i] = (x[i] * x[i + 1]).exp() * 10f64.powi(3 * i as i32);
        }
    };
    let x = noise(9, n);
    let full = Pattern::of_jacobian(f, &x, m);
    assert_eq!(full, Pattern::banded(m, n, 0, 1));
    for (row, col) in full.entries() {
        let lacking = Pattern::from_entries(m, n, full.entries().filter(|place| *place != (row, col)));
        let error = JacobianColouring::new(&lacking).evaluate(f, &x).unwrap_err();
        assert!(
            [MissingEntry::InRow(row), MissingEntry::InColumn(col)].contains(&error),
            "{error:?} at ({row}, {col})"
        );
    }
    // By reverse sweeps as well.
    let wide = |x: &[f64], y: &mut [f64]| {
        y[0] = x.iter().map(|v| v * v).sum::<f64>();
        y[1] = x[3] * x[5];
    };
    let lacking = Pattern::from_entries(2, n, (0..n).map(|col| (0, col)).chain([(1, 3)]));
    let colouring = JacobianColouring::new(&lacking);
    assert!(!colouring.is_forward());
    assert_eq!(colouring.evaluate(wide, &x).unwrap_err(), MissingEntry::InColumn(5));
}

#[test]
fn a_larger_pattern_costs_sweeps_and_is_right() {
    let n = 12;
    let x = noise(10, n);
    for pattern in [Pattern::banded(n, n, 1, 1), Pattern::banded(n, n, 3, 2), Pattern::dense(n, n)] {
        let colouring = JacobianColouring::new(&pattern);
        let sparse = colouring.evaluate(oregonator, &x).unwrap();
        assert_close!(sparse.to_dense(), jacobian(oregonator, &x, n));
        assert_eq!(sparse.pattern(), &pattern);
    }
}

#[test]
fn infinite_entries_are_no_missing_ones() {
    let f = |x: &[f64], y: &mut [f64]| {
        y[0] = x[0].sqrt();
        y[1] = x[1] * x[0];
    };
    // What does not move moves nothing, however steep the slope.
    let (sparse, dense) = (sparse_jacobian(f, &[0.0, 3.0], 2).unwrap().to_dense(), jacobian(f, &[0.0, 3.0], 2));
    assert_eq!((sparse[0], sparse[2], sparse[3]), (f64::INFINITY, 3.0, 0.0));
    assert_eq!((sparse[1], dense[1]), (0.0, 0.0));
}

/// A square whose rule turns a tangent or an adjoint that is NaN into a number.
#[custom_derivative(forward = hiding_jvp, reverse = hiding_vjp)]
fn hiding(x: f64) -> f64 {
    x * x
}

fn hiding_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, if dx.is_nan() { 0.0 } else { 2.0 * x * dx })
}

fn hiding_vjp(x: f64, dret: f64) -> f64 {
    if dret.is_nan() { 0.0 } else { 2.0 * x * dret }
}

#[test]
fn a_rule_that_hides_entries_from_the_detection_is_an_error() {
    for m in [2, 3, 5] {
        let f = |x: &[f64], y: &mut [f64]| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = x[i % 3] * x[(i + 1) % 3] + hiding(x[(i + 2) % 3]);
            }
        };
        assert!(sparse_jacobian(f, &[1.0, 2.0, 3.0], m).is_err());
    }
}

#[test]
fn nan_in_a_matrix_is_no_missing_entry() {
    let factor = std::hint::black_box(f64::NAN);
    let f = |x: &[f64], y: &mut [f64]| {
        y[0] = x[0] * factor;
        y[1] = x[1] * x[2];
        y[2] = x[2].sin();
    };
    let j = sparse_jacobian(f, &[1.0, 2.0, 3.0], 3).unwrap();
    assert!(j.get(0, 0).is_nan());
    assert_close!([j.get(1, 1), j.get(1, 2), j.get(2, 2)], [3.0, 2.0, 3f64.cos()]);
    let lacking = Pattern::from_entries(3, 3, [(1, 1), (1, 2), (2, 2)]);
    assert!(JacobianColouring::new(&lacking).evaluate(f, &[1.0, 2.0, 3.0]).is_err());
}

/// A chain of springs with an anchor that all of them see.
fn energy<T: Real + std::ops::Mul<Output = T> + std::ops::Sub<Output = T> + std::ops::Add<Output = T>>(x: &[T]) -> T {
    let mut sum = T::default();
    for pair in x[1..].windows(2) {
        let stretch = pair[0] - pair[1];
        sum = sum + stretch * stretch * stretch + pair[0] * pair[0] * x[0];
    }
    sum
}

#[test]
fn a_hessian_is_detected_and_right() {
    for n in [2, 3, 4, 5, 9, 30] {
        let x = noise(n as u64 + 100, n);
        let sparse = sparse_hessian(energy::<f64>, &x).unwrap();
        assert_close!(sparse.to_dense(), hessian(energy::<f64>, &x));
    }
}

#[test]
fn a_hessian_takes_as_many_sweeps_as_a_star_colouring_has_colours() {
    let n = 60;
    let calls = Cell::new(0);
    let f = |x: &[f64]| {
        calls.set(calls.get() + 1);
        energy(x)
    };
    let x = noise(11, n);
    let pattern = Pattern::of_hessian(f, &x);
    let colouring = HessianColouring::new(&pattern);
    // One for the anchor, three for the chain; a colouring of columns would need sixty.
    assert_eq!(colouring.sweeps(), 4);
    calls.set(0);
    let sparse = colouring.evaluate(f, &x).unwrap();
    assert_eq!(calls.get(), 2);
    assert_close!(sparse.to_dense(), hessian(f, &x));
}

#[test]
fn hessians_of_scattered_terms_are_read_from_the_right_places() {
    for (n, terms, seed) in [(10, 8, 1u64), (25, 30, 2), (40, 35, 3), (40, 120, 4), (17, 60, 5)] {
        let places: Vec<usize> = noise(seed, 2 * terms).iter().map(|v| ((v + 1.0) * 0.5 * n as f64) as usize).collect();
        let f = |x: &[f64]| places.chunks(2).map(|ends| (x[ends[0]] * x[ends[1]] + 0.3 * x[ends[0]]).sin()).sum();
        let x = noise(seed + 50, n);
        let sparse = sparse_hessian(f, &x).unwrap();
        assert_close!(sparse.to_dense(), hessian(f, &x), 1e-11);
        assert!(HessianColouring::new(sparse.pattern()).sweeps() <= n);
    }
}

#[test]
fn each_entry_that_a_hessians_pattern_lacks_is_an_error() {
    let x = noise(12, 8);
    let full = Pattern::of_hessian(energy::<f64>, &x);
    for (row, col) in full.entries().filter(|(row, col)| row <= col) {
        let kept = full.entries().filter(|place| ![(row, col), (col, row)].contains(place));
        let lacking = HessianColouring::new(&Pattern::from_entries(8, 8, kept));
        assert!(lacking.evaluate(energy::<f64>, &x).is_err(), "({row}, {col})");
    }
}

#[test]
fn single_precision_is_right_too() {
    let x: Vec<f32> = noise(13, 20).iter().map(|v| *v as f32).collect();
    let f = |x: &[f32], y: &mut [f32]| (1..20).for_each(|i| y[i] = x[i] * x[i - 1].exp());
    assert_close!(sparse_jacobian(f, &x, 20).unwrap().to_dense(), jacobian(f, &x, 20), 1e-6);
    assert_close!(sparse_hessian(energy::<f32>, &x).unwrap().to_dense(), hessian(energy::<f32>, &x), 1e-5);
}

#[test]
fn an_evaluation_into_a_matrix_overwrites_it() {
    let n = 9;
    let colouring = JacobianColouring::new(&Pattern::banded(n, n, 1, 1));
    let (first, second) = (noise(14, n), noise(15, n));
    let mut matrix = colouring.evaluate(oregonator, &first).unwrap();
    colouring.evaluate_into(oregonator, &second, &mut matrix).unwrap();
    assert_close!(matrix.to_dense(), jacobian(oregonator, &second, n));
}

#[test]
#[should_panic(expected = "numbers in `x`, and columns of the pattern")]
fn a_point_of_another_length_panics() {
    let _ = JacobianColouring::new(&Pattern::dense(2, 2)).evaluate(|_: &[f64], _: &mut [f64]| (), &[1.0]);
}

#[test]
fn matrices_go_to_sprs() {
    let x = noise(16, 12);
    let dense = jacobian(oregonator, &x, 12);
    let theirs: sprs::CsMat<f64> = sparse_jacobian(oregonator, &x, 12).unwrap().into();
    let v = noise(17, 12);
    let product = &theirs * &sprs::CsVec::new(12, (0..12).collect(), v.clone());
    let expected: Vec<f64> = dense.chunks(12).map(|row| testing::dot(row, &v)).collect();
    assert_close!(product.to_dense().to_vec(), expected);
    let again = JacobianColouring::new(&Pattern::from(&theirs)).evaluate(oregonator, &x).unwrap();
    assert_eq!(sprs::CsMat::from(again), theirs);
}
