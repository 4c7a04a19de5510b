//! What is wrong, as a value and in words.

use std::error::Error;
use std::fmt;

/// What kind of mistake a derivative looks like it has.
///
/// It is told from the numbers alone: from the ratio of the wrong component to the right one at several points nearby, from
/// what other components are, and from calls with other seeds and shadows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Mistake {
    /// The derivative returned another value than the plain call, or left something else in a `&mut` argument.
    Value,
    /// The derivative changed an argument that the function only reads.
    ArgumentChanged,
    /// The derivative changed a constant.
    ConstantChanged,
    /// The function itself gave two values for the same arguments.
    Impure,
    /// The sign is wrong, at every point nearby.
    Sign,
    /// A factor is wrong: what was given is this many times what it should be, at every point nearby.
    Factor(f64),
    /// The derivative is zero, and should not be.
    Missing,
    /// A term of a sum is missing or wrong: what was given is off by an amount that depends on the point.
    MissingTerm,
    /// The number is right, but for another component, the one named.
    Swapped(String),
    /// Twice the seed (in forward mode, the direction) gives the same derivative.
    SeedIgnored,
    /// The derivative is not proportional to the seed.
    NotLinear,
    /// The shadow was overwritten; adjoints have to be added to what is there.
    Overwritten,
    /// What was in the shadow before the call changes what is added to it.
    Accumulation,
    /// The tangent in this lane is not the one that a single call gives.
    Lane {
        /// The lane.
        lane: usize,
        /// The lane to which the tangent there belongs, where there is one.
        holds: Option<usize>,
    },
    /// Forward and reverse mode disagree, by less than differences can see.
    Disagree,
    /// The Hessian is not symmetric.
    Asymmetric,
    /// The function has a kink or a jump at the point, so close that there is no derivative to compare with.
    Kink {
        /// The slope to the left, infinite at a jump.
        left: f64,
        /// The slope to the right.
        right: f64,
    },
    /// Differences do not settle: the values are noisy there.
    Unsettled,
    /// A value, a derivative or the point itself is infinite or NaN.
    NotFinite,
    /// Derivatives and lists do not have the lengths that they should have.
    Length,
    /// The check would have passed with a wrong derivative too.
    CannotFail,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Value => f.write_str("the value is not that of the plain call"),
            Mistake::ArgumentChanged => f.write_str("it changes an argument that the function only reads"),
            Mistake::ConstantChanged => f.write_str("it changes a constant"),
            Mistake::Impure => f.write_str("the function gives different values for the same arguments"),
            Mistake::Sign => f.write_str("wrong sign"),
            Mistake::Factor(factor) => write!(f, "wrong factor, {factor:.6} times what it should be"),
            Mistake::Missing => f.write_str("missing: zero where it should not be"),
            Mistake::MissingTerm => f.write_str("a term is missing or wrong"),
            Mistake::Swapped(other) => write!(f, "wrong place: this is the derivative for {other}"),
            Mistake::SeedIgnored => f.write_str("the seed is ignored: twice the seed gives the same derivative"),
            Mistake::NotLinear => f.write_str("it is not proportional to the seed"),
            Mistake::Overwritten => f.write_str("the shadow is overwritten, where adjoints have to be added to it"),
            Mistake::Accumulation => f.write_str("what the shadow held before the call is not kept"),
            Mistake::Lane { lane, holds: Some(other) } => write!(f, "lane {lane} holds the tangent of lane {other}"),
            Mistake::Lane { lane, holds: None } => write!(f, "lane {lane} is not what a single call gives"),
            Mistake::Disagree => f.write_str("forward and reverse mode disagree, by less than differences can see"),
            Mistake::Asymmetric => f.write_str("the Hessian is not symmetric"),
            Mistake::Kink { left, right } if left.is_infinite() || right.is_infinite() => {
                f.write_str("the function has a jump here, so there is no derivative to compare with")
            }
            Mistake::Kink { left, right } => {
                write!(f, "a kink: the slope is {left:.6e} to the left and {right:.6e} to the right")
            }
            Mistake::Unsettled => f.write_str("differences do not settle: the values are noisy here"),
            Mistake::NotFinite => f.write_str("not finite"),
            Mistake::Length => f.write_str("wrong length"),
            Mistake::CannotFail => f.write_str("this check cannot fail"),
        }
    }
}

/// Why a check failed.
///
/// It prints everything that is known: what is wrong and where, both values, the step of the differences, the point, and how
/// to run the same check again. It is an error like any other, so `?` takes it where a test returns a `Result`, and the
/// `TestCaseError` of `proptest` is made from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure(Box<Details>);

/// All that a failure knows; fields are empty, NaN or zero where they do not apply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Details {
    pub mistake: Mistake,
    pub derivative: String,
    pub input: Option<String>,
    pub output: Option<String>,
    pub got: f64,
    pub expected: f64,
    pub error: f64,
    pub step: f64,
    pub against: &'static str,
    pub point: Vec<f64>,
    pub place: Option<(usize, usize)>,
    pub wrong: Option<(usize, usize)>,
    pub seed: u64,
    pub help: String,
}

