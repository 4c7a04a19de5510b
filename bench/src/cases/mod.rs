//! The functions that are timed, each with its gradient written by hand.
//!
//! The hand-written gradients are the yardstick, so they are written with care: they reuse what the primal computed, walk
//! memory in order, sum in several lanes where the order is theirs to choose, and keep their scratch memory between calls.

pub mod gmm;
pub mod log_sum_exp;
pub mod lorenz;
pub mod matrix;
pub mod norm;
pub mod scalar;
pub mod structures;
pub mod taylor;

use crate::report::Row;

/// A named measurement.
pub struct Case {
    /// The name that filters select by.
    pub name: String,
    /// Sets up, compares the gradients and times.
    pub measure: Box<dyn Fn(String) -> Row>,
}

impl Case {
    fn new(name: impl Into<String>, measure: impl Fn(String) -> Row + 'static) -> Self {
        Case { name: name.into(), measure: Box::new(measure) }
    }

    /// Runs the measurement.
    pub fn run(&self) -> Row {
        (self.measure)(self.name.clone())
    }
}

/// All cases, in the table's order.
pub fn all() -> Vec<Case> {
    [
        norm::cases(),
        taylor::cases(),
        log_sum_exp::cases(),
        matrix::cases(),
        lorenz::cases(),
        gmm::cases(),
        scalar::cases(),
        structures::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `sum(a * b)` in eight lanes: the order of this sum is ours, so it need not wait for itself.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}

/// `y += a x`.
pub(crate) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use examples::differences::{along, distance};
    use examples::random::Random;

    /// Checks a gradient against differences of `f` along a few random directions.
    pub fn assert_gradient(f: impl Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64], step: f64, tolerance: f64) {
        assert_eq!(x.len(), gradient.len());
        let mut random = Random::new(99);
        for _ in 0..3 {
            let direction = random.normals(x.len());
            let expected = along(&f, x, &direction, step);
            let found: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
            assert!(distance(found, expected) < tolerance, "{found} against {expected} by differences");
        }
    }

    #[test]
    fn lanes_and_rest_are_summed() {
        let a: Vec<f64> = (0..19).map(f64::from).collect();
        assert_eq!(super::dot(&a, &a), 18.0 * 19.0 * 37.0 / 6.0);
    }
}
