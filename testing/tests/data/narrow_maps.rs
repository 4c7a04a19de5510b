//! Sorted maps of `f32`, with keys that are as wide as two of them: nodes are split and joined, and what lies in them is moved by std without being looked at.

use std::collections::BTreeMap;
use testing::assert_close;

fn inputs() -> Vec<f32> {
    (0..24).map(|i| 0.25 + 0.125 * i as f32).collect()
}

#[test]
fn sums_by_key() {
    fn f(x: &[f32]) -> f32 {
        let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            *sums.entry((i as u64 * 7) % 5).or_insert(0.0) += v * v;
        }
        sums.iter().map(|(key, sum)| *key as f32 * sum).sum()
    }
    let x = inputs();
    let expected: Vec<f32> = x.iter().enumerate().map(|(i, v)| 2.0 * v * ((i * 7) % 5) as f32).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}

#[test]
fn some_are_removed_and_a_range_is_read() {
    fn f(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            map.insert((i as u64 * 7) % 64, v * v);
        }
        map.remove(&7);
        map.range(3..40).map(|(key, v)| *key as f32 * v).sum()
    }
    let x = inputs();
    let weight = |key: usize| if key == 7 || !(3..40).contains(&key) { 0.0 } else { key as f32 };
    let expected: Vec<f32> = x.iter().enumerate().map(|(i, v)| 2.0 * v * weight((i * 7) % 64)).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}

#[test]
fn narrow_sums_of_wide_inputs() {
    fn f(x: &[f64]) -> f64 {
        let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            *sums.entry((i as u64 * 7) % 5).or_insert(0.0) += (v * v) as f32;
        }
        sums.iter().map(|(key, sum)| *key as f64 * f64::from(*sum)).sum()
    }
    let x: Vec<f64> = inputs().into_iter().map(f64::from).collect();
    let expected: Vec<f64> = x.iter().enumerate().map(|(i, v)| 2.0 * v * ((i * 7) % 5) as f64).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}
