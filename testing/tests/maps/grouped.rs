//! Values put into groups by an index, in an ordered map of vectors, and what is computed of each group.
use crate::functional;
use std::collections::BTreeMap;

const GROUPS: [usize; 5] = [0, 1, 0, 2, 0];

fn grouped(x: &[f64], groups: &[usize]) -> BTreeMap<usize, Vec<f64>> {
    let mut by: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (x, group) in x.iter().zip(groups) {
        by.entry(*group).or_default().push(x * x);
    }
    by
}

fn mean(group: &[f64]) -> f64 {
    group.iter().sum::<f64>() / group.len() as f64
}

functional! {
    fn medians_of_groups_that_are_sorted_by_value(x: &[f64]) -> f64 {
        let median = |mut group: Vec<f64>| {
            group.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
            group[group.len() / 2] * group[0]
        };
        grouped(x, &GROUPS).into_values().map(median).sum()
    } at [1.0, 2.0, 0.5, 3.0, 0.7];

    fn means_of_groups_beside_their_numbers(x: &[f64]) -> f64 {
        let by = grouped(x, &GROUPS);
        let means: Vec<(usize, f64)> = by.iter().map(|(group, values)| (*group, mean(values))).collect();
        means.iter().map(|(group, mean)| (*group as f64 + 1.0) * mean * mean).sum()
    } at [1.0, 2.0, 0.5, 3.0, 0.7];
}

#[test]
fn second_derivatives_of_groups_that_are_consumed() {
    let f = |x: &[f64]| -> f64 { grouped(x, &GROUPS).into_values().map(|group| mean(&group)).sum() };
    let h = cotangent::hessian(f, &[1.0, 2.0, 0.5, 3.0, 0.7]);
    for (i, row) in h.chunks(5).enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let size = GROUPS.iter().filter(|group| **group == GROUPS[i]).count();
            let expected = if i == j { 2.0 / size as f64 } else { 0.0 };
            assert!((entry - expected).abs() < 1e-12, "{i} {j}: {entry}, not {expected}");
        }
    }
}
