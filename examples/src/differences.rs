//! Differences: a check of gradients that knows nothing about derivatives.

/// The derivative of `f` at `x` along `direction`, by central differences with Richardson's extrapolation
/// (error of order `step`^4).
pub fn along(mut f: impl FnMut(&[f64]) -> f64, x: &[f64], direction: &[f64], step: f64) -> f64 {
    let mut central = |h: f64| {
        let mut moved = |h: f64| {
            let point: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + h * d).collect();
            f(&point)
        };
        (moved(h) - moved(-h)) / (2.0 * h)
    };
    (4.0 * central(step / 2.0) - central(step)) / 3.0
}

/// How far apart two numbers are, relative to their size where that is above one: ADBench's measure.
pub fn distance(a: f64, b: f64) -> f64 {
    (a - b).abs() / f64::max(1.0, a.abs() + b.abs())
}

/// The largest [`distance`] between entries of two vectors; infinite where their lengths differ.
pub fn largest_distance(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    // `f64::max` would hide a NaN, which is the worst distance of all.
    a.iter().zip(b).map(|(&a, &b)| distance(a, b)).fold(0.0, |worst, d| if d > worst || d.is_nan() { d } else { worst })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quartic_is_differentiated_to_rounding() {
        let slope = along(|x| x[0].powi(4) * x[1], &[1.5, 2.0], &[1.0, -1.0], 1e-2);
        assert!((slope - (4.0 * 1.5f64.powi(3) * 2.0 - 1.5f64.powi(4))).abs() < 1e-6, "{slope}");
    }

    #[test]
    fn nan_is_never_close() {
        assert!(largest_distance(&[1.0, f64::NAN, 0.0], &[1.0, 2.0, 0.0]).is_nan());
        assert_eq!(largest_distance(&[1.0], &[]), f64::INFINITY);
    }
}
