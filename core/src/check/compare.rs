//! Derivatives against differences: every component, or, of very many inputs, mixtures of them.

use std::ops::Range;

use super::diagnose::{self, Element, Entry};
use super::differences::Slopes;
use super::failure::{Details, Failure, Mistake};
use super::judge::Verdict;
use super::problem::{Forward, Reverse};
use super::spot::{Spot, dot, largest, unit};
use super::tally::Compared;

/// Tangents of all outputs in one direction.
pub fn tangent(forward: &Forward<'_>, at: &[f64], direction: &[f64]) -> Vec<f64> {
    let lanes = vec![direction.to_vec(); forward.width];
    (forward.call)(at, &lanes).tangents.into_iter().next().unwrap_or_default()
}

/// Adjoints of all inputs, from shadows that were zero.
pub fn adjoint(reverse: &Reverse<'_>, at: &[f64], seed: &[f64]) -> Vec<f64> {
    (reverse.call)(at, seed, &vec![0.0; at.len()]).adjoint
}

/// Every component of a forward derivative, and one direction in which all inputs move.
pub fn forward(spot: &mut Spot<'_, '_>, forward: &Forward<'_>) -> Result<(), Failure> {
    let element: &Element<'_> = &|at, input, output| {
        let lone = tangent(forward, at, &unit(at.len(), input));
        lone.get(output).copied().unwrap_or(f64::NAN)
    };
    if spot.is_small() {
        let mut entries = Vec::new();
        for input in 0..spot.x.len() {
            let lone = tangent(forward, &spot.x, &spot.unit(input));
            entries.extend(lone.into_iter().enumerate().map(|(output, got)| Entry { input, output, got }));
        }
        components(spot, &forward.name, entries, element)?;
    }
    if spot.is_small() && spot.x.len() <= 1 {
        return Ok(());
    }
    let direction = spot.direction();
    let outputs = spot.y.len();
    mixture(spot, &forward.name, &direction, element, &|_, at, direction| {
        tangent(forward, at, direction).into_iter().enumerate().take(outputs).collect()
    })
}

/// Every component of the gradient of the weighted sum of outputs.
pub fn reverse(spot: &mut Spot<'_, '_>, reverse: &Reverse<'_>) -> Result<(), Failure> {
    let outputs = spot.y.len();
    let element: &Element<'_> = &|at, input, output| {
        let lone = adjoint(reverse, at, &unit(outputs, output));
        lone.get(input).copied().unwrap_or(f64::NAN)
    };
    if spot.is_small() {
        let gradient = adjoint(reverse, &spot.x, &spot.weights);
        let entries = gradient.into_iter().enumerate().map(|(input, got)| Entry { input, output: outputs, got });
        return components(spot, &reverse.name, entries.collect(), element);
    }
    let direction = spot.direction();
    mixture(spot, &reverse.name, &direction, element, &|spot, at, direction| {
        let gradient = adjoint(reverse, at, &spot.weights);
        vec![(outputs, dot(&gradient, direction))]
    })
}

/// Judges components, and fails with the worst that stays wrong when differences have been taken with more care.
fn components(spot: &mut Spot<'_, '_>, name: &str, entries: Vec<Entry>, element: &Element<'_>) -> Result<(), Failure> {
    let all = entries.len();
    let mut doubtful = Vec::new();
    for entry in entries {
        let slopes = spot.slopes(entry.input);
        let size = spot.negligible(entry.output);
        let (slope, error) = (slopes.value[entry.output], slopes.error[entry.output]);
        match spot.precision.judge(entry.got, slope, error, size) {
            Verdict::Agrees => {
                let compared = Compared { got: entry.got, slope, error, size };
                agreed(spot, name, entry.input..entry.input + 1, compared);
            }
            _ => doubtful.push((off(entry.got, slope, size), entry)),
        }
    }
    doubtful.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let wrong = doubtful.len();
    for (_, entry) in doubtful {
        let direction = spot.unit(entry.input);
        let mut slopes = spot.slopes_along(&spot.x, &direction, true);
        let size = spot.negligible(entry.output);
        let verdict = spot.judge(entry.got, &mut slopes, entry.output, size);
        let (slope, error) = (slopes.value[entry.output], slopes.error[entry.output]);
        if verdict == Verdict::Agrees {
            spot.improve(entry.input, slopes);
            let compared = Compared { got: entry.got, slope, error, size };
            agreed(spot, name, entry.input..entry.input + 1, compared);
            continue;
        }
        if let Some(kink) = diagnose::kink(spot, &direction, entry.output, entry.got, verdict) {
            if spot.settings.skip_kinks {
                spot.tally.skipped += 1;
                continue;
            }
            return Err(fail(spot, name, &entry, kink, &slopes, None));
        }
        if verdict == Verdict::Unsettled || excluded(&slopes, &spot.slopes(entry.input), entry.output) {
            return Err(fail(spot, name, &entry, Mistake::Unsettled, &slopes, None));
        }
        let found = diagnose::mistake(spot, &entry, &slopes, element);
        return Err(match found {
            Some((mistake, entry)) => fail(spot, name, &entry, mistake, &slopes, Some((wrong, all))),
            None => fail(spot, name, &entry, Mistake::NotLinear, &slopes, Some((wrong, all))),
        });
    }
    Ok(())
}

/// A derivative of some outputs along a direction, each with its number.
type Along<'e> = dyn Fn(&Spot<'_, '_>, &[f64], &[f64]) -> Vec<(usize, f64)> + 'e;

