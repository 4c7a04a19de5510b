//! Shadows of another length than their primals.

use crate::assert_close;
use cotangent::autodiff;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[autodiff(sum_reverse, Reverse, Duplicated, Active)]
#[autodiff(sum_forward, Forward, Dual, Dual)]
#[autodiff(sum_lanes, Forward, 3, Dualv, DualOnly)]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[autodiff(double_reverse, Reverse, Duplicated, Duplicated)]
fn double(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = 2.0 * x[i];
    }
}

/// The message of the panic, which has to name both lengths.
#[track_caller]
fn refused<R: std::fmt::Debug>(call: impl FnOnce() -> R, lengths: [usize; 2]) {
    let payload = catch_unwind(AssertUnwindSafe(call)).expect_err("lengths that differ are refused");
    let message =
        payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()));
    let message = message.expect("a panic with a text");
    for length in lengths {
        assert!(message.contains(&length.to_string()), "`{message}` does not name the length {length}");
    }
}

#[test]
fn a_short_or_long_adjoint_is_refused_with_both_lengths() {
    refused(|| sum_reverse(&[1.0; 17], &mut [0.0; 13], 1.0), [17, 13]);
    refused(|| sum_reverse(&[1.0; 17], &mut [0.0; 18], 1.0), [17, 18]);
}

#[test]
fn a_short_or_long_tangent_is_refused_with_both_lengths() {
    refused(|| sum_forward(&[1.0; 17], &[0.0; 13]), [17, 13]);
    refused(|| sum_forward(&[1.0; 17], &[0.0; 18]), [17, 18]);
}

#[test]
fn lanes_have_to_be_all_there() {
    assert_close!(sum_lanes(&[1.0; 5], &[2.0; 15]), [10.0; 3]);
    assert!(catch_unwind(|| sum_lanes(&[1.0; 5], &[2.0; 14])).is_err());
    assert!(catch_unwind(|| sum_lanes(&[1.0; 5], &[2.0; 5])).is_err());
}

#[test]
fn nothing_is_computed_before_the_lengths_are_compared() {
    let (mut y, mut dx) = ([7.0; 4], [7.0; 4]);
    refused(|| double_reverse(&[1.0; 4], &mut dx, &mut y, &mut [1.0; 3]), [4, 3]);
    assert_eq!((y, dx), ([7.0; 4], [7.0; 4]));
}

struct Weights {
    scale: f64,
    w: Vec<f64>,
    /// No part of the shape: the shadow's may be anything.
    rounds: usize,
}

#[autodiff(weighted_reverse, Reverse, Duplicated, Active)]
#[autodiff(weighted_forward, Forward, Dual, Dual)]
fn weighted(net: &Weights) -> f64 {
    let mut sum = 0.0;
    for _ in 0..net.rounds {
        sum += net.w.iter().map(|w| w * w * net.scale).sum::<f64>();
    }
    sum
}

#[test]
fn a_vector_inside_a_shadow_has_the_primals_length_or_is_refused() {
    let net = Weights { scale: 2.0, w: vec![1.0, 2.0, 3.0], rounds: 2 };
    let zeros = |n| Weights { scale: 0.0, w: vec![0.0; n], rounds: 0 };
    let mut adjoint = zeros(3);
    assert_close!(weighted_reverse(&net, &mut adjoint, 1.0), 56.0);
    assert_eq!((adjoint.scale, &adjoint.w[..], adjoint.rounds), (28.0, &[8.0, 16.0, 24.0][..], 0));
    refused(|| weighted_reverse(&net, &mut zeros(2), 1.0), [3, 2]);
    refused(|| weighted_forward(&net, &zeros(7)), [3, 7]);
}

#[autodiff(push_forward, Forward, Dual, Active)]
fn push(v: &mut Vec<f64>, x: f64) {
    for k in 1..4 {
        v.push(x * k as f64 * v[0]);
    }
}

#[test]
fn a_vector_that_grows_has_the_room_of_its_shadow_or_is_refused() {
    let with_room = |values: &[f64], room| {
        let mut v = Vec::with_capacity(room);
        v.extend_from_slice(values);
        v
    };
    for room in [1, 2, 50] {
        let (mut v, mut tangent) = (with_room(&[2.0], room), with_room(&[0.5], room));
        push_forward(&mut v, &mut tangent, 3.0, 1.0);
        assert_close!(v[..], [2.0, 6.0, 12.0, 18.0]);
        assert_close!(tangent[..], [0.5, 3.5, 7.0, 10.5]);
        assert_eq!(v.capacity(), tangent.capacity());
    }
    refused(|| push_forward(&mut with_room(&[2.0], 50), &mut with_room(&[0.5], 1), 3.0, 1.0), [50, 1]);
    refused(|| push_forward(&mut with_room(&[2.0], 1), &mut with_room(&[0.5], 50), 3.0, 1.0), [1, 50]);
    let mut v = with_room(&[2.0], 10);
    let mut tangent = cotangent::zeroed(&v);
    push_forward(&mut v, &mut tangent, 3.0, 1.0);
    assert_close!(tangent[..], [0.0, 2.0, 4.0, 6.0]);
}
