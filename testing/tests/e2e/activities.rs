//! The table of activities: which parameters a derivative has, and what it does with them.

use crate::assert_close;
use cotangent::autodiff;

#[autodiff(product_forward, Forward, Dual, Const, Dual)]
#[autodiff(product_tangent, Forward, Dual, Dual, DualOnly)]
#[autodiff(product_primal, Forward, Const, Const, Const)]
#[autodiff(product_reverse, Reverse, Active, Const, Active)]
#[autodiff(product_pullback, Reverse, Active, Active, ActiveOnly)]
#[autodiff(product_read_as_dual, Forward, Active, Duplicated, Dual)]
fn product(x: f64, y: f64) -> f64 {
    x * x * y
}

#[test]
fn a_constant_parameter_has_no_tangent() {
    assert_close!(product_forward(3.0, 0.5, 2.0), (18.0, 6.0));
}

#[test]
fn dual_only_returns_the_tangent_alone() {
    assert_close!(product_tangent(3.0, 1.0, 2.0, 10.0), 12.0 + 90.0);
}

#[test]
fn with_nothing_active_the_primal_is_returned() {
    assert_close!(product_primal(3.0, 2.0), 18.0);
}

#[test]
fn active_parameters_come_back_as_adjoints_after_the_primal() {
    assert_close!(product_reverse(3.0, 2.0, 0.5), (18.0, 6.0));
}

#[test]
fn active_only_returns_every_adjoint_and_no_primal() {
    assert_close!(product_pullback(3.0, 2.0, 2.0), (24.0, 18.0));
}

#[test]
fn reverse_names_of_activities_are_read_as_dual_in_forward_mode() {
    assert_close!(product_read_as_dual(3.0, 1.0, 2.0, 10.0), (18.0, 102.0));
}

#[autodiff(weighted_reverse, Reverse, Duplicated, Const, Active, Active)]
#[autodiff(weighted_pullback, Reverse, DuplicatedOnly, Duplicated, Active, ActiveOnly)]
#[autodiff(weighted_forward, Forward, Dual, Const, Dual, Dual)]
#[autodiff(weighted_tangent, Forward, DualOnly, DualOnly, Const, DualOnly)]
#[autodiff(weighted_read_as_dual, Forward, Duplicated, DuplicatedOnly, Const, DualOnly)]
fn weighted(x: &[f64], w: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += w[i] * x[i] * x[i];
    }
    sum * scale
}

const X: [f64; 3] = [1.0, -2.0, 0.5];
const W: [f64; 3] = [2.0, 0.25, -1.0];

#[test]
fn adjoints_are_added_to_a_shadow_that_is_not_zero() {
    let mut dx = [100.0, 200.0, 300.0];
    let (y, dscale) = weighted_reverse(&X, &mut dx, &W, 3.0, 1.0);
    assert_close!(y, 3.0 * 2.75);
    assert_close!(dscale, 2.75);
    assert_close!(dx, [112.0, 197.0, 297.0]);
}

#[test]
fn duplicated_only_gives_the_same_adjoints() {
    let (mut dx, mut dw) = ([0.0; 3], [0.0; 3]);
    let dscale = weighted_pullback(&X, &mut dx, &W, &mut dw, 3.0, 2.0);
    assert_close!(dscale, 5.5);
    assert_close!(dx, [24.0, -6.0, -6.0]);
    assert_close!(dw, [6.0, 24.0, 1.5]);
}

#[test]
fn tangents_of_slices_and_scalars_mix() {
    let v = [1.0, 10.0, 100.0];
    let (y, dy) = weighted_forward(&X, &v, &W, 3.0, 0.5);
    assert_close!(y, 8.25);
    assert_close!(dy, 3.0 * (2.0 * 2.0 - 10.0 - 100.0) + 0.5 * 2.75);
}

#[test]
fn dual_only_on_slices_gives_the_same_tangent() {
    let v = [1.0, 10.0, 100.0];
    let expected = 3.0 * (4.0 - 10.0 - 100.0 + 1.0 + 40.0 + 25.0);
    assert_close!(weighted_tangent(&X, &v, &W, &v, 3.0), expected);
    assert_close!(weighted_read_as_dual(&X, &v, &W, &v, 3.0), expected);
}

#[autodiff(cubes_forward, Forward, Dual, Dual)]
#[autodiff(cubes_forward_only, Forward, Dual, DualOnly)]
#[autodiff(cubes_reverse, Reverse, Duplicated, Duplicated)]
#[autodiff(cubes_reverse_only, Reverse, Duplicated, DuplicatedOnly)]
fn cubes(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x * x;
    }
}

#[test]
fn a_tangent_out_is_written_over_what_its_shadow_held() {
    let (mut y, mut dy) = ([7.0; 3], [7.0; 3]);
    cubes_forward(&X, &[1.0, 2.0, 4.0], &mut y, &mut dy);
    assert_close!(y, [1.0, -8.0, 0.125]);
    assert_close!(dy, [3.0, 24.0, 3.0]);
    let mut dy = [7.0; 3];
    cubes_forward_only(&X, &[1.0, 2.0, 4.0], &mut y, &mut dy);
    assert_close!(dy, [3.0, 24.0, 3.0]);
}

