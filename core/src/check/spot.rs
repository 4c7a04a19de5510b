//! One point: what is known of the function there.

use super::differences::{self, Estimate, Slopes};
use super::failure::{Details, Failure, Mistake};
use super::judge::{Precision, Verdict};
use super::problem::Problem;
use super::random::Random;
use super::tally::Tally;

/// What the user set.
#[derive(Debug, Clone)]
pub struct Settings {
    pub tolerance: Option<f64>,
    pub rounding: Option<f64>,
    pub seed: u64,
    pub skip_kinks: bool,
    /// Up to so many inputs, each is varied alone; beyond, all at once in random directions.
    pub coordinates: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tolerance: None, rounding: None, seed: 0xc07a_96e7, skip_kinks: false, coordinates: 256 }
    }
}

/// Everything that the checks at one point share.
pub struct Spot<'s, 'a> {
    pub problem: &'s Problem<'a>,
    pub settings: &'s Settings,
    pub precision: Precision,
    /// The precision without what the user set.
    pub usual: Precision,
    /// The point.
    pub x: Vec<f64>,
    /// The values there.
    pub y: Vec<f64>,
    /// Weights of the outputs: what reverse mode is seeded with.
    pub weights: Vec<f64>,
    pub random: Random,
    pub tally: &'s mut Tally,
    place: (usize, usize),
    /// For each input the slopes of all outputs, and of their weighted sum.
    slopes: Vec<Option<Slopes>>,
    /// How far each output, and their weighted sum, is off by rounding.
    noise: Vec<f64>,
    /// How large each output is here or nearby.
    sizes: Vec<f64>,
    /// See [`Spot::negligible`].
    negligible: Vec<Option<f64>>,
}

impl<'s, 'a> Spot<'s, 'a> {
    /// Calls the function, twice.
    pub fn new(
        problem: &'s Problem<'a>,
        settings: &'s Settings,
        tally: &'s mut Tally,
        point: &[f64],
        place: (usize, usize),
    ) -> Result<Spot<'s, 'a>, Failure> {
        let usual = Precision::of(problem.is_single());
        let mut precision = usual;
        if let Some(tolerance) = settings.tolerance {
            precision.tolerance = tolerance;
        }
        if let Some(rounding) = settings.rounding {
            precision.rounding = rounding;
        }
        let mut x = point.to_vec();
        problem.inputs.round(&mut x);
        let random = Random::new(settings.seed).fork(place.0 as u64);
        let slopes = vec![None; x.len()];
        let mut spot = Spot {
            problem,
            settings,
            precision,
            usual,
            x,
            y: Vec::new(),
            weights: Vec::new(),
            random,
            tally,
            place,
            slopes,
            noise: Vec::new(),
            sizes: Vec::new(),
            negligible: Vec::new(),
        };
        spot.evaluate()?;
        spot.negligible = vec![None; spot.y.len() + 1];
        Ok(spot)
    }

    fn evaluate(&mut self) -> Result<(), Failure> {
        if let Some(index) = self.x.iter().position(|number| !number.is_finite()) {
            let details = Details::new(Mistake::NotFinite, "").input(self.problem.inputs.name(index));
            return Err(self.failure(details.help("the point itself is not finite there")));
        }
        self.y = (self.problem.primal)(&self.x);
        if let Some(index) = self.y.iter().position(|number| !number.is_finite()) {
            let details = Details::new(Mistake::NotFinite, "").output(self.problem.outputs.name(index));
            let help = format!("the function is {} there; choose a point inside its domain", self.y[index]);
            return Err(self.failure(details.help(help)));
        }
        let again = (self.problem.primal)(&self.x);
        let size = largest(&self.y) * 1e-3;
        if again.len() != self.y.len() {
            return Err(self.failure(Details::new(Mistake::Impure, "")));
        }
        if let Some(index) = (0..again.len()).find(|i| !self.precision.same(self.y[*i], again[*i], size)) {
            let details = Details::new(Mistake::Impure, "").output(self.problem.outputs.name(index));
            let help = "a derivative of what is random, or counts its calls, cannot be checked";
            return Err(self.failure(details.values(again[index], self.y[index], "the first call").help(help)));
        }
        // A lone result is seeded with 1, so that what messages show is the gradient.
        self.weights = if self.y.len() == 1 { vec![1.0] } else { self.random.weights(self.y.len()) };
        let direction = self.direction();
        let tiny = self.reach(&self.x, &direction) * self.precision.tiny();
        let mut along = self.along(&self.x, &direction);
        let noise = differences::noise(|offset| along(offset).1, tiny);
        // Where the function is zero by accident, its size is that of its neighbours.
        let near = along(0.25 * self.reach(&self.x, &direction)).1;
        drop(along);
        self.noise = noise;
        self.sizes =
            self.y.iter().zip(&near).map(|(y, n)| if n.is_finite() { y.abs().max(n.abs()) } else { y.abs() }).collect();
        Ok(())
    }

