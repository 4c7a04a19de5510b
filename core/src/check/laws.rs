//! What holds exactly, whatever the function: no step size, only rounding.
//!
//! - A derivative returns the function's own values, and leaves alone what the function leaves alone.
//! - It is linear in its seed or direction.
//! - Adjoints are added to shadows.
//! - Lanes do not know of each other.
//! - Forward and reverse mode are transposes: `<J v, w> = <v, J' w>`.

use super::compare::{adjoint, tangent};
use super::diagnose;
use super::failure::{Details, Failure, Mistake};
use super::problem::{Forward, Reverse};
use super::spot::{Spot, dot, largest};

/// The value and the inputs after a call of a derivative.
fn leaves_alone(spot: &Spot<'_, '_>, name: &str, value: &[Option<f64>], inputs: &[f64]) -> Result<(), Failure> {
    let size = largest(&spot.y) * 1e-3;
    for (index, (value, expected)) in value.iter().zip(&spot.y).enumerate() {
        if let Some(value) = value
            && !spot.precision.same(*value, *expected, size)
        {
            let details = Details::new(Mistake::Value, name).output(spot.problem.outputs.name(index));
            return Err(spot.failure(details.values(*value, *expected, "the plain call")));
        }
    }
    for (index, (now, before)) in inputs.iter().zip(&spot.x).enumerate() {
        if !now.is_nan() && now.to_bits() != before.to_bits() {
            let details = Details::new(Mistake::ArgumentChanged, name).input(spot.problem.inputs.name(index));
            return Err(spot.failure(details.values(*now, *before, "what it was before")));
        }
    }
    Ok(())
}

fn lengths(spot: &Spot<'_, '_>, name: &str, got: usize, expected: usize, what: &str) -> Result<(), Failure> {
    if got == expected {
        return Ok(());
    }
    let details = Details::new(Mistake::Length, name);
    Err(spot.failure(details.help(format!("{got} numbers, expected {expected}: one for each {what}"))))
}

/// What was given for `seed`, and for `-2 seed`.
fn linear(
    spot: &Spot<'_, '_>,
    name: &str,
    once: &[f64],
    scaled: &[f64],
    component: impl Fn(Details, usize) -> Details,
) -> Result<(), Failure> {
    let size = largest(once) * 1e-3;
    let wrong = |index: &usize| !spot.precision.same(scaled[*index], -2.0 * once[*index], size);
    let finite = |index: &usize| once[*index].is_finite();
    let Some(index) = (0..once.len()).filter(finite).find(wrong) else { return Ok(()) };
    let ignored = (0..once.len()).all(|i| spot.precision.same(scaled[i], once[i], size));
    let mistake = if ignored { Mistake::SeedIgnored } else { Mistake::NotLinear };
    let help = diagnose::help(&mistake, 0.0, 0.0);
    let details = Details::new(mistake, name).values(scaled[index], -2.0 * once[index], "-2 times that for the seed");
    Err(spot.failure(component(details, index).help(help)))
}

/// The laws of one derivative in reverse mode.
pub fn reverse(spot: &mut Spot<'_, '_>, reverse: &Reverse<'_>) -> Result<(), Failure> {
    let name = &reverse.name;
    let zeros = vec![0.0; spot.x.len()];
    let call = (reverse.call)(&spot.x, &spot.weights, &zeros);
    lengths(spot, name, call.adjoint.len(), spot.x.len(), "input")?;
    leaves_alone(spot, name, &call.value, &call.inputs)?;
    let input = |details: Details, index: usize| details.input(spot.problem.inputs.name(index));
    if reverse.seeded {
        let seed: Vec<f64> = spot.weights.iter().map(|weight| -2.0 * weight).collect();
        linear(spot, name, &call.adjoint, &adjoint(reverse, &spot.x, &seed), input)?;
    }
    if reverse.adds {
        accumulation(spot, reverse, &call.adjoint)?;
    }
    Ok(())
}

/// A shadow that is not zero before the call.
fn accumulation(spot: &Spot<'_, '_>, reverse: &Reverse<'_>, adjoint: &[f64]) -> Result<(), Failure> {
    let size = match largest(adjoint) {
        size if size.is_finite() && size > 0.0 => size,
        _ => 1.0,
    };
    let mut random = spot.random.fork(0xadd);
    let mut before: Vec<f64> = adjoint
        .iter()
        .map(|adjoint| random.weight() * if adjoint.is_finite() { adjoint.abs().max(1e-3 * size) } else { size })
        .collect();
    spot.problem.inputs.round(&mut before);
    let after = (reverse.call)(&spot.x, &spot.weights, &before).adjoint;
    for index in (0..adjoint.len()).filter(|index| spot.problem.inputs.adds(*index)) {
        let (got, expected) = (after[index], before[index] + adjoint[index]);
        let size = before[index].abs();
        if spot.precision.same(got, expected, size) || !adjoint[index].is_finite() {
            continue;
        }
        let overwritten = spot.precision.same(got, adjoint[index], size);
        let mistake = if overwritten { Mistake::Overwritten } else { Mistake::Accumulation };
        let help = diagnose::help(&mistake, 0.0, 0.0);
        let details = Details::new(mistake, &reverse.name).input(spot.problem.inputs.name(index)).values(
            got,
            expected,
            "what the shadow held plus the adjoint",
        );
        return Err(spot.failure(details.help(help)));
    }
    Ok(())
}

