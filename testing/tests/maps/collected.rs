//! Iterators collected into a `Vec`.

use crate::functional;
use std::collections::BTreeMap;

functional! {
    fn collected_with_a_known_length(x: &[f64]) -> f64 {
        let v: Vec<f64> = x.iter().map(|v| v * v).collect();
        v.iter().zip(x).map(|(v, x)| v * x).sum()
    } at [0.4, 1.2, -0.3];

    fn collected_from_a_range(x: &[f64]) -> f64 {
        let v: Vec<f64> = (0..x.len()).map(|i| x[i] * i as f64).collect();
        v.iter().map(|v| v * v).sum()
    } at [0.4, 1.2, -0.3];

    fn collected_twice(x: &[f64]) -> f64 {
        let a: Vec<f64> = x.iter().map(|v| v.sin()).collect();
        let b: Vec<f64> = a.iter().zip(x).map(|(a, x)| a * x).collect();
        b.iter().product()
    } at [0.4, 1.2, -0.3];

    fn triangles_of_indices_out_of_nested_iterators(x: &[f64]) -> f64 {
        let corners = |a: usize| [[a, a + 1, a + 3], [a + 1, a + 4, a + 3]];
        let triangles: Vec<[usize; 3]> = (0..2).flat_map(|j| (0..2).flat_map(move |i| corners(j * 3 + i))).collect();
        let mut sums = BTreeMap::new();
        for triangle in &triangles {
            let values = triangle.map(|i| x[i]);
            for (a, &i) in values.iter().zip(triangle) {
                for (b, &j) in values.iter().zip(triangle) {
                    *sums.entry((i, j)).or_insert(0.0) += a * b;
                }
            }
        }
        sums.values().map(|sum| sum * sum).sum()
    } at [0.1, 1.0, 0.4, 0.3, 0.6, 0.2, 0.8, 0.5, 0.7];
}