    /// Completes a failure with what is the same for all at this point.
    pub fn failure(&self, mut details: Details) -> Failure {
        details.point.clone_from(&self.x);
        details.place = Some(self.place);
        details.seed = self.settings.seed;
        details.into()
    }

    /// Which point this is, and of how many.
    pub fn place(&self) -> (usize, usize) {
        self.place
    }

    /// The size of an input, as a first step knows it.
    fn scale(&self, index: usize) -> f64 {
        self.x[index].abs().max(1.0 / 16.0)
    }

    /// A random direction, in which each input moves by about its own size, and that is exact in the inputs' type.
    pub fn direction(&mut self) -> Vec<f64> {
        let mut direction: Vec<f64> = (0..self.x.len())
            .map(|index| self.random.weight() * 2f64.powi(self.scale(index).log2().floor() as i32).clamp(1e-3, 1e3))
            .collect();
        self.problem.inputs.round(&mut direction);
        direction
    }

    /// A function from an offset along `direction` to the values and their weighted sum.
    fn along<'f>(&'f self, at: &'f [f64], direction: &'f [f64]) -> impl FnMut(f64) -> (f64, Vec<f64>) + 'f {
        let lone = direction.iter().filter(|d| **d != 0.0).count() == 1;
        move |offset| {
            let mut moved: Vec<f64> = at.iter().zip(direction).map(|(x, d)| x + offset * d).collect();
            self.problem.inputs.round(&mut moved);
            let mut values = (self.problem.primal)(&moved);
            let sum = self.weighted(&values);
            values.push(sum);
            if !lone {
                return (offset, values);
            }
            // Of one input, the step that was really made is known.
            let made = moved.iter().zip(at).zip(direction).find(|(_, d)| **d != 0.0);
            (made.map_or(offset, |((moved, x), d)| (moved - x) / d), values)
        }
    }

    /// The weighted sum of outputs.
    pub fn weighted(&self, values: &[f64]) -> f64 {
        if values.len() == self.weights.len() { dot(values, &self.weights) } else { f64::NAN }
    }

    /// The first step along a direction.
    fn reach(&self, at: &[f64], direction: &[f64]) -> f64 {
        let steps = at.iter().zip(direction).filter(|(_, d)| **d != 0.0);
        steps.map(|(x, d)| x.abs().max(1.0 / 16.0) / d.abs()).fold(f64::INFINITY, f64::min)
    }

    /// The slopes along a direction, at this point or one nearby. With `patient`, all steps are tried, from another
    /// first one on.
    pub fn slopes_along(&self, at: &[f64], direction: &[f64], patient: bool) -> Slopes {
        let reach = self.reach(at, direction);
        if !reach.is_finite() {
            let zeros = vec![0.0; self.y.len() + 1];
            return Slopes { value: zeros.clone(), error: zeros.clone(), step: zeros, coarse: Vec::new() };
        }
        let mut sampling = self.precision.sampling(reach);
        let mut noise = self.noise.clone();
        if patient {
            sampling.start *= 0.7137;
            sampling.enough = 0.0;
            sampling.levels += sampling.levels / 4;
            // Along this direction alone there may be more.
            let mut along = self.along(at, direction);
            let own = differences::noise(|offset| along(offset).1, reach * self.precision.tiny());
            noise.iter_mut().zip(&own).for_each(|(noise, own)| *noise = noise.max(*own));
        }
        let slopes = differences::central(self.along(at, direction), &noise, sampling);
        // Small arguments of a function that lives on their scale, such as a logarithm's.
        let own = at.iter().zip(direction).filter(|(x, d)| **d != 0.0 && **x != 0.0);
        let own = own.map(|(x, d)| x.abs() / d.abs()).fold(f64::INFINITY, f64::min);
        if own.is_finite() && own < 0.5 * reach && !self.settled(&slopes) {
            let sampling = differences::Sampling { start: 0.2371 * own, ..sampling };
            let near = differences::central(self.along(at, direction), &noise, sampling);
            return better(slopes, &near);
        }
        slopes
    }

    fn settled(&self, slopes: &Slopes) -> bool {
        slopes.value.iter().zip(&slopes.error).all(|(value, error)| *error <= 1e-8 * value.abs())
    }

    /// The slopes to both sides: all outputs', and their weighted sum's.
    pub fn sides(&self, direction: &[f64]) -> (Slopes, Slopes) {
        let mut sampling = self.precision.sampling(self.reach(&self.x, direction));
        let right = differences::one_sided(self.along(&self.x, direction), &self.noise, sampling);
        sampling.start = -sampling.start;
        (differences::one_sided(self.along(&self.x, direction), &self.noise, sampling), right)
    }

    /// Whether the values to both sides, at tiny distances, differ by more than those to one side.
    pub fn has_jump(&self, direction: &[f64], output: usize) -> bool {
        let tiny = self.reach(&self.x, direction) * 1e4 * self.precision.tiny();
        let mut values = self.along(&self.x, direction);
        let mut side = |sign: f64| {
            let values = [1.0, 2.0, 3.0, 4.0].map(|k| values(sign * k * tiny).1[output]);
            let range = values.iter().fold((values[0], values[0]), |(low, high), v| (low.min(*v), high.max(*v)));
            (range, range.1 - range.0)
        };
        let ((left, left_spread), (right, right_spread)) = (side(-1.0), side(1.0));
        let between = (right.0 - left.1).max(left.0 - right.1);
        let rounding = 1e3 * self.precision.unit * left.1.abs().max(right.1.abs());
        between > 20.0 * (left_spread + right_spread) + rounding
    }

    /// Whether a derivative agrees with one of the things that are known of a slope, which is then the first choice.
    pub fn judge(&self, got: f64, slopes: &mut Slopes, output: usize, size: f64) -> Verdict {
        let judge = |slope: &Estimate| self.precision.judge(got, slope.value, slope.error, size);
        let agrees = slopes.candidates(output).find(|slope| judge(slope) == Verdict::Agrees);
        if let Some(slope) = agrees {
            slopes.choose(output, slope);
            return Verdict::Agrees;
        }
        slopes.candidates(output).next().map_or(Verdict::Unsettled, |slope| judge(&slope))
    }

    /// The slopes for one input.
    pub fn slopes(&mut self, input: usize) -> Slopes {
        if self.slopes[input].is_none() {
            self.slopes[input] = Some(self.slopes_along(&self.x, &self.unit(input), false));
        }
        self.slopes[input].clone().unwrap_or_default()
    }

    /// Replaces what is known of one input by something better.
    pub fn improve(&mut self, input: usize, slopes: Slopes) {
        self.slopes[input] = Some(slopes);
    }

    /// The direction in which one input moves alone.
    pub fn unit(&self, input: usize) -> Vec<f64> {
        unit(self.x.len(), input)
    }

    /// Whether each input is looked at alone.
    pub fn is_small(&self) -> bool {
        self.x.len() <= self.settings.coordinates
    }

    /// Derivatives of this output (after the last one, of the weighted sum) below this do not matter: a small part of the
    /// largest one, but at least what the value's own size suggests.
    pub fn negligible(&mut self, output: usize) -> f64 {
        if let Some(size) = self.negligible[output] {
            return size;
        }
        let value = self.sizes.get(output).copied().unwrap_or_else(|| largest(&self.sizes));
        let scale = (0..self.x.len()).map(|index| self.scale(index)).fold(1.0f64, f64::max);
        let mut size = 1e-6 * value / scale;
        if self.is_small() {
            for input in 0..self.x.len() {
                let slope = self.slopes(input).value.get(output).copied().unwrap_or(f64::NAN);
                if slope.is_finite() {
                    size = size.max(self.precision.negligible * slope.abs());
                }
            }
        }
        self.negligible[output] = Some(size);
        size
    }
}

/// For each result the slope that is known better.
fn better(mut slopes: Slopes, other: &Slopes) -> Slopes {
    for index in 0..slopes.value.len().min(other.value.len()) {
        if other.error[index] < slopes.error[index]
            && let Some(first) = other.candidates(index).next()
        {
            slopes.choose(index, first);
        }
    }
    slopes
}

/// Row `index` of the identity.
pub fn unit(length: usize, index: usize) -> Vec<f64> {
    let mut list = vec![0.0; length];
    list[index] = 1.0;
    list
}

/// The inner product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest magnitude.
pub fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |size, number| size.max(number.abs()))
}