#[test]
fn the_shadow_of_an_overwritten_output_ends_as_zero() {
    let (mut y, mut dy, mut dx) = ([7.0; 3], [1.0, 2.0, 4.0], [1.0; 3]);
    cubes_reverse(&X, &mut dx, &mut y, &mut dy);
    assert_close!(y, [1.0, -8.0, 0.125]);
    assert_close!(dx, [4.0, 25.0, 4.0]);
    assert_close!(dy, [0.0; 3]);
    let (mut y, mut dy, mut dx) = ([7.0; 3], [1.0, 2.0, 4.0], [0.0; 3]);
    cubes_reverse_only(&X, &mut dx, &mut y, &mut dy);
    assert_close!(dx, [3.0, 24.0, 3.0]);
}

#[autodiff(through_refs_forward, Forward, Dual, Dual, Dual)]
#[autodiff(through_refs_reverse, Reverse, Duplicated, Duplicated, Active)]
fn through_refs(x: &f64, state: &mut f64) -> f64 {
    *state *= *x;
    *state + *x
}

#[test]
fn references_to_numbers_have_numbers_as_shadows() {
    let (mut s, mut ds) = (5.0, 0.5);
    assert_close!(through_refs_forward(&3.0, &2.0, &mut s, &mut ds), (18.0, 11.5 + 2.0));
    assert_close!((s, ds), (15.0, 11.5));

    let (mut s, mut ds, mut dx) = (5.0, 10.0, 0.0);
    assert_close!(through_refs_reverse(&3.0, &mut dx, &mut s, &mut ds, 1.0), 18.0);
    assert_close!(s, 15.0);
    assert_close!(ds, 11.0 * 3.0);
    assert_close!(dx, 11.0 * 5.0 + 1.0);
}

#[autodiff(Reverse, Duplicated, Active)]
fn default_name(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[test]
fn without_a_name_the_derivative_is_called_d_and_the_function() {
    let mut dx = [0.0; 2];
    assert_close!(d_default_name(&[2.0, 5.0], &mut dx, 1.0), 10.0);
    assert_close!(dx, [5.0, 2.0]);
}

#[autodiff(array_forward, Forward, Dual, Dual)]
#[autodiff(array_reverse, Reverse, Duplicated, Active)]
fn of_array(x: &[f64; 4]) -> f64 {
    x[0] * x[1] + x[2] * x[3] * x[3]
}

#[test]
fn references_to_arrays_have_arrays_as_shadows() {
    let x = [1.0, 2.0, 3.0, 4.0];
    let mut dx = [0.0; 4];
    assert_close!(array_reverse(&x, &mut dx, 1.0), 50.0);
    assert_close!(dx, [2.0, 1.0, 16.0, 24.0]);
    assert_close!(array_forward(&x, &[1.0, 0.0, 0.0, 1.0]), (50.0, 26.0));
}

#[autodiff(constant_return, Reverse, Duplicated, Duplicated, Const)]
#[autodiff(constant_return_forward, Forward, Dual, Dual, Const)]
fn counts(x: &[f64], y: &mut [f64]) -> usize {
    let mut count = 0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            y[i] = 2.0 * x[i];
            count += 1;
        } else {
            y[i] = 0.0;
        }
    }
    count
}

#[test]
fn a_constant_return_of_any_type_is_the_primal_value() {
    let (mut y, mut dy, mut dx) = ([0.0; 3], [1.0, 10.0, 100.0], [0.0; 3]);
    assert_eq!(constant_return(&X, &mut dx, &mut y, &mut dy), 2);
    assert_close!(dx, [2.0, 0.0, 200.0]);
    assert_eq!(constant_return_forward(&X, &[1.0; 3], &mut y, &mut dy), 2);
    assert_close!(dy, [2.0, 0.0, 2.0]);
}

#[autodiff(tuple_constants, Reverse, Const, Duplicated, Const, Active)]
fn with_other_constants(names: &[String], x: &[f64], options: (usize, bool)) -> f64 {
    let factor = if options.1 { 3.0 } else { 1.0 };
    let length: usize = names.iter().map(|n| n.len()).sum();
    factor * x[options.0] * x[options.0] * length as f64
}

#[test]
fn constants_may_be_of_any_type() {
    let names = ["ab".to_string(), "c".to_string()];
    let mut dx = [0.0; 3];
    assert_close!(tuple_constants(&names, &X, &mut dx, (1, true), 1.0), 36.0);
    assert_close!(dx, [0.0, -36.0, 0.0]);
}

#[autodiff(single_forward, Forward, Dual, Dual)]
#[autodiff(single_reverse, Reverse, Duplicated, Active)]
fn single(x: &[f32]) -> f32 {
    x[0] * x[1] - x[1] / x[0]
}

#[test]
fn slices_of_f32_have_f32_tangents_and_adjoints() {
    let x = [2.0f32, 3.0];
    let mut dx = [0.0f32; 2];
    assert_close!(single_reverse(&x, &mut dx, 1.0f32), 4.5, 1e-6);
    assert_close!(dx, [3.75, 1.5], 1e-6);
    assert_close!(single_forward(&x, &[1.0, 1.0]), (4.5, 5.25), 1e-6);
}
