//! What a loop ends up with by choosing among its elements: running extrema, the last one that meets a condition.

use crate::{assert_close, functional, map};
use cotangent::{gradient, hessian};

functional! {
    fn the_maximum_beside_what_is_made_of_all(x: &[f64]) -> f64 {
        let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        max * x.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
    } at [0.3, -1.2, 0.9, 0.4], [2.0];

    fn the_minimum_of_products_with_the_first_as_the_beginning(x: &[f64]) -> f64 {
        let w = [1.5, -0.5, 2.0, 0.25];
        let mut least = x[0] * w[0];
        for (x, w) in x[1..].iter().zip(&w[1..]) {
            least = least.min(x.sin() * w);
        }
        least * x[3]
    } at [0.3, -1.2, 0.9, 0.4], [-3.0, 0.2, 0.5, 0.7];

    fn a_reduction_by_max(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).reduce(f64::max).unwrap_or(0.0) + x[0]
    } at [0.3, -1.2, 0.9, 0.4];

    fn a_bound_that_nothing_exceeds(x: &[f64]) -> f64 {
        let capped = x.iter().copied().fold(5.0, f64::max);
        capped * x[1]
    } at [0.3, -1.2, 0.9], [0.3, 7.0, 0.9];

    fn a_bound_that_is_an_argument_itself(x: &[f64]) -> f64 {
        let least = x[1..].iter().copied().fold(x[0] * 2.0, f64::min);
        least.exp() * x[2]
    } at [-1.0, 0.2, 0.9], [1.0, 0.7, 0.9];

    fn the_last_that_meets_a_condition(x: &[f64]) -> f64 {
        let mut last = x[0];
        for i in 0..x.len() {
            if i % 3 == 1 && x[i] > -0.5 {
                last = x[i].cos();
            }
        }
        last * x[0]
    } at [0.3, -1.2, 0.9, 0.4, 0.8, 1.7, 0.1], [0.3, -1.2, 0.9, 0.4];

    fn the_extrema_of_each_row(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for row in x.chunks_exact(3) {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for v in row {
                low = low.min(*v);
                high = high.max(*v);
            }
            total += (high - low) * (high - low) + row[0];
        }
        total
    } at [0.3, -1.2, 0.9, 0.4, 0.8, 1.7, 0.1, 0.15, -0.2];

    fn the_extremum_of_all_rows(x: &[f64]) -> f64 {
        let mut high = f64::NEG_INFINITY;
        for row in x.chunks_exact(3) {
            for v in row {
                high = high.max(v * v);
            }
        }
        high * x[0]
    } at [0.3, -1.2, 0.9, 0.4, 0.8, 1.7, 0.1, 0.15, -0.2];

    fn the_number_of_the_maximum_beside_it(x: &[f64]) -> f64 {
        let (mut best, mut at) = (f64::NEG_INFINITY, 0);
        for (i, v) in x.iter().enumerate() {
            if *v > best {
                best = *v;
                at = i;
            }
        }
        best * x[(at + 1) % x.len()] * (1.0 + at as f64)
    } at [0.3, -1.2, 0.9, 0.4], [1.3, -1.2, 0.9, 0.4];

    fn what_is_chosen_on_the_way_counts_too(x: &[f64]) -> f64 {
        let (mut high, mut sum) = (f64::NEG_INFINITY, 0.0);
        for v in x {
            high = high.max(*v);
            sum += high * v;
        }
        sum + high
    } at [0.3, -1.2, 0.9, 0.4];

    fn a_maximum_of_what_is_written_on_the_way(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let mut high = f64::NEG_INFINITY;
        for i in 0..y.len() {
            high = high.max(y[i]);
            y[i] = 0.5;
        }
        high * y[0] + x[1]
    } at [0.3, -1.2, 0.9, 0.4];

    fn a_maximum_of_what_is_overwritten_afterwards(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for y in &mut y {
            *y -= high;
        }
        let low = y.iter().copied().fold(f64::INFINITY, f64::min);
        high * low
    } at [0.3, -1.2, 0.9, 0.4];

    fn the_maximum_up_to_an_end_that_data_decides(x: &[f64]) -> f64 {
        let mut high = -10.0;
        for v in x {
            if *v < 0.0 {
                break;
            }
            high = if v.sin() > high { v.sin() } else { high };
        }
        high * x[0]
    } at [0.3, 1.2, 0.9, -0.4, 3.0], [-0.3, 1.2], [0.3, 0.2, 0.1];

    fn the_greatest_element_at_a_list_of_places(x: &[f64]) -> f64 {
        let places = [2_usize, 0, 3, 3];
        let high = places.iter().map(|i| x[*i]).fold(f64::NEG_INFINITY, f64::max);
        high * high * x[1]
    } at [0.3, -1.2, 0.9, 0.4], [0.3, -1.2, 0.1, 0.4];

    fn a_maximum_in_single_precision(x: &[f32]) -> f32 {
        let high = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        high * x[1]
    } at [0.5, -1.25, 0.75, 0.25];
}