/// Judges derivatives in a direction in which all inputs move, and finds the inputs that are wrong by halving it.
fn mixture(
    spot: &mut Spot<'_, '_>,
    name: &str,
    direction: &[f64],
    element: &Element<'_>,
    along: &Along<'_>,
) -> Result<(), Failure> {
    match doubt(spot, name, direction, along, true) {
        None => Ok(()),
        Some(doubt) => narrow(spot, name, direction, 0..direction.len(), doubt, element, along),
    }
}

/// Looks for what is wrong among the inputs of `range`, together with which it is.
fn narrow(
    spot: &mut Spot<'_, '_>,
    name: &str,
    direction: &[f64],
    range: Range<usize>,
    why: Doubt,
    element: &Element<'_>,
    along: &Along<'_>,
) -> Result<(), Failure> {
    if range.len() == 1 {
        let input = range.start;
        let got = along(spot, &spot.x, &spot.unit(input));
        let entries = got.into_iter().map(|(output, got)| Entry { input, output, got });
        return components(spot, name, entries.collect(), element);
    }
    let middle = range.start + range.len() / 2;
    let mut both_right = true;
    for half in [range.start..middle, middle..range.end] {
        let part: Vec<f64> =
            direction.iter().enumerate().map(|(i, d)| if half.contains(&i) { *d } else { 0.0 }).collect();
        if let Some(why) = doubt(spot, name, &part, along, false) {
            both_right = false;
            narrow(spot, name, direction, half, why, element, along)?;
        }
    }
    if !both_right {
        return Ok(());
    }
    if why.verdict == Verdict::Differs {
        let help = "the derivative for several inputs together is not the sum of those for each";
        let details = Details::new(Mistake::NotLinear, name).values(why.got, why.slope, "differences");
        return Err(spot.failure(details.help(help)));
    }
    if spot.settings.skip_kinks {
        spot.tally.skipped += 1;
        return Ok(());
    }
    let details = Details::new(Mistake::Unsettled, name).values(why.got, why.slope, "differences");
    Err(spot.failure(details.help(diagnose::help(&Mistake::Unsettled, why.got, why.slope))))
}

/// A derivative that seems wrong.
struct Doubt {
    verdict: Verdict,
    got: f64,
    slope: f64,
    off: f64,
}

/// The derivative along a direction that is most wrong, if any is.
fn doubt(spot: &mut Spot<'_, '_>, name: &str, direction: &[f64], along: &Along<'_>, counted: bool) -> Option<Doubt> {
    let got = along(spot, &spot.x, direction);
    let slopes = spot.slopes_along(&spot.x, direction, false);
    let mut patient: Option<Slopes> = None;
    let mut worst: Option<Doubt> = None;
    for (output, got) in got {
        // Terms that cancel in the sum leave their rounding.
        let size = spot.negligible(output) * largest(direction).max(1.0);
        let (mut slope, mut error) = (slopes.value[output], slopes.error[output]);
        let mut verdict = spot.precision.judge(got, slope, error, size);
        if verdict != Verdict::Agrees {
            let slopes = patient.get_or_insert_with(|| spot.slopes_along(&spot.x, direction, true));
            verdict = spot.judge(got, slopes, output, size);
            (slope, error) = (slopes.value[output], slopes.error[output]);
        }
        if verdict == Verdict::Agrees {
            if counted {
                // Of few inputs, each is compared by itself too.
                let inputs = if spot.is_small() { 0..0 } else { 0..spot.x.len() };
                agreed(spot, name, inputs, Compared { got, slope, error, size });
            }
            continue;
        }
        let off = off(got, slope, size);
        if worst.as_ref().is_none_or(|worst| off > worst.off) {
            worst = Some(Doubt { verdict, got, slope, off });
        }
    }
    worst
}

/// The relative difference, by which the worst is chosen.
fn off(got: f64, slope: f64, size: f64) -> f64 {
    let off = (got - slope).abs() / got.abs().max(slope.abs()).max(size);
    if off.is_nan() { f64::INFINITY } else { off }
}

fn agreed(spot: &mut Spot<'_, '_>, name: &str, inputs: Range<usize>, compared: Compared) {
    let (precision, usual) = (spot.precision, spot.usual);
    spot.tally.agreed(name, inputs, &compared, &precision, &usual);
}

/// Whether a slope is excluded by another one, from a step that is smaller: that sees more.
fn excluded(slopes: &Slopes, by: &Slopes, output: usize) -> bool {
    let (x, y) = (slopes.value[output], by.value[output]);
    let errors = 16.0 * (slopes.error[output] + by.error[output]);
    by.step[output] < slopes.step[output] && (x - y).abs() > errors + 1e-5 * x.abs().max(y.abs())
}

fn fail(
    spot: &Spot<'_, '_>,
    name: &str,
    entry: &Entry,
    mistake: Mistake,
    slopes: &Slopes,
    wrong: Option<(usize, usize)>,
) -> Failure {
    let help = diagnose::help(&mistake, entry.got, slopes.value[entry.output]);
    let mut details = Details::new(mistake, name)
        .values(entry.got, slopes.value[entry.output], "differences")
        .input(spot.problem.inputs.name(entry.input))
        .help(help);
    details = match entry.output.cmp(&spot.y.len()) {
        std::cmp::Ordering::Less => details.output(spot.problem.outputs.name(entry.output)),
        _ if spot.y.len() == 1 => details.output(spot.problem.outputs.name(0)),
        _ => details.output("(a weighted sum of all outputs)".to_owned()),
    };
    details.error = slopes.error[entry.output];
    details.step = slopes.step[entry.output];
    details.wrong = wrong;
    spot.failure(details)
}
