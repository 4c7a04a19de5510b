//! Slopes by differences, with a step that nobody has to choose and an estimate of the error.
//!
//! Central differences have an error in even powers of the step. A table of extrapolations removes one power after the other
//! (L. F. Richardson 1911), for a sequence of halved steps; the entry that differs least from its neighbours is taken, and that
//! difference is its error (C. J. F. Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", Advances in Engineering
//! Software 4, 1982; here the entry before the neighbour is asked as well).
//!
//! Of many noisy entries some agree by accident, so noise has to be in the error by itself. How noisy the values are is
//! measured beforehand: differences of high order of values at tiny distances are nothing but noise (R. W. Hamming 1971; J. J. Moré, S. M.
//! Wild, "Estimating computational noise", SIAM Journal on Scientific Computing 33, 2011).
//!
//! A function may also look smooth at a step at which it is not: a fast wave of small amplitude is averaged out by large steps.
//! So an estimate is only the first choice if no estimate from smaller steps excludes it. The one that was excluded is kept beside it:
//! where rounding inside the function makes it a staircase, the smaller steps see a single stair.
//!
//! The steps begin near a quarter of the argument's size, off any round number (a function with a period of a power of
//! two would look constant otherwise), and go on until the estimate is good or the steps are hopelessly small. That leads past
//! kinks and ends of the domain in the neighbourhood: where a value is not finite, the table begins anew.

/// How many powers of the step are removed at most: more only amplifies rounding.
const COLUMNS: usize = 7;

/// Slopes of all results along one direction.
#[derive(Debug, Clone, Default)]
pub struct Slopes {
    /// The slopes, NaN where none could be found.
    pub value: Vec<f64>,
    /// Their errors.
    pub error: Vec<f64>,
    /// The step at which each was found.
    pub step: Vec<f64>,
    /// What larger steps say of each, where that is something else.
    pub coarse: Vec<Vec<Estimate>>,
}

impl Slopes {
    /// All that is known of a slope, the first choice first.
    pub fn candidates(&self, output: usize) -> impl Iterator<Item = Estimate> {
        let first = Estimate { value: self.value[output], error: self.error[output], step: self.step[output] };
        let coarse = self.coarse.get(output).into_iter().flatten().copied();
        std::iter::once(first).chain(coarse)
    }

    /// Makes another candidate the first choice.
    pub fn choose(&mut self, output: usize, chosen: Estimate) {
        (self.value[output], self.error[output], self.step[output]) = (chosen.value, chosen.error, chosen.step);
    }
}

/// How to sample.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The first step.
    pub start: f64,
    /// The unit roundoff of the values.
    pub rounding: f64,
    /// Relative error that is good enough to stop; zero goes through all steps.
    pub enough: f64,
    /// The number of steps.
    pub levels: usize,
}

/// One table, for one result.
struct Table {
    /// The power of the step that a column removes, as the factor by which halving the step shrinks it: 4 for central
    /// differences, 2 for one-sided ones.
    ratio: f64,
    row: Vec<f64>,
    /// The row before.
    older: Vec<f64>,
    /// What is known after each row, the best entry of that row alone.
    estimates: Vec<Estimate>,
}

/// A slope, its error, and the step at which it was found.
#[derive(Debug, Clone, Copy)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
    pub step: f64,
}

const UNKNOWN: Estimate = Estimate { value: f64::NAN, error: f64::INFINITY, step: f64::NAN };

impl Table {
    fn new(ratio: f64) -> Table {
        Table { ratio, row: Vec::new(), older: Vec::new(), estimates: Vec::new() }
    }

    /// The estimates with the smallest errors, each excluded by the next one, which is from smaller steps.
    fn chain(&self) -> Vec<Estimate> {
        let mut rest = &self.estimates[..];
        let mut chain = Vec::new();
        let least = |a: &(usize, &Estimate), b: &(usize, &Estimate)| a.1.error.total_cmp(&b.1.error);
        while let Some((index, best)) = rest.iter().enumerate().min_by(least) {
            chain.push(*best);
            let excludes = |e: &Estimate| (e.value - best.value).abs() > 8.0 * (e.error + best.error);
            match rest[index + 1..].iter().position(excludes) {
                None => break,
                Some(finer) => rest = &rest[index + 1 + finer..],
            }
        }
        chain
    }