impl Details {
    pub fn new(mistake: Mistake, derivative: &str) -> Details {
        Details {
            mistake,
            derivative: derivative.to_owned(),
            input: None,
            output: None,
            got: f64::NAN,
            expected: f64::NAN,
            error: f64::NAN,
            step: f64::NAN,
            against: "",
            point: Vec::new(),
            place: None,
            wrong: None,
            seed: 0,
            help: String::new(),
        }
    }

    pub fn values(mut self, got: f64, expected: f64, against: &'static str) -> Details {
        (self.got, self.expected, self.against) = (got, expected, against);
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Details {
        self.help = help.into();
        self
    }

    pub fn input(mut self, name: String) -> Details {
        self.input = Some(name);
        self
    }

    pub fn output(mut self, name: String) -> Details {
        self.output = Some(name);
        self
    }
}

impl From<Details> for Failure {
    fn from(details: Details) -> Failure {
        Failure(Box::new(details))
    }
}

impl Failure {
    /// What kind of mistake it looks like.
    pub fn mistake(&self) -> &Mistake {
        &self.0.mistake
    }

    /// The derivative that is wrong, as the check was told its name: `reverse`, `forward`, `gradient`, ...
    pub fn derivative(&self) -> &str {
        &self.0.derivative
    }

    /// The input with respect to which the derivative is wrong: the worst, where several are.
    pub fn input(&self) -> Option<&str> {
        self.0.input.as_deref()
    }

    /// The output whose derivative is wrong, where there are several or it is known.
    pub fn output(&self) -> Option<&str> {
        self.0.output.as_deref()
    }

    /// What the derivative gave, NaN where the failure is not about one number.
    pub fn got(&self) -> f64 {
        self.0.got
    }

    /// What it should have been.
    pub fn expected(&self) -> f64 {
        self.0.expected
    }

    /// The error that the expected value may have, NaN where it was not had by differences.
    pub fn error(&self) -> f64 {
        self.0.error
    }

    /// The step of the differences, NaN where there were none.
    pub fn step(&self) -> f64 {
        self.0.step
    }

    /// All active inputs at the point where it failed.
    pub fn point(&self) -> &[f64] {
        &self.0.point
    }

    /// The seed of the random directions, for [`Check::seed`](crate::check::Check::seed).
    pub fn seed(&self) -> u64 {
        self.0.seed
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &*self.0;
        if details.derivative.is_empty() {
            write!(f, "gradient check: {}", details.mistake)?;
        } else {
            write!(f, "gradient check of `{}`: {}", details.derivative, details.mistake)?;
        }
        match (&details.input, &details.output) {
            (Some(input), Some(output)) => write!(f, "\n  where: d {output} / d {input}")?,
            (Some(name), None) | (None, Some(name)) => write!(f, "\n  where: {name}")?,
            (None, None) => {}
        }
        if !details.against.is_empty() {
            write!(f, "\n  given: {:e}\n  expected: {:e}", details.got, details.expected)?;
            if details.error.is_finite() {
                write!(f, " ± {:.1e}", details.error)?;
            }
            write!(f, ", by {}", details.against)?;
            if details.step.is_finite() {
                write!(f, " (step {:.2e})", details.step)?;
            }
        }
        if let Some((wrong, all)) = details.wrong.filter(|(_, all)| *all > 1) {
            write!(f, "\n  wrong: {wrong} of {all} components, this is the worst")?;
        }
        if let Some((index, count)) = details.place {
            write!(f, "\n  point")?;
            if count > 1 {
                write!(f, " {} of {count}", index + 1)?;
            }
            write!(f, ": {}", List(&details.point))?;
            write!(f, "\n  again: .seed({:#x})", details.seed)?;
        }
        if !details.help.is_empty() {
            write!(f, "\n  help: {}", details.help)?;
        }
        Ok(())
    }
}

impl Error for Failure {}

/// A list of numbers that can be pasted into a test, shortened where it is long.
struct List<'l>(&'l [f64]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        f.write_str("[")?;
        for (index, number) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{number:?}", if index > 0 { ", " } else { "" })?;
        }
        if self.0.len() > SHOWN {
            write!(f, ", .. {} more", self.0.len() - SHOWN)?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_tells_everything_it_knows() {
        let mut details = Details::new(Mistake::Sign, "reverse")
            .values(-2.0, 2.0, "differences")
            .input("x[1]".into())
            .output("y".into())
            .help("look at the signs");
        details.error = 1e-12;
        details.step = 0.0125;
        details.point = vec![0.5, 1.0];
        details.place = Some((1, 3));
        details.wrong = Some((1, 2));
        details.seed = 7;
        let expected = "gradient check of `reverse`: wrong sign
  where: d y / d x[1]
  given: -2e0
  expected: 2e0 ± 1.0e-12, by differences (step 1.25e-2)
  wrong: 1 of 2 components, this is the worst
  point 2 of 3: [0.5, 1.0]
  again: .seed(0x7)
  help: look at the signs";
        assert_eq!(Failure::from(details).to_string(), expected);
    }

    #[test]
    fn long_points_are_shortened() {
        assert_eq!(List(&[0.5; 3]).to_string(), "[0.5, 0.5, 0.5]");
        assert!(List(&[0.5; 100]).to_string().ends_with("0.5, .. 84 more]"));
    }
}
