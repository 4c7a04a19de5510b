//! Memory that is overwritten after its use.

use crate::{assert_close, functional, in_place, map};
use cotangent::autodiff;

in_place! {
    fn squares_in_place(x: &mut [f64]) {
        for i in 0..x.len() {
            x[i] = x[i] * x[i];
        }
    } at [1.5, -2.0, 0.5];

    fn a_stencil_in_place(x: &mut [f64]) {
        let n = x.len();
        for _ in 0..4 {
            for i in 1..n - 1 {
                x[i] = 0.25 * x[i - 1] + 0.5 * x[i] * x[i] + 0.25 * x[i + 1];
            }
        }
    } at [1.0, 0.5, -0.4, 0.3, 0.8, 0.1];

    fn an_element_used_then_overwritten_by_a_constant(x: &mut [f64]) {
        x[1] *= x[0] * x[0];
        x[0] = 3.0;
    } at [1.5, -2.0];

    fn an_update_that_is_undone(x: &mut [f64]) {
        let old = x[0];
        x[0] *= x[1];
        x[1] += x[0].sin();
        x[0] = old;
    } at [1.5, -2.0];

    fn two_references_into_one_slice(x: &mut [f64]) {
        let half = x.len() / 2;
        let (a, b) = x.split_at_mut(half);
        for (a, b) in a.iter_mut().zip(b.iter_mut()) {
            *a *= *b;
            *b += *a * *a;
        }
    } at [1.5, -2.0, 0.5, 0.3];

    fn elements_swapped(x: &mut [f64]) {
        x.swap(0, 2);
        x[0] *= x[1];
        x.swap(1, 2);
    } at [1.5, -2.0, 0.5];

    fn reversed_and_rotated(x: &mut [f64]) {
        x.reverse();
        x[0] *= x[1];
        x.rotate_left(1);
        x[0] *= x[2];
    } at [1.5, -2.0, 0.5, 0.7];

    fn a_fill(x: &mut [f64]) {
        let first = x[0] * x[1];
        x[1..].fill(first);
    } at [1.5, -2.0, 0.5, 0.7];

    fn a_number_held_in_the_slice_steers_it(x: &mut [f64]) {
        while x[0] < 10.0 {
            x[0] = x[0] * x[1] + 1.0;
            x[1] *= 1.1;
        }
    } at [0.5, 1.5];

    fn elimination(x: &mut [f64]) {
        // A 3 by 3 system, row after row, reduced to triangular form.
        for k in 0..3 {
            for i in k + 1..3 {
                let factor = x[i * 3 + k] / x[k * 3 + k];
                for j in k..3 {
                    x[i * 3 + j] -= factor * x[k * 3 + j];
                }
            }
        }
    } at [4.0, 1.0, -0.5, 0.7, 3.0, 0.2, -1.0, 0.4, 5.0];
}

functional! {
    fn a_local_array_overwritten(x: &[f64]) -> f64 {
        let mut a = [0.0; 4];
        for i in 0..4 {
            a[i] = x[i] * x[i];
        }
        for i in 1..4 {
            a[i] = a[i] * a[i - 1];
        }
        for i in 0..4 {
            a[i] = a[i].sin() * a[3 - i];
        }
        a[0] + 2.0 * a[1] + 3.0 * a[2] + 4.0 * a[3]
    } at [0.5, 1.5, -0.7, 1.1];

    fn a_local_array_indexed_by_data(x: &[f64]) -> f64 {
        let mut bins = [1.0; 3];
        for v in x {
            bins[*v as usize % 3] *= v;
        }
        bins[0] + bins[1] * bins[2]
    } at [0.5, 1.5, 2.2, 4.7, 1.1];

    fn a_local_variable_through_a_reference(x: &[f64]) -> f64 {
        let mut total = x[0];
        let reference = &mut total;
        *reference *= x[1];
        add(reference, x[0]);
        total * total
    } at [0.5, 1.5];
}

#[inline(never)]
fn add(to: &mut f64, x: f64) {
    *to += x * *to;
}

map! {
    fn an_output_written_twice_counts_once(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * 7.0;
        }
        for i in 0..x.len() {
            y[i] = x[i].exp();
        }
    } at [0.5, 1.5] => 2;
}

#[autodiff(accumulate_reverse, Reverse, Duplicated, Duplicated)]
#[autodiff(accumulate_forward, Forward, Dual, Dual)]
fn accumulate(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] += x[i] * y[i];
    }
}

#[test]
fn an_output_that_is_also_an_input() {
    let (x, mut y, mut dy, mut dx) = ([2.0, 3.0], [5.0, 7.0], [1.0, 10.0], [0.0; 2]);
    accumulate_reverse(&x, &mut dx, &mut y, &mut dy);
    assert_close!(y, [15.0, 28.0]);
    assert_close!(dx, [5.0, 70.0]);
    assert_close!(dy, [3.0, 40.0]);
    let (mut y, mut dy) = ([5.0, 7.0], [1.0, 10.0]);
    accumulate_forward(&x, &[1.0, 1.0], &mut y, &mut dy);
    assert_close!(dy, [5.0 + 3.0, 7.0 + 40.0]);
}