    fn push(&mut self, quotient: f64, step: f64, noise: f64) {
        if !quotient.is_finite() {
            self.row.clear();
            self.older.clear();
            return;
        }
        let mut row = Vec::with_capacity(COLUMNS);
        let mut found = UNKNOWN;
        row.push(quotient);
        let mut power = 1.0;
        for (column, above) in self.row.iter().take(COLUMNS - 1).enumerate() {
            power *= self.ratio;
            let left = row[column];
            let entry = left + (left - above) / (power - 1.0);
            // Two entries agree by accident more easily than three on a diagonal.
            if let Some(older) = column.checked_sub(1).and_then(|column| self.older.get(column)) {
                let apart = (entry - left).abs().max((entry - above).abs()).max((entry - older).abs());
                let error = apart + noise;
                if error < found.error {
                    found = Estimate { value: entry, error, step };
                }
            }
            row.push(entry);
        }
        self.older = std::mem::replace(&mut self.row, row);
        if found.error.is_finite() {
            self.estimates.push(found);
        }
    }
}

/// How far each result is off by rounding, from values at distances of `tiny` or a little more, or far more where that changes
/// nothing.
///
/// At a single distance, rounding may fall into step with it and look linear; at a large one, a fast wave looks like noise. Where a result
/// does not change at all at first, the first change is that of a stair, and the stair's height is the noise.
pub fn noise(mut f: impl FnMut(f64) -> Vec<f64>, tiny: f64) -> Vec<f64> {
    let mut levels: Vec<f64> = Vec::new();
    let mut moved: Vec<bool> = Vec::new();
    let mut distance = tiny;
    for attempt in 0..9 {
        let rows: Vec<Vec<f64>> = (-3..=3).map(|k| f(f64::from(k) * distance)).collect();
        levels.resize(rows[0].len(), 0.0);
        moved.resize(rows[0].len(), false);
        for (index, level) in levels.iter_mut().enumerate() {
            let values: Vec<f64> = rows.iter().map(|row| row[index]).collect();
            let stair = if attempt > 0 && !moved[index] { smallest_change(&values) } else { 0.0 };
            moved[index] |= smallest_change(&values) > 0.0;
            if attempt < 3 || *level == 0.0 {
                *level = level.max(roughness(&values)).max(stair);
            }
        }
        if attempt >= 2 && levels.iter().all(|level| *level > 0.0) {
            break;
        }
        distance *= 21.3;
    }
    levels
}

/// The noise in values at equal distances, if they would otherwise be smooth.
fn roughness(values: &[f64]) -> f64 {
    let mut row = values.to_vec();
    let mut level = 0.0f64;
    // Independent errors of size s make differences of order k whose mean square is s² (2k)! / k!².
    for squares in [2.0, 6.0, 20.0, 70.0] {
        row = row.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = row.iter().map(|difference| difference * difference).sum::<f64>() / row.len() as f64;
        if squares >= 20.0 && mean.is_finite() {
            level = level.max((mean / squares).sqrt());
        }
    }
    level
}

/// The smallest change between neighbours that is one.
fn smallest_change(values: &[f64]) -> f64 {
    let changes = values.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let least = changes.filter(|change| *change > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 0.0 }
}

/// The slopes at zero of `f`, which is given an offset and returns the offset that it could represent with the results there.
///
/// `noise` is that of each result.
pub fn central(mut f: impl FnMut(f64) -> (f64, Vec<f64>), noise: &[f64], sampling: Sampling) -> Slopes {
    let mut tables: Vec<Table> = noise.iter().map(|_| Table::new(4.0)).collect();
    let mut step = sampling.start;
    let mut largest = 0.0f64;
    for _ in 0..sampling.levels {
        let (above, right) = f(step);
        let (below, left) = f(-step);
        let width = above - below;
        for (((table, noise), r), l) in tables.iter_mut().zip(noise).zip(&right).zip(&left) {
            let size = r.abs().max(l.abs());
            if size.is_finite() {
                largest = largest.max(size);
            }
            table.push((r - l) / width, step, 2.0 * (sampling.rounding * size + 2.0 * noise) / step);
        }
        let unit = 1e-3 * largest / sampling.start;
        let good = |best: Estimate| best.error <= sampling.enough * best.value.abs().max(unit);
        if sampling.enough > 0.0 && tables.iter().all(|table| table.chain().last().is_some_and(|best| good(*best))) {
            break;
        }
        step /= 2.0;
    }
    collect(&tables)
}

/// The slopes to one side of zero, the right one for a positive `start`.
pub fn one_sided(mut f: impl FnMut(f64) -> (f64, Vec<f64>), noise: &[f64], sampling: Sampling) -> Slopes {
    let (_, here) = f(0.0);
    let mut tables: Vec<Table> = noise.iter().map(|_| Table::new(2.0)).collect();
    let mut step = sampling.start;
    for _ in 0..sampling.levels {
        let (offset, there) = f(step);
        for (((table, noise), t), h) in tables.iter_mut().zip(noise).zip(&there).zip(&here) {
            let size = t.abs().max(h.abs());
            table.push((t - h) / offset, step.abs(), 4.0 * (sampling.rounding * size + 2.0 * noise) / step.abs());
        }
        step /= 2.0;
    }
    collect(&tables)
}

