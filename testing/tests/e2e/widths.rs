//! Several tangents in one sweep.

use crate::assert_close;
use cotangent::autodiff;

#[autodiff(forward_4, Forward, 4, Dual, Dual)]
#[autodiff(tangents_2, Forward, 2, Dual, DualOnly)]
fn wave(x: f64) -> f64 {
    x.sin() * x
}

#[test]
fn dual_of_width_n_returns_the_primal_first_and_then_n_tangents() {
    let (y, d) = (0.7f64.sin() * 0.7, 0.7f64.cos() * 0.7 + 0.7f64.sin());
    let got: [f64; 5] = forward_4(0.7, 1.0, 0.0, -2.0, 0.5);
    assert_close!(got, [y, d, 0.0, -2.0 * d, 0.5 * d]);
}

#[test]
fn dual_only_of_width_n_returns_n_tangents() {
    let d = 0.7f64.cos() * 0.7 + 0.7f64.sin();
    let got: [f64; 2] = tangents_2(0.7, 1.0, 3.0);
    assert_close!(got, [d, 3.0 * d]);
}

#[autodiff(energy_3, Forward, 3, Dual, Const, Dual)]
#[autodiff(energy_v3, Forward, 3, Dualv, Const, DualOnly)]
#[autodiff(energy_mixed, Forward, 3, Dualv, Dual, Dual)]
fn energy(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += k * d * d;
    }
    sum
}

const X: [f64; 3] = [1.0, 3.0, 2.0];
const G: [f64; 3] = [-8.0, 12.0, -4.0];

#[test]
fn slices_of_width_n_have_n_shadows() {
    let got: [f64; 4] = energy_3(&X, &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], 2.0);
    assert_close!(got, [10.0, G[0], G[1], G[2]]);
}

#[test]
fn dualv_takes_lane_after_lane_in_one_slice() {
    let seeds = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert_close!(energy_v3(&X, &seeds, 2.0), G);
}

#[test]
fn dualv_and_dual_mix() {
    let seeds = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    assert_close!(energy_mixed(&X, &seeds, 2.0, 0.0, 0.0, 1.0), [10.0, G[0], G[1], 5.0]);
}

#[autodiff(rotate_2, Forward, 2, Dual, Dual)]
#[autodiff(rotate_v2, Forward, 2, Dualv, Dualv)]
fn rotate(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[(i + 1) % x.len()];
    }
}

#[test]
fn outputs_of_width_n_have_n_shadows() {
    let (mut y, mut d0, mut d1) = ([0.0; 3], [9.0; 3], [9.0; 3]);
    rotate_2(&X, &[1.0, 0.0, 0.0], &[0.0, 0.0, 2.0], &mut y, &mut d0, &mut d1);
    assert_close!(y, [3.0, 6.0, 2.0]);
    assert_close!(d0, [3.0, 0.0, 2.0]);
    assert_close!(d1, [0.0, 6.0, 2.0]);
}

#[test]
fn dualv_outputs_are_written_lane_after_lane() {
    let (mut y, mut d) = ([0.0; 3], [9.0; 6]);
    rotate_v2(&X, &[1.0, 0.0, 0.0, 0.0, 0.0, 2.0], &mut y, &mut d);
    assert_close!(y, [3.0, 6.0, 2.0]);
    assert_close!(d, [3.0, 0.0, 2.0, 0.0, 6.0, 2.0]);
}

#[autodiff(branchy_2, Forward, 2, Dual, Dual)]
fn branchy(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        if *v < 0.0 {
            break;
        }
        sum += if *v > 1.0 { v.ln() } else { v.sqrt() };
    }
    sum
}

#[test]
fn branches_and_loops_carry_every_lane() {
    let x = [4.0, 0.25, -1.0, 5.0];
    let got = branchy_2(&x, &[1.0, 0.0, 0.0, 7.0], &[2.0, 1.0, 5.0, 7.0]);
    assert_close!(got, [4f64.ln() + 0.5, 0.25, 0.5 + 1.0]);
}
