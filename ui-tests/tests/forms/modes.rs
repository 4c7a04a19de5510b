//! The rows of the attribute's table: activities in both modes, widths, results.

use cotangent::autodiff;

#[autodiff(Reverse, Active, Active)]
#[autodiff(d_square_only, Reverse, Active, ActiveOnly)]
#[autodiff(t_square, Forward, Dual, Dual)]
#[autodiff(t_square_only, Forward, Dual, DualOnly)]
#[autodiff(t_square_three, Forward, 3, Dual, Dual)]
#[autodiff(t_square_three_only, Forward, 3, Dual, DualOnly)]
#[autodiff(t_square_const, Forward, Const, Const)]
#[autodiff(t_square_read_as_dual, Forward, Active, Active)]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn a_value_in_and_a_value_out() {
    assert_eq!(d_square(3.0, 1.0), (9.0, 6.0));
    assert_eq!(d_square_only(3.0, 2.0), 12.0);
    assert_eq!(t_square(3.0, 1.0), (9.0, 6.0));
    assert_eq!(t_square_only(3.0, 0.5), 3.0);
    assert_eq!(t_square_three(3.0, 1.0, 2.0, 0.0), [9.0, 6.0, 12.0, 0.0]);
    assert_eq!(t_square_three_only(3.0, 1.0, 2.0, 0.0), [6.0, 12.0, 0.0]);
    assert_eq!(t_square_const(3.0), 9.0);
    assert_eq!(t_square_read_as_dual(3.0, 1.0), (9.0, 6.0));
}

#[autodiff(Reverse, Duplicated, Active, Const, Active)]
#[autodiff(d_dot_only, Reverse, DuplicatedOnly, Active, Const, ActiveOnly)]
#[autodiff(t_dot, Forward, Dual, Dual, Const, Dual)]
#[autodiff(t_dot_two, Forward, 2, Dual, Const, Const, DualOnly)]
#[autodiff(t_dot_lanes, Forward, 2, Dualv, Const, Const, DualOnly)]
fn dot(x: &[f64], scale: f64, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * weights[i];
    }
    scale * sum
}

#[test]
fn slices() {
    let (x, w) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
    let mut dx = [100.0, 0.0, 0.0];
    assert_eq!(d_dot(&x, &mut dx, 2.0, &w, 1.0), (64.0, 32.0));
    assert_eq!(dx, [108.0, 10.0, 12.0], "adjoints are added");
    let mut dx = [0.0; 3];
    assert_eq!(d_dot_only(&x, &mut dx, 2.0, &w, 0.5), 16.0);
    assert_eq!(dx, [4.0, 5.0, 6.0]);
    assert_eq!(t_dot(&x, &[1.0, 0.0, 0.0], 2.0, 1.0, &w), (64.0, 40.0));
    assert_eq!(t_dot_two(&x, &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0], 2.0, &w), [8.0, 12.0]);
    assert_eq!(t_dot_lanes(&x, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0], 2.0, &w), [8.0, 12.0]);
}

#[autodiff(d_accumulate, Reverse, Duplicated, Duplicated)]
#[autodiff(t_accumulate, Forward, Dual, Dual)]
#[autodiff(t_accumulate_lanes, Forward, 2, Dual, Dualv)]
fn accumulate(x: &f64, out: &mut [f64]) {
    for value in out {
        *value *= *x;
    }
}

#[test]
fn outputs_through_parameters() {
    let (mut out, mut dout, mut dx) = ([1.0, 2.0], [1.0, 10.0], 0.0);
    d_accumulate(&3.0, &mut dx, &mut out, &mut dout);
    assert_eq!((out, dx), ([3.0, 6.0], 21.0));
    assert_eq!(dout, [3.0, 30.0], "the input's adjoint, on return");
    let (mut out, mut bout) = ([1.0, 2.0], [0.0, 1.0]);
    t_accumulate(&3.0, &1.0, &mut out, &mut bout);
    assert_eq!((out, bout), ([3.0, 6.0], [1.0, 5.0]));
    let (mut out, mut bout) = ([1.0, 2.0], [0.0; 4]);
    t_accumulate_lanes(&3.0, &1.0, &2.0, &mut out, &mut bout);
    assert_eq!((out, bout), ([3.0, 6.0], [1.0, 2.0, 2.0, 4.0]));
}

#[autodiff(d_norm_and_sum, Reverse, Active, Active)]
#[autodiff(t_norm_and_sum, Forward, 2, Dual, Dual)]
fn norm_and_sum((x, y): (f64, f64)) -> [f64; 2] {
    [x * x + y * y, x + y]
}

#[test]
fn plain_data_of_floats() {
    assert_eq!(d_norm_and_sum((1.0, 2.0), [1.0, 10.0]), ([5.0, 3.0], (12.0, 14.0)));
    assert_eq!(t_norm_and_sum((1.0, 2.0), (1.0, 0.0), (0.0, 1.0)), [[5.0, 3.0], [2.0, 1.0], [4.0, 1.0]]);
}

#[autodiff(Reverse, Active, Active, Active)]
fn product(x: f32, y: f32) -> f32 {
    x * y
}

#[autodiff(Reverse, Active, Duplicated, Const)]
fn store(x: f64, out: &mut f64) -> usize {
    *out = x * x;
    7
}

#[test]
fn several_adjoints_and_a_constant_result() {
    assert_eq!(d_product(2.0, 3.0, 1.0), (6.0, 3.0, 2.0));
    let (mut out, mut dout) = (0.0, 1.0);
    assert_eq!(d_store(3.0, &mut out, &mut dout), (7, 6.0));
    assert_eq!((out, dout), (9.0, 0.0));
}

#[test]
#[should_panic(expected = "the shadow of `x` has length 2, but `x` has length 3")]
fn a_shadow_of_another_length_panics() {
    d_dot(&[1.0; 3], &mut [0.0; 2], 1.0, &[1.0; 3], 1.0);
}

#[test]
#[should_panic(expected = "the shadow of `x` has length 3, but")]
fn lanes_of_another_length_panic() {
    t_dot_lanes(&[1.0; 3], &[0.0; 3], 1.0, &[1.0; 3]);
}