fn collect(tables: &[Table]) -> Slopes {
    let mut coarse: Vec<Vec<Estimate>> = tables.iter().map(Table::chain).collect();
    let best: Vec<Estimate> = coarse.iter_mut().map(|chain| chain.pop().unwrap_or(UNKNOWN)).collect();
    Slopes {
        value: best.iter().map(|best| best.value).collect(),
        error: best.iter().map(|best| best.error).collect(),
        step: best.iter().map(|best| best.step).collect(),
        coarse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLING: Sampling = Sampling { start: 0.21, rounding: f64::EPSILON / 2.0, enough: 1e-10, levels: 26 };

    fn slope(f: impl Fn(f64) -> f64) -> (f64, f64) {
        let noise = noise(|t| vec![f(t)], 1e-14);
        let slopes = central(|t| (t, vec![f(t)]), &noise, SAMPLING);
        (slopes.value[0], slopes.error[0])
    }

    #[test]
    fn smooth_functions_to_ten_digits_with_an_error_that_holds() {
        type Case = (fn(f64) -> f64, f64);
        let cases: [Case; 5] = [
            (|t| (1.0 + t).exp(), 1f64.exp()),
            (|t| (0.3 + t).sin() / (0.3 + t), 0.3f64.cos() / 0.3 - 0.3f64.sin() / 0.09),
            (|t| (100.0 * t).sin(), 100.0),
            (|t| 1e6 + t, 1.0),
            (|t| t * t, 0.0),
        ];
        for (f, expected) in cases {
            let (value, error) = slope(f);
            assert!((value - expected).abs() <= 4.0 * error, "{value} ± {error}, expected {expected}");
            assert!(error < 1e-7 * expected.abs().max(1e-3), "{value} ± {error}, expected {expected}");
        }
    }

    #[test]
    fn the_end_of_the_domain_is_stepped_over() {
        let (value, error) = slope(|t| (1e-5 + t).ln());
        assert!((value - 1e5).abs() <= 4.0 * error && error < 1e-1, "{value} ± {error}");
    }

    #[test]
    fn a_kink_nearby_is_stepped_over() {
        let (value, error) = slope(|t| (t - 1e-4).abs() + (1.0 + t).ln());
        assert!(value.abs() <= 4.0 * error && error < 1e-7, "{value} ± {error}");
    }

    #[test]
    fn a_period_of_a_power_of_two_is_not_taken_for_a_constant() {
        let (value, error) = slope(|t| t + (64.0 * std::f64::consts::PI * t).sin() / 64.0);
        let expected = 1.0 + std::f64::consts::PI;
        assert!((value - expected).abs() <= 4.0 * error && error < 1e-7, "{value} ± {error}");
    }

    #[test]
    fn noise_is_in_the_error() {
        // A value that is only right to 1e-6.
        let noisy = |t: f64| (1.0 + t).exp() + 1e-6 * (1e12 * t).sin();
        let (value, error) = slope(noisy);
        assert!((value - 1f64.exp()).abs() <= 10.0 * error, "{value} ± {error}");
    }

    #[test]
    fn noise_is_measured_and_smooth_functions_have_hardly_any() {
        let level = noise(|t| vec![(1.0 + t).exp(), (1.0 + t).exp() + 1e-6 * (1e12 * t).sin(), 1e3 * t], 1e-9);
        assert!(level[0] < 1e-15 && level[2] < 1e-20, "{level:?}");
        assert!((1e-7..3e-6).contains(&level[1]), "{level:?}");
    }

    #[test]
    fn a_fast_wave_of_small_amplitude_is_not_averaged_out() {
        let f = |t: f64| 1e8 + 44.0 * t + (4e6 * t).sin();
        let noise = noise(|t| vec![f(t)], 1e-10);
        let slopes = central(|t| (t, vec![f(t)]), &noise, Sampling { enough: 0.0, levels: 34, ..SAMPLING });
        let (value, error) = (slopes.value[0], slopes.error[0]);
        assert!((value - 4_000_044.0).abs() <= 4.0 * error && error < 0.1 * value, "{value} ± {error}");
    }

    #[test]
    fn both_sides_of_a_kink() {
        let f = |t: f64| (t, vec![if t > 0.0 { 3.0 * t } else { t.sin() }]);
        let right = one_sided(f, &[0.0], SAMPLING);
        let left = one_sided(f, &[0.0], Sampling { start: -SAMPLING.start, ..SAMPLING });
        assert!((right.value[0] - 3.0).abs() < 1e-8 && (left.value[0] - 1.0).abs() < 1e-8, "{left:?} {right:?}");
    }

    #[test]
    fn where_nothing_is_finite_there_is_no_slope() {
        let (value, error) = slope(|_| f64::NAN);
        assert!(value.is_nan() && error.is_infinite());
    }
}
