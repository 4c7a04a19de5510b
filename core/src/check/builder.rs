//! The builder that all ways to ask for a check lead to.

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::failure::{Details, Failure, Mistake};
use super::problem::Problem;
use super::random::Random;
use super::spot::{Settings, Spot};
use super::tally::{Report, Tally};
use super::{compare, laws, second};

/// A function with its derivatives, and the points at which they are to be checked.
///
/// Made by [`check!`](macro@crate::check) and the functions of [`cotangent::check`](mod@crate::check). `S` says what kind of function it is;
/// which derivatives can be given and how points look depends on it. End with [`assert`](Check::assert) in a test, or with
/// [`run`](Check::run) where the failure is wanted as a value.
///
/// # What is checked
///
/// At each point: the values that a derivative returns and what it leaves in `&mut` arguments against the plain call; that it
/// changes nothing else; every derivative against differences, whose step is found by extrapolation and whose error is
/// estimated; that it is linear in its seed or direction; that adjoints are added to a shadow that is not zero; every lane
/// of a batch against a single call; forward against reverse mode by `<J v, w> = <v, J' w>`; second derivatives against
/// differences of the gradient, and their symmetry.
///
/// Then the check is itself checked: had each derivative been zero, doubled or of the other sign, would it have failed? If not,
/// because the function does not depend on anything there, the tolerance is absurd, or no points were given, that is
/// a failure ([`Mistake::CannotFail`]).
#[must_use = "nothing is checked before `assert` or `run`"]
pub struct Check<'a, S> {
    pub(super) problem: Problem<'a>,
    pub(super) points: Vec<Vec<f64>>,
    pub(super) settings: Settings,
    near: Option<(usize, f64)>,
    signature: PhantomData<S>,
}

