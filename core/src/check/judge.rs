//! Whether two numbers agree, and whether that says anything.

use super::differences::Sampling;

/// How exact everything has to be; every number is relative.
#[derive(Debug, Clone, Copy)]
pub struct Precision {
    /// Between derivatives and differences.
    pub tolerance: f64,
    /// Between two computations that are exact up to rounding.
    pub rounding: f64,
    /// Errors of differences above this say that they found nothing.
    pub resolution: f64,
    /// A derivative that is smaller than this part of the largest one does not matter.
    pub negligible: f64,
    /// Unit roundoff.
    pub unit: f64,
    levels: usize,
    enough: f64,
}

impl Precision {
    /// What can be asked of `f64`, or of `f32`.
    pub fn of(single: bool) -> Precision {
        if single {
            let unit = f64::from(f32::EPSILON) / 2.0;
            Precision {
                tolerance: 2e-3,
                rounding: 1e-4,
                resolution: 2e-2,
                negligible: 1e-2,
                unit,
                levels: 14,
                enough: 2e-6,
            }
        } else {
            let unit = f64::EPSILON / 2.0;
            Precision {
                tolerance: 1e-7,
                rounding: 1e-12,
                resolution: 1e-4,
                negligible: 1e-3,
                unit,
                levels: 27,
                enough: 1e-11,
            }
        }
    }

    /// The steps for an argument of this size.
    pub fn sampling(&self, size: f64) -> Sampling {
        // Off any round number; see `differences`.
        Sampling { start: 0.2371 * size, rounding: self.unit, enough: self.enough, levels: self.levels }
    }

    /// A relative step that arguments can just represent: what changes the slope at it is noise.
    pub fn tiny(&self) -> f64 {
        64.0 * self.unit
    }

    /// Whether two exact computations agree, where terms of size `size` went into them.
    pub fn same(&self, a: f64, b: f64, size: f64) -> bool {
        a == b || (a - b).abs() <= self.rounding * a.abs().max(b.abs()).max(size)
    }

    /// Whether a derivative agrees with a slope that is known up to `error`; numbers below `size` do not matter.
    pub fn judge(&self, got: f64, slope: f64, error: f64, size: f64) -> Verdict {
        if slope.is_nan() {
            return Verdict::Unsettled;
        }
        let larger = got.abs().max(slope.abs());
        let allowed = self.tolerance * larger + self.rounding * size + 4.0 * error;
        // (Negated, `allowed` may be NaN where the tolerance is: that is for the control to find.)
        if !got.is_finite() || (got - slope).abs() > allowed {
            // Of a slope with an error as large as itself nothing is known.
            let known = error <= 0.3 * slope.abs().max(size) || error == 0.0;
            if known { Verdict::Differs } else { Verdict::Unsettled }
        } else if error > self.resolution.max(self.tolerance) * larger.max(size) {
            Verdict::Unsettled
        } else {
            Verdict::Agrees
        }
    }

    /// Whether wrong derivatives, one that is zero, doubled, or of the other sign, would have been told from this slope.
    pub fn can_tell(&self, slope: f64, error: f64, size: f64) -> bool {
        [0.0, 2.0 * slope, -slope].iter().all(|wrong| self.judge(*wrong, slope, error, size) == Verdict::Differs)
    }
}

/// See [`Precision::judge`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    Differs,
    /// The slope is not known well enough.
    Unsettled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_relative_and_allows_the_slopes_error() {
        let precision = Precision::of(false);
        assert_eq!(precision.judge(1.0 + 1e-8, 1.0, 1e-12, 0.0), Verdict::Agrees);
        assert_eq!(precision.judge(1.0 + 1e-6, 1.0, 1e-12, 0.0), Verdict::Differs);
        assert_eq!(precision.judge(1.0 + 1e-6, 1.0, 1e-6, 0.0), Verdict::Agrees);
        assert_eq!(precision.judge(1e-9, 2e-9, 1e-20, 0.0), Verdict::Differs);
        assert_eq!(precision.judge(1.0, 1.0, 1e-2, 0.0), Verdict::Unsettled);
        assert_eq!(precision.judge(f64::NAN, 1.0, 1e-12, 0.0), Verdict::Differs);
        assert_eq!(precision.judge(1e9, 1.0, 2.0, 0.0), Verdict::Unsettled);
        assert_eq!(precision.judge(1.0, f64::NAN, f64::INFINITY, 0.0), Verdict::Unsettled);
    }

    #[test]
    fn a_zero_slope_and_an_absurd_tolerance_tell_nothing() {
        let mut precision = Precision::of(false);
        assert!(precision.can_tell(1.0, 1e-12, 0.0));
        assert!(!precision.can_tell(0.0, 0.0, 0.0));
        assert!(!precision.can_tell(1e-13, 1e-13, 0.0));
        for absurd in [0.7, 1e9, f64::NAN, f64::INFINITY] {
            precision.tolerance = absurd;
            assert!(!precision.can_tell(1.0, 1e-12, 0.0), "{absurd}");
        }
    }
}
