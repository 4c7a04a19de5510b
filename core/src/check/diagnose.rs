//! What kind of mistake a wrong derivative looks like it has.
//!
//! One wrong number says little: 3 where 2 is right may be a factor of 1.5 or an extra term. At several points nearby, a
//! wrong factor stays what it is and a wrong term does not. A derivative that stands at the wrong place is right for another
//! component, which is not right either. And where the slopes to both sides differ, the derivative is not wrong at all.

use super::differences::Slopes;
use super::failure::Mistake;
use super::judge::Verdict;
use super::spot::Spot;

/// The derivative at a point, of one output for one input.
pub type Element<'e> = dyn Fn(&[f64], usize, usize) -> f64 + 'e;

/// A number to be compared: for one input, of one output or (after the last one) of their weighted sum.
pub struct Entry {
    pub input: usize,
    pub output: usize,
    pub got: f64,
}

/// How many points nearby are looked at.
const NEIGHBOURS: u64 = 5;

/// What is wrong with `entry`, and for which output; nothing where each output by itself is right.
pub fn mistake(
    spot: &mut Spot<'_, '_>,
    entry: &Entry,
    slopes: &Slopes,
    element: &Element<'_>,
) -> Option<(Mistake, Entry)> {
    let mut entry = Entry { ..*entry };
    if entry.output == spot.y.len() {
        entry = worst_output(spot, &entry, slopes, element)?;
    }
    if !entry.got.is_finite() {
        return Some((Mistake::NotFinite, entry));
    }
    let mistake = match ratio(spot, &entry, element) {
        Some(0.0) => Mistake::Missing,
        Some(-1.0) => Mistake::Sign,
        factor => match (swapped(spot, &entry, slopes, element), factor) {
            (Some(other), _) => Mistake::Swapped(other),
            (None, Some(factor)) => Mistake::Factor(factor),
            (None, None) => Mistake::MissingTerm,
        },
    };
    Some((mistake, entry))
}

/// The output to which a wrong weighted sum is due.
fn worst_output(spot: &mut Spot<'_, '_>, entry: &Entry, slopes: &Slopes, element: &Element<'_>) -> Option<Entry> {
    let mut worst: Option<(f64, Entry)> = None;
    for output in 0..spot.y.len() {
        let got = element(&spot.x, entry.input, output);
        let size = spot.negligible(output);
        if spot.judge(got, &mut slopes.clone(), output, size) == Verdict::Agrees {
            continue;
        }
        let slope = slopes.value[output];
        // By its part in the sum.
        let off = (got - slope).abs() * spot.weights[output].abs();
        let off = if off.is_nan() { f64::INFINITY } else { off };
        if worst.as_ref().is_none_or(|(worst, _)| off > *worst) {
            worst = Some((off, Entry { input: entry.input, output, got }));
        }
    }
    worst.map(|(_, entry)| entry)
}

/// What was given, divided by what is right, where that is the same at all points nearby; or exactly 0 or -1, which at one
/// point are no accident.
fn ratio(spot: &Spot<'_, '_>, entry: &Entry, element: &Element<'_>) -> Option<f64> {
    let slack = 10.0 * spot.precision.tolerance.max(spot.usual.tolerance).min(5e-3);
    let mut ratios = Vec::new();
    for key in 0..=NEIGHBOURS {
        let at = if key == 0 { spot.x.clone() } else { neighbour(spot, key) };
        let slopes = spot.slopes_along(&at, &spot.unit(entry.input), false);
        let (slope, error) = (slopes.value[entry.output], slopes.error[entry.output]);
        let got = element(&at, entry.input, entry.output);
        // (Not of what is not finite either.)
        if error <= 10.0 * spot.usual.resolution * slope.abs() && got.is_finite() {
            let ratio = got / slope;
            ratios.push((ratio, slack + 8.0 * error / slope.abs()));
        }
    }
    let (first, own) = *ratios.first()?;
    let near = |ratio: f64, to: f64, spread: f64| (ratio - to).abs() <= spread * to.abs().max(1e-3);
    if first.abs() < 1e-6 {
        return Some(0.0);
    }
    if near(first, -1.0, own) {
        return Some(-1.0);
    }
    let steady = ratios.len() >= 3 && ratios.iter().all(|(ratio, spread)| near(*ratio, first, spread + own));
    steady.then_some(first)
}

