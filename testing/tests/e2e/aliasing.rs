//! Two shared references into one buffer: their shadows overlap.

use crate::functional;

#[inline(never)]
fn corr(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[inline(never)]
fn corr_by_iterators(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b * b).sum()
}

#[inline(never)]
fn ratio(a: &f64, b: &f64) -> f64 {
    *a / (*b + 1.0)
}

functional! {
    fn shifted_slices(x: &[f64]) -> f64 {
        let n = x.len();
        corr(&x[..n - 1], &x[1..])
    } at [0.4, 1.2, -0.3, 0.9, 0.8, 1.7, -0.6, 0.2, 1.1], testing::noise(11, 67);

    fn the_same_slice_twice(x: &[f64]) -> f64 { corr(x, x) } at [0.4, 1.2, -0.3], testing::noise(12, 64);

    fn shifted_iterators(x: &[f64]) -> f64 {
        let n = x.len();
        corr_by_iterators(&x[2..], &x[..n - 2])
    } at testing::noise(13, 67);

    fn overlapping_references_to_numbers(x: &[f64]) -> f64 { ratio(&x[0], &x[0]) + ratio(&x[1], &x[0]) } at [0.4, 1.2];

    fn a_local_array_seen_twice(x: &[f64]) -> f64 {
        let mut a = [0.0; 32];
        for i in 0..32 {
            a[i] = x[i % x.len()] * i as f64;
        }
        corr(&a[..31], &a[1..]) + corr(&a[..16], &a[8..24])
    } at [0.4, 1.2, -0.3];
}
