//! Iterators: loops whose counters are pointers.

use crate::{functional, in_place, map};

functional! {
    fn a_sum(x: &[f64]) -> f64 { x.iter().sum::<f64>() * x[0] } at [1.0, 2.0, 0.5];

    fn a_product(x: &[f64]) -> f64 { x.iter().product() } at [1.5, 2.0, 0.5];

    fn a_sum_of_a_map(x: &[f64]) -> f64 { x.iter().map(|v| v * v * v).sum() } at [1.5, -2.0, 0.5];

    fn a_zip_of_two_halves(x: &[f64]) -> f64 {
        let (a, b) = x.split_at(x.len() / 2);
        a.iter().zip(b).map(|(a, b)| a * b.sin()).sum()
    } at [1.5, -2.0, 0.5, 0.3, 0.7, -1.1];

    fn a_zip_of_three(x: &[f64]) -> f64 {
        x.iter().zip(&x[1..]).zip(&x[2..]).map(|((a, b), c)| a * b * c).sum()
    } at [1.5, -2.0, 0.5, 0.3, 0.7];

    fn windows(x: &[f64]) -> f64 { x.windows(2).map(|w| (w[1] - w[0]) * (w[1] - w[0])).sum() } at [1.5, -2.0, 0.5, 0.3];

    fn chunks_with_a_rest(x: &[f64]) -> f64 {
        x.chunks(2).map(|c| c.iter().product::<f64>()).sum()
    } at [1.5, -2.0, 0.5, 0.3, 0.7];

    fn chunks_exact(x: &[f64]) -> f64 {
        x.chunks_exact(3).map(|c| c[0] * c[1] - c[2] * c[0]).sum()
    } at [1.5, -2.0, 0.5, 0.3, 0.7, 0.9, 5.0];

    fn backwards(x: &[f64]) -> f64 { x.iter().rev().fold(0.0, |y, v| y * 0.5 + v * v) } at [1.5, -2.0, 0.5];

    fn every_other(x: &[f64]) -> f64 { x.iter().step_by(2).map(|v| v.exp()).sum() } at [1.5, -2.0, 0.5, 0.1, 0.2];

    fn folds(x: &[f64]) -> f64 { x.iter().fold(1.0, |acc, v| acc * v + v) } at [1.5, -2.0, 0.5];

    fn enumerated(x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, v)| i as f64 * v * v).sum()
    } at [1.5, -2.0, 0.5];

    fn filtered(x: &[f64]) -> f64 { x.iter().filter(|v| **v > 0.0).map(|v| v.ln()).sum() } at [1.5, -2.0, 0.5, 3.0];

    fn skipped_and_taken(x: &[f64]) -> f64 {
        x.iter().skip(1).take(3).map(|v| v * x[0]).sum()
    } at [1.5, -2.0, 0.5, 3.0, 4.0, 5.0];

    fn taken_while(x: &[f64]) -> f64 { x.iter().take_while(|v| **v < 2.0).map(|v| v * v).sum() } at [1.5, -2.0, 2.5, 1.0];

    fn chained(x: &[f64]) -> f64 { x.iter().chain(&x[..1]).map(|v| v * v).sum() } at [1.5, -2.0, 2.5];

    fn scanned(x: &[f64]) -> f64 {
        x.iter().scan(1.0, |p, v| { *p *= v; Some(*p) }).sum()
    } at [1.5, -2.0, 2.5];

    fn the_last_and_the_first(x: &[f64]) -> f64 {
        match (x.first(), x.last()) { (Some(a), Some(b)) => a * b, _ => 0.0 }
    } at [1.5, -2.0, 2.5];

    fn maximum_by_partial_order(x: &[f64]) -> f64 {
        x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap_or(0.0) * x[0]
    } at [1.5, -2.0, 2.5, 0.0];

    fn ranges_mapped(x: &[f64]) -> f64 { (0..x.len()).map(|i| x[i] * x[x.len() - 1 - i]).sum() } at [1.5, -2.0, 2.5, 0.3];

    fn for_each_into_a_captured_sum(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        x.iter().for_each(|v| sum += v.cos() * v);
        sum
    } at [1.5, -2.0, 2.5];

    fn flattened_ranges(x: &[f64]) -> f64 {
        (0..2).flat_map(|i| (0..2).map(move |j| (i, j))).map(|(i, j)| x[i] * x[2 + j]).sum()
    } at [1.5, -2.0, 2.5, 0.4];

    fn any_and_all_are_only_looked_at(x: &[f64]) -> f64 {
        if x.iter().any(|v| *v > 2.0) && x.iter().all(|v| *v > -3.0) { x[0] * x[1] } else { x[0] }
    } at [1.5, -2.0, 2.5], [1.5, -2.0, 0.5];
}

