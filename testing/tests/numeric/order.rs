//! Floats put in order: a permutation, whose derivative is the same permutation.

use crate::functional;
use testing::noise;

fn weighted<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
}

functional! {
    fn sorted_by_partial_cmp(x: &[f64]) -> f64 {
        let mut values = x.to_vec();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap());
        weighted(&values)
    } at noise(1, 5), noise(1, 40);
    fn sorted_by_total_cmp(x: &[f64]) -> f64 {
        let mut values = x.to_vec();
        values.sort_by(f64::total_cmp);
        weighted(&values)
    } at noise(1, 5), noise(1, 40);
    fn the_middle_one_and_those_above(x: &[f64]) -> f64 {
        let mut values = x.to_vec();
        let middle = values.len() / 2;
        let (_, value, above) = values.select_nth_unstable_by(middle, f64::total_cmp);
        *value * *value + above.iter().map(|a| a * a).sum::<f64>()
    } at noise(1, 5), noise(1, 40);
    fn sorted_in_single_precision(x: &[f32]) -> f32 {
        let mut values = x.to_vec();
        values.sort_by(|a, b| b.total_cmp(a));
        values.iter().enumerate().map(|(i, v)| v * v * i as f32).sum()
    } at noise(1, 5).iter().map(|v| *v as f32).collect::<Vec<f32>>();
    fn the_largest_and_the_smallest(x: &[f64]) -> f64 {
        let largest = x.iter().copied().max_by(f64::total_cmp).unwrap();
        let smallest = x.iter().copied().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        largest * smallest * x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    } at noise(1, 5), noise(1, 40);
}
