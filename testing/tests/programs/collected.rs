//! Iterators collected into a `Vec`.

use crate::functional;

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
}