map! {
    fn zipped_into_an_output(x: &[f64], y: &mut [f64]) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x.exp() * x);
    } at [1.5, -2.0, 0.5] => 3;

    fn windows_into_an_output(x: &[f64], y: &mut [f64]) {
        for (y, w) in y.iter_mut().zip(x.windows(3)) {
            *y = w[0] * w[2] - w[1] * w[1];
        }
    } at [1.5, -2.0, 0.5, 0.7, 0.2] => 3;

    fn chunks_into_an_output(x: &[f64], y: &mut [f64]) {
        for (i, (y, c)) in y.chunks_mut(2).zip(x.chunks(2)).enumerate() {
            for (y, c) in y.iter_mut().zip(c) {
                *y = c * c * (i + 1) as f64;
            }
        }
    } at [1.5, -2.0, 0.5, 0.7, 0.2] => 5;
}

in_place! {
    fn mutable_iterators(x: &mut [f64]) {
        for (i, v) in x.iter_mut().enumerate() {
            *v = v.sin() * (i as f64 + 1.0);
        }
        for v in x.iter_mut().rev() {
            *v *= *v;
        }
    } at [1.5, -2.0, 0.5];

    fn mutable_chunks(x: &mut [f64]) {
        for c in x.chunks_exact_mut(2) {
            (c[0], c[1]) = (c[0] * c[1], c[0] + c[1]);
        }
    } at [1.5, -2.0, 0.5, 0.7];
}

functional! {
    fn the_first_taken_off_in_turn(x: &[f64]) -> f64 {
        let mut rest = x;
        let mut y = 1.0;
        while let Some((first, others)) = rest.split_first() {
            y = y * first + others.len() as f64;
            rest = others;
        }
        y
    } at [0.4, 1.2, -0.3];

    fn slice_patterns(x: &[f64]) -> f64 {
        match x {
            [a, b, rest @ ..] if *a > 0.0 => a * b + rest.iter().sum::<f64>() * a,
            [a, ..] => a * a,
            [] => 0.0,
        }
    } at [0.4, 1.2, -0.3, 0.7], [-0.4, 1.0];

    fn arrays_mapped_and_made_by_a_function(x: &[f64]) -> f64 {
        let a: [f64; 4] = std::array::from_fn(|i| x[i % x.len()] * i as f64);
        let b = a.map(|v| v.sin());
        b.iter().zip(a.iter()).map(|(a, b)| a * b).sum()
    } at [0.4, 1.2, -0.3];

    fn reduced_and_folded_until_enough(x: &[f64]) -> f64 {
        let largest = x.iter().copied().reduce(f64::max).unwrap_or(0.0);
        let sum = x.iter().try_fold(0.0, |sum: f64, v| if sum < 2.0 { Some(sum + v * v) } else { None });
        sum.unwrap_or(largest * largest) * largest
    } at [0.4, 1.2, -0.3], [2.0, 1.0, 3.0];

    fn peeked_at(x: &[f64]) -> f64 {
        let mut values = x.iter().peekable();
        let mut sum = 0.0;
        while let Some(v) = values.next() {
            sum += match values.peek() { Some(next) => v * **next, None => *v };
        }
        sum + x.iter().rev().nth(1).copied().unwrap_or(0.0)
    } at [0.4, 1.2, -0.3];

    fn successors(x: &[f64]) -> f64 {
        std::iter::successors(Some(x[0]), |v| if *v < 10.0 { Some(v * x[1] + 0.1) } else { None }).sum()
    } at [0.4, 1.9];

    fn zipped_with_its_reverse(x: &[f64]) -> f64 {
        x.iter().zip(x.iter().rev()).enumerate().map(|(i, (a, b))| a * b * (i + 1) as f64).sum()
    } at [0.4, 1.2, -0.3];

    fn chunks_of_shifted_slices(x: &[f64]) -> f64 {
        let pairs = x.chunks_exact(2).zip(x[1..].chunks_exact(2));
        pairs.map(|(a, b)| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>()).map(|s| s * s).sum()
    } at testing::noise(3, 9);

    fn a_sum_of_options(x: &[f64]) -> f64 {
        x.iter().map(|v| if *v > -1.0 { Some(v * v) } else { None }).sum::<Option<f64>>().unwrap_or(0.0)
    } at [0.4, 1.2, -0.3], [0.4, -1.2];
}