/// A point in the neighbourhood.
fn neighbour(spot: &Spot<'_, '_>, key: u64) -> Vec<f64> {
    let mut random = spot.random.fork(0x5e1f + key);
    let mut at: Vec<f64> = spot.x.iter().map(|x| x + 0.15 * x.abs().max(0.05) * random.weight()).collect();
    spot.problem.inputs.round(&mut at);
    at
}

/// The component for which the given number is right, where what is given for that one is wrong too.
fn swapped(spot: &mut Spot<'_, '_>, entry: &Entry, slopes: &Slopes, element: &Element<'_>) -> Option<String> {
    let size = spot.negligible(entry.output);
    if entry.got.abs() <= size {
        return None;
    }
    if spot.is_small() {
        for input in 0..spot.x.len() {
            let other = spot.slopes(input);
            let (slope, error) = (other.value[entry.output], other.error[entry.output]);
            if input != entry.input
                && spot.precision.judge(entry.got, slope, error, size) == Verdict::Agrees
                && spot.precision.judge(element(&spot.x, input, entry.output), slope, error, size) == Verdict::Differs
            {
                return Some(spot.problem.inputs.name(input));
            }
        }
    }
    for output in 0..spot.y.len() {
        let (slope, error) = (slopes.value[output], slopes.error[output]);
        if output != entry.output
            && spot.precision.judge(entry.got, slope, error, size) == Verdict::Agrees
            && spot.precision.judge(element(&spot.x, entry.input, output), slope, error, size) == Verdict::Differs
        {
            return Some(spot.problem.outputs.name(output));
        }
    }
    None
}

/// The slopes to both sides along a direction, where they differ and so explain that a derivative is not confirmed.
///
/// A derivative that `Differs` is explained by a kink only where it is one of the side's slopes or between them: elsewhere it
/// is wrong whatever the convention.
pub fn kink(spot: &Spot<'_, '_>, direction: &[f64], output: usize, got: f64, verdict: Verdict) -> Option<Mistake> {
    if verdict == Verdict::Unsettled && spot.has_jump(direction, output) {
        return Some(Mistake::Kink { left: f64::INFINITY, right: f64::INFINITY });
    }
    let (left, right) = spot.sides(direction);
    let (l, r) = (left.value[output], right.value[output]);
    let errors = 8.0 * (left.error[output] + right.error[output]);
    let slack = 10.0 * spot.usual.tolerance * l.abs().max(r.abs());
    if !(l.is_finite() && r.is_finite() && (l - r).abs() > errors + slack) {
        return None;
    }
    let between = got >= l.min(r) - errors - slack && got <= l.max(r) + errors + slack;
    (between || verdict == Verdict::Unsettled).then_some(Mistake::Kink { left: l, right: r })
}

/// What to do about it.
pub fn help(mistake: &Mistake, got: f64, expected: f64) -> String {
    match mistake {
        Mistake::Missing => "a value on the way was taken for a constant, or its adjoint was not passed on".to_owned(),
        Mistake::MissingTerm => format!("what was given is off by {:e} here", got - expected),
        Mistake::Kink { left, right } if left.is_infinite() || right.is_infinite() => {
            "move the point, or leave such components out with `.skip_kinks()`".to_owned()
        }
        Mistake::Kink { .. } => {
            "the derivative is a convention here: move the point, or leave such components out with \
                                 `.skip_kinks()`"
                .to_owned()
        }
        Mistake::Unsettled => {
            "the function may stop an iteration early, or be near the end of its domain; make it more \
                               exact, move the point, or set `.tolerance(..)`"
                .to_owned()
        }
        Mistake::NotFinite => format!("the function is smooth here, its derivative is {expected:e}"),
        Mistake::SeedIgnored => "multiply what you add by the seed".to_owned(),
        Mistake::Overwritten => "write `shadow[i] += ..` in place of `shadow[i] = ..`".to_owned(),
        _ => String::new(),
    }
}
