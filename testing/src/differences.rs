//! Derivatives by central differences.
//!
//! The stencil has six points and an error of sixth order. The step is halved from a start near a thirtieth of the
//! argument; of all neighbouring pairs of estimates the one that agrees best is taken, so that neither cancellation
//! nor curvature has to be known beforehand. Points outside the domain (NaN) drop out by themselves.

/// A float type in which a function can be sampled.
pub trait Real: Copy + PartialOrd + std::fmt::Debug {
    /// Relative error that a comparison with differences in this type has to allow.
    const SLACK: f64;
    /// Relative error that two exact derivatives in this type may have.
    const ROUNDING: f64;
    /// First step, relative to the argument.
    const STEP: f64;
    /// Number of halvings.
    const HALVINGS: usize;
    /// Step of differences that are not extrapolated, relative to the argument.
    const SMALL_STEP: f64;
    /// Rounds to this type.
    fn of(value: f64) -> Self;
    /// The exact value.
    fn value(self) -> f64;
}

impl Real for f64 {
    const SLACK: f64 = 1e-7;
    const ROUNDING: f64 = 1e-11;
    const STEP: f64 = 1.0 / 32.0;
    const HALVINGS: usize = 10;
    const SMALL_STEP: f64 = 1e-4;
    fn of(value: f64) -> f64 {
        value
    }
    fn value(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const SLACK: f64 = 2e-3;
    const ROUNDING: f64 = 1e-4;
    const STEP: f64 = 1.0 / 8.0;
    const HALVINGS: usize = 5;
    const SMALL_STEP: f64 = 1e-2;
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn value(self) -> f64 {
        f64::from(self)
    }
}

/// The slope of `f` at `x`.
///
/// ```
/// let slope = testing::differences::slope(|x: f64| x.exp(), 1.0);
/// assert!((slope - 1f64.exp()).abs() < 1e-9);
/// ```
pub fn slope<T: Real>(mut f: impl FnMut(T) -> T, x: T) -> f64 {
    let centre = x.value();
    slope_at(|h| f(T::of(centre + h)).value(), centre.abs().max(0.1) * T::STEP, T::HALVINGS)
}

/// The slope at 0 of `f`, a function of the offset, with steps from `first` on.
fn slope_at(mut f: impl FnMut(f64) -> f64, first: f64, halvings: usize) -> f64 {
    let mut step = first;
    let mut estimates = Vec::with_capacity(halvings);
    for _ in 0..halvings {
        let mut odd = |k: f64| f(k * step) - f(-k * step);
        estimates.push((45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / (60.0 * step));
        step /= 2.0;
    }
    estimates
        .windows(2)
        .filter(|pair| pair[0].is_finite() && pair[1].is_finite())
        .min_by(|a, b| (a[0] - a[1]).abs().total_cmp(&(b[0] - b[1]).abs()))
        .map_or(f64::NAN, |pair| pair[1])
}

/// The gradient of `f` at `x`, coordinate by coordinate.
pub fn gradient<T: Real>(mut f: impl FnMut(&[T]) -> T, x: &[T]) -> Vec<f64> {
    let mut point = x.to_vec();
    (0..x.len())
        .map(|i| {
            let here = x[i];
            let slope = slope(
                |value| {
                    point[i] = value;
                    f(&point)
                },
                here,
            );
            point[i] = here;
            slope
        })
        .collect()
}

/// The derivative of `f`, which maps `x` to any number of values, along `direction`.
pub fn along(mut f: impl FnMut(&[f64]) -> Vec<f64>, x: &[f64], direction: &[f64]) -> Vec<f64> {
    let outputs = f(x).len();
    let size = x.iter().fold(0.1f64, |size, x| size.max(x.abs()));
    (0..outputs)
        .map(|i| {
            let at = |h: f64| {
                let moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + h * d).collect();
                f(&moved)[i]
            };
            slope_at(at, size * f64::STEP, f64::HALVINGS)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_good_to_ten_digits_in_f64() {
        for x in [0.01, 0.3, 1.0, 20.0] {
            assert!((slope(f64::ln, x) * x - 1.0).abs() < 1e-9, "{x}");
            assert!((slope(f64::sin, x) - x.cos()).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn slopes_are_good_to_three_digits_in_f32() {
        for x in [0.3f32, 1.0, 7.0] {
            assert!((slope(f32::sin, x) - f64::from(x.cos())).abs() < 1e-3, "{x}");
        }
    }

    #[test]
    fn a_wrong_slope_is_seen() {
        assert!((slope(|x: f64| x.powi(3), 0.7) - 3.01 * 0.7 * 0.7).abs() > 1e-3);
    }

    #[test]
    fn a_direction_gives_the_sum_over_coordinates() {
        let f = |x: &[f64]| vec![x[0] * x[1], x[0].exp()];
        let d = along(f, &[2.0, 3.0], &[0.5, -1.0]);
        assert!((d[0] + 0.5).abs() < 1e-9 && (d[1] - 0.5 * 2f64.exp()).abs() < 1e-8);
    }
}