map! {
    fn a_softmax_of_each_row(x: &[f64], y: &mut [f64]) {
        for (row, out) in x.chunks_exact(3).zip(y.chunks_exact_mut(3)) {
            let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row.iter().map(|v| (v - max).exp()).sum();
            for (v, out) in row.iter().zip(out) {
                *out = (v - max).exp() / sum + max;
            }
        }
    } at [0.3, -1.2, 0.9, 0.4, 0.8, 1.7] => 6;
}

/// What `docs/semantics.md` says of a tie: the derivative goes to the first argument, which is what was kept.
#[test]
fn at_a_tie_the_first_is_kept() {
    let high = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(gradient(high, &[1.0, 3.0, 3.0, 2.0]), [0.0, 1.0, 0.0, 0.0]);
    let turned = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, |high, v| v.max(high));
    assert_eq!(gradient(turned, &[1.0, 3.0, 3.0, 2.0]), [0.0, 0.0, 1.0, 0.0]);
    let low = |x: &[f64]| x.iter().copied().fold(x[0], f64::min);
    assert_eq!(gradient(low, &[1.0, 1.0, 3.0]), [1.0, 0.0, 0.0]);
    let zeros = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(gradient(zeros, &[-0.0, 0.0]), [1.0, 0.0]);
}

#[test]
fn what_is_no_number_is_never_chosen() {
    let nan = f64::NAN;
    let high = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(gradient(high, &[nan, 3.0, nan, 2.0]), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(gradient(high, &[nan, nan]), [0.0, 0.0]);
    let of_first = |x: &[f64]| x[1..].iter().copied().fold(x[0], f64::max);
    assert_eq!(gradient(of_first, &[nan, 3.0, nan, 4.0]), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(gradient(of_first, &[5.0, 3.0, nan]), [1.0, 0.0, 0.0]);
    let turned = |x: &[f64]| x[1..].iter().copied().fold(x[0], |low, v| v.min(low));
    assert_eq!(gradient(turned, &[nan, 3.0, nan, 2.0]), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(gradient(turned, &[1.0, nan, 2.0]), [1.0, 0.0, 0.0]);
}

/// A root of what is not chosen has no finite derivative at 0.
#[test]
fn what_is_not_chosen_leaves_no_nan() {
    let high = |x: &[f64]| x.iter().map(|x| x.sqrt()).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(gradient(high, &[0.0, 4.0, 0.0]), [0.0, 0.25, 0.0]);
    let capped = |x: &[f64]| x.iter().map(|x| x.sqrt()).fold(3.0, f64::max);
    assert_eq!(gradient(capped, &[0.0, 4.0]), [0.0, 0.0]);
}

#[test]
fn a_maximum_squared_has_one_second_derivative() {
    let square = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max).powi(3);
    let second = hessian(square, &[1.0, 2.0, 0.5]);
    assert_close!(second[4], 12.0);
    assert_eq!(second.iter().filter(|v| **v != 0.0).count(), 1);
}