impl<'a, S> Check<'a, S> {
    pub(super) fn new(problem: Problem<'a>) -> Check<'a, S> {
        Check { problem, points: Vec::new(), settings: Settings::default(), near: None, signature: PhantomData }
    }

    /// The relative error that derivatives may have, compared with differences: 1e-7, for `f32` 2e-3, if not set.
    ///
    /// The estimated error of the differences is allowed in addition. For a function whose values are less exact
    /// than its type, such as the result of an iteration.
    pub fn tolerance(mut self, relative: f64) -> Self {
        self.settings.tolerance = Some(relative);
        self
    }

    /// The relative error that computations may have which should agree up to rounding, such as both modes: 1e-12, for
    /// `f32` 1e-4, if not set.
    ///
    /// For a function that amplifies rounding.
    pub fn rounding(mut self, relative: f64) -> Self {
        self.settings.rounding = Some(relative);
        self
    }

    /// The seed of the random directions, weights and points. A failure tells it; if not set, it is always the same.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Leaves out components at whose point the function has a kink, in place of failing.
    ///
    /// For random points, some of which may lie on a kink. Only the components are left out whose derivative explains itself by the slope to
    /// one side; if nothing remains, the check fails.
    pub fn skip_kinks(mut self) -> Self {
        self.settings.skip_kinks = true;
        self
    }

    /// Adds to each point `count` random ones in its neighbourhood, whose components differ from its own by up to `radius` times
    /// their size.
    pub fn near(mut self, count: usize, radius: f64) -> Self {
        self.near = Some((count, radius));
        self
    }

    /// Names a constant that no derivative may change.
    ///
    /// Safe code changes a constant only where it has a `Cell` or the like, foreign and unsafe code may do so anyway. One that the
    /// function itself changes is not looked at.
    pub fn constant<C>(mut self, name: &str, value: &'a C) -> Self
    where
        C: ToOwned + PartialEq + ?Sized,
        C::Owned: 'a,
    {
        let before = value.to_owned();
        self.problem.constants.push((name.to_owned(), Box::new(move || before.borrow() == value)));
        self
    }

    /// Checks.
    ///
    /// # Errors
    /// The first mistake that was found, or that the check could not have found one.
    pub fn run(&self) -> Result<Report, Failure> {
        let mut tally = Tally::default();
        self.worthwhile()?;
        let points = self.all_points();
        for (index, point) in points.iter().enumerate() {
            self.at_point(&mut tally, point, (index, points.len()))?;
        }
        tally.control(self.settings.tolerance).map_err(|details| self.complete(*details))?;
        Ok(Report {
            points: points.len(),
            comparisons: tally.comparisons,
            worst: tally.worst,
            skipped: tally.skipped,
            unseen: tally.unseen().map(|index| self.problem.inputs.name(index)).collect(),
            seed: self.settings.seed,
        })
    }

    /// Checks, for a test.
    ///
    /// # Panics
    /// Where [`run`](Check::run) gives an error, with all that it says, at the line of the caller.
    #[track_caller]
    pub fn assert(&self) {
        if let Err(failure) = self.run() {
            panic!("{failure}");
        }
    }

    fn complete(&self, mut details: Details) -> Failure {
        details.seed = self.settings.seed;
        details.into()
    }

    /// Whether there is anything that could fail.
    fn worthwhile(&self) -> Result<(), Failure> {
        let cannot = |help: &str| Err(self.complete(Details::new(Mistake::CannotFail, "").help(help)));
        if !self.problem.has_derivatives() {
            return cannot("no derivative was given");
        }
        if self.problem.reverse.is_empty() && self.problem.forward.is_empty() {
            return cannot(
                "a second derivative is compared with the first: give `.gradient(..)` or `.reverse(..)` too",
            );
        }
        if self.points.is_empty() {
            return cannot("no point was given");
        }
        match self.settings.rounding {
            Some(rounding) if !(0.0..=0.1).contains(&rounding) => {
                cannot(&format!("`.rounding({rounding})` accepts anything; it is a relative error, such as 1e-9"))
            }
            _ => Ok(()),
        }
    }

    /// The points that were given, each followed by those near it.
    fn all_points(&self) -> Vec<Vec<f64>> {
        let Some((count, radius)) = self.near else { return self.points.clone() };
        let mut random = Random::new(self.settings.seed).fork(0x9ea5);
        let mut points = Vec::new();
        for point in &self.points {
            points.push(point.clone());
            for _ in 0..count {
                let mut moved = |x: &f64| x + radius * x.abs().max(0.1) * (2.0 * random.unit() - 1.0);
                points.push(point.iter().map(&mut moved).collect());
            }
        }
        points
    }

    fn at_point(&self, tally: &mut Tally, point: &[f64], place: (usize, usize)) -> Result<(), Failure> {
        let problem = &self.problem;
        let mut spot = Spot::new(problem, &self.settings, tally, point, place)?;
        let watched: Vec<bool> = problem.constants.iter().map(|(_, same)| same()).collect();
        for derivative in &problem.forward {
            spot.tally.expect(&derivative.name);
            laws::forward(&mut spot, derivative)?;
            compare::forward(&mut spot, derivative)?;
            unchanged(&spot, &derivative.name, &watched)?;
        }
        for derivative in &problem.reverse {
            spot.tally.expect(&derivative.name);
            laws::reverse(&mut spot, derivative)?;
            compare::reverse(&mut spot, derivative)?;
            unchanged(&spot, &derivative.name, &watched)?;
        }
        for forward in &problem.forward {
            for reverse in &problem.reverse {
                laws::transposes(&mut spot, forward, reverse)?;
            }
        }
        for derivative in &problem.second {
            spot.tally.expect(&derivative.name);
            second::check(&mut spot, derivative)?;
            unchanged(&spot, &derivative.name, &watched)?;
        }
        Ok(())
    }
}

fn unchanged(spot: &Spot<'_, '_>, name: &str, watched: &[bool]) -> Result<(), Failure> {
    for ((constant, same), watched) in spot.problem.constants.iter().zip(watched) {
        if *watched && !same() {
            return Err(spot.failure(Details::new(Mistake::ConstantChanged, name).input(constant.clone())));
        }
    }
    Ok(())
}

impl<S> std::fmt::Debug for Check<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Check").field("points", &self.points).field("settings", &self.settings).finish_non_exhaustive()
    }
}
