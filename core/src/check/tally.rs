//! What has been compared so far, and the negative control: whether any of it could have failed.

use std::fmt;
use std::ops::Range;

use super::failure::{Details, Mistake};
use super::judge::Precision;

/// What a check did that passed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Points at which everything was compared.
    pub points: usize,
    /// Comparisons of a derivative with differences.
    pub comparisons: usize,
    /// The largest relative difference between a derivative and differences, where the derivative is not small.
    pub worst: f64,
    /// Comparisons that were left out because of a kink, where [`skip_kinks`](crate::check::Check::skip_kinks) allows that.
    pub skipped: usize,
    /// Inputs whose derivative was zero, or too small for differences, at every point: a wrong one would be found if it
    /// were large, but not if a factor or a term of it were missing.
    pub unseen: Vec<String>,
    /// The seed of the random directions.
    pub seed: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} comparisons with differences at {} points, largest relative error {:.1e}",
            self.comparisons, self.points, self.worst
        )?;
        if self.skipped > 0 {
            write!(f, "; {} left out at kinks", self.skipped)?;
        }
        if !self.unseen.is_empty() {
            write!(f, "; zero at every point: {}", self.unseen.join(", "))?;
        }
        Ok(())
    }
}

/// One comparison of a derivative with differences.
#[derive(Debug, Clone, Copy)]
pub struct Compared {
    pub got: f64,
    pub slope: f64,
    pub error: f64,
    /// What does not matter.
    pub size: f64,
}

/// The running count.
#[derive(Debug, Default)]
pub struct Tally {
    pub comparisons: usize,
    pub skipped: usize,
    pub worst: f64,
    /// For each input, whether a wrong derivative would have been told at some point.
    seen: Vec<bool>,
    /// For each derivative, the same, and whether it would have been with the usual tolerance.
    derivatives: Vec<(String, bool, bool)>,
}

impl Tally {
    /// A derivative that will be compared.
    pub fn expect(&mut self, derivative: &str) {
        if !self.derivatives.iter().any(|(name, ..)| name == derivative) {
            self.derivatives.push((derivative.to_owned(), false, false));
        }
    }

    /// A comparison that agreed, and which inputs it says something about.
    pub fn agreed(
        &mut self,
        derivative: &str,
        inputs: Range<usize>,
        compared: &Compared,
        precision: &Precision,
        usual: &Precision,
    ) {
        let Compared { got, slope, error, size } = *compared;
        self.comparisons += 1;
        if slope.abs() > size {
            self.worst = self.worst.max((got - slope).abs() / slope.abs());
        }
        let told = precision.can_tell(slope, error, size);
        if let Some((_, seen, usually)) = self.derivatives.iter_mut().find(|(name, ..)| name == derivative) {
            *seen |= told;
            *usually |= usual.can_tell(slope, error, size);
        }
        self.seen.resize(self.seen.len().max(inputs.end), false);
        for seen in &mut self.seen[inputs] {
            *seen |= told;
        }
    }

    /// The inputs of whose derivatives nothing was seen.
    pub fn unseen(&self) -> impl Iterator<Item = usize> {
        self.seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(index, _)| index)
    }

    /// The negative control: every derivative has to have been compared somewhere where a wrong one would have failed.
    pub fn control(&self, tolerance: Option<f64>) -> Result<(), Box<Details>> {
        let Some((name, _, usually)) = self.derivatives.iter().find(|(_, seen, _)| !seen) else {
            return Ok(());
        };
        let details = Details::new(Mistake::CannotFail, "");
        Err(Box::new(if let (true, Some(tolerance)) = (usually, tolerance) {
            details.help(format!(
                "the tolerance of {tolerance} accepts for `{name}` a derivative that is zero, doubled or of the other sign"
            ))
        } else if self.skipped > 0 {
            details.help(format!("`{name}`: what is not zero was left out at kinks; choose other points"))
        } else {
            details.help(format!(
                "`{name}` is zero, or too small for differences, at every point, so a missing term or a wrong factor would \
                 not be seen; choose points at which the function depends on its arguments"
            ))
        }))
    }
}