/// The laws of one derivative in forward mode.
pub fn forward(spot: &mut Spot<'_, '_>, forward: &Forward<'_>) -> Result<(), Failure> {
    let name = &forward.name;
    let direction = spot.direction();
    let call = (forward.call)(&spot.x, &vec![direction.clone(); forward.width]);
    lengths(spot, name, call.tangents.len(), forward.width, "lane")?;
    for tangent in &call.tangents {
        lengths(spot, name, tangent.len(), spot.y.len(), "output")?;
    }
    leaves_alone(spot, name, &call.value, &call.inputs)?;
    lanes(spot, forward)?;
    if forward.seeded {
        let scaled: Vec<f64> = direction.iter().map(|d| -2.0 * d).collect();
        let output = |details: Details, index: usize| details.output(spot.problem.outputs.name(index));
        linear(spot, name, &call.tangents[0], &tangent(forward, &spot.x, &scaled), output)?;
    }
    Ok(())
}

/// Each lane against a call of its own.
fn lanes(spot: &mut Spot<'_, '_>, forward: &Forward<'_>) -> Result<(), Failure> {
    if forward.width == 1 {
        return Ok(());
    }
    let directions: Vec<Vec<f64>> = (0..forward.width).map(|_| spot.direction()).collect();
    let got = (forward.call)(&spot.x, &directions).tangents;
    // A derivative of width 1 where there is one; else this one, all of whose lanes get the same direction.
    let single = spot.problem.forward.iter().find(|other| other.width == 1).unwrap_or(forward);
    let expected: Vec<Vec<f64>> = directions.iter().map(|direction| tangent(single, &spot.x, direction)).collect();
    for (lane, tangents) in got.iter().enumerate() {
        let same = |other: &[f64]| {
            let size = largest(other) * 1e-3;
            tangents.iter().zip(other).all(|(a, b)| spot.precision.same(*a, *b, size) || a.is_nan() && b.is_nan())
        };
        if same(&expected[lane]) {
            continue;
        }
        let holds = (0..forward.width).find(|other| *other != lane && same(&expected[*other]));
        let wrong = |output: &usize| !spot.precision.same(tangents[*output], expected[lane][*output], 0.0);
        let output = (0..tangents.len()).find(wrong).unwrap_or(0);
        let details = Details::new(Mistake::Lane { lane, holds }, &forward.name)
            .output(spot.problem.outputs.name(output))
            .values(tangents[output], expected[lane][output], "a call with this direction alone");
        return Err(spot.failure(details));
    }
    Ok(())
}

/// Forward and reverse mode against each other.
pub fn transposes(spot: &mut Spot<'_, '_>, forward: &Forward<'_>, reverse: &Reverse<'_>) -> Result<(), Failure> {
    let direction = spot.direction();
    let tangents = tangent(forward, &spot.x, &direction);
    let adjoints = adjoint(reverse, &spot.x, &spot.weights);
    let (left, right) = (dot(&tangents, &spot.weights), dot(&direction, &adjoints));
    let terms = tangents.iter().zip(&spot.weights).chain(direction.iter().zip(&adjoints));
    let size: f64 = terms.map(|(a, b)| (a * b).abs()).sum();
    if spot.precision.same(left, right, size) || !size.is_finite() {
        return Ok(());
    }
    let mut details = Details::new(Mistake::Disagree, &reverse.name)
        .values(right, left, "the forward derivative")
        .help("<v, J' w> and <J v, w> should be equal up to rounding; set `.rounding(..)` where the function amplifies it");
    if spot.is_small() {
        // The input for which they differ most.
        let mut worst = (0.0, None);
        for input in 0..spot.x.len() {
            let column = dot(&tangent(forward, &spot.x, &spot.unit(input)), &spot.weights);
            let off = (column - adjoints[input]).abs() * direction[input].abs();
            if off > worst.0 {
                worst = (off, Some((input, column)));
            }
        }
        if let (_, Some((input, column))) = worst {
            details = details.values(adjoints[input], column, "the forward derivative");
            details = details.input(spot.problem.inputs.name(input));
        }
    }
    Err(spot.failure(details))
}
