//! Partials against differences of order 8, in double precision whatever the width of the partial.
use crate::interpret::{At, partial, round};
use crate::reference::reference;
use crate::sample::{POINTS, points};
use cotangent_engine::rule::{ArgKind, Partial, Rule};

/// Step of the differences: its eighth power is below rounding, and it is far above the rounding of an argument.
const STEP: f64 = 3e-3;

/// The central difference of order 8.
fn difference(f: fn(&[f64]) -> f64, point: &[f64], arg: usize, step: f64) -> f64 {
    let at = |offset: f64| {
        let mut moved = point.to_vec();
        moved[arg] += offset * step;
        f(&moved)
    };
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let terms = weights.iter().zip(1..).map(|(weight, k)| weight * (at(f64::from(k)) - at(-f64::from(k))));
    terms.sum::<f64>() / step
}

/// The worst mistake of a rule's partials in units of the tolerance, over the points where the function is smooth.
fn check(rule: &Rule, partials: &[Partial], single: bool) -> Result<(), String> {
    let f = reference(rule);
    let tolerance = if single { 1e-5 } else { 2e-10 };
    for (arg, formula) in partials.iter().enumerate().filter(|(arg, _)| rule.args[*arg] == ArgKind::Float) {
        let mut smooth = 0;
        for point in points(rule, single) {
            let wanted = difference(f, &point, arg, STEP);
            let finer = difference(f, &point, arg, STEP / 2.0);
            // Differences that do not agree with each other straddle a kink.
            if (wanted - finer).abs() > 1e-9 * (1.0 + wanted.abs()) {
                continue;
            }
            smooth += 1;
            let result = round(f(&point), single);
            let found = partial(formula, &At { args: &point, result, single });
            let error = (found - wanted).abs() / (1.0 + wanted.abs());
            if error.is_nan() || error > tolerance {
                return Err(format!(
                    "{} by argument {arg} at {point:?}{}: the rule says {found}, differences {wanted}",
                    rule.name,
                    if single { " in f32" } else { "" }
                ));
            }
        }
        if smooth < POINTS / 2 {
            return Err(format!("{} is smooth at {smooth} of {POINTS} points only: choose another domain", rule.name));
        }
    }
    Ok(())
}

#[test]
fn partials_are_the_derivative() {
    let registry = cotangent_std_rules::registry();
    let mut mistakes = Vec::new();
    for rule in registry.rules() {
        for single in [false, true] {
            mistakes.extend(check(rule, &rule.partials, single).err());
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn a_wrong_rule_is_found() {
    let registry = cotangent_std_rules::registry();
    let rule = |name| registry.scalar(name).unwrap_or_else(|| panic!("{name}"));
    // The derivative of another function, one with a factor of 1 + 1e-8, and none at all.
    let sine = rule("sin");
    assert!(check(sine, &rule("cos").partials, false).is_err());
    let factor = |factor: f64| match &sine.partials[0] {
        Partial::Of(expr) => vec![Partial::Of(factor * expr)],
        Partial::Inactive => Vec::new(),
    };
    assert!(check(sine, &factor(1.0 + 1e-8), false).is_err());
    assert!(check(sine, &factor(1.0 + 1e-4), true).is_err());
    assert!(check(sine, &[Partial::Inactive], true).is_err());
    assert!(check(sine, &factor(1.0), false).is_ok());
}

#[test]
fn kinks_hold_what_they_say() {
    let registry = cotangent_std_rules::registry();
    for rule in registry.rules() {
        for kink in &rule.kinks {
            for single in [false, true] {
                let result = round(reference(rule)(&kink.point), single);
                let at = At { args: &kink.point, result, single };
                let found: Vec<f64> = rule.partials.iter().map(|p| partial(p, &at)).collect();
                let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
                assert!(
                    found.iter().zip(&kink.partials).all(same),
                    "{} at {}: found {found:?}, says {:?}",
                    rule.name,
                    kink.at,
                    kink.partials
                );
            }
        }
    }
}

/// Constants in the place of arguments change the form of a partial, never its value.
#[test]
fn specialised_partials_are_the_derivative_too() {
    use cotangent_engine::rule::Constant;
    let registry = cotangent_std_rules::registry();
    let powi = registry.scalar("llvm.powi.f64.i32").expect("powi");
    for n in -4..8 {
        let mut rule = powi.clone();
        rule.domain[1] = f64::from(n)..f64::from(n) + 0.5;
        let partials = powi.specialise(&mut |arg| (arg == 1).then_some(Constant::Int(i64::from(n))));
        assert!(!partials[0].needs(2).result, "powi({n}) must not keep its result");
        for single in [false, true] {
            assert_eq!(check(&rule, &partials, single), Ok(()));
        }
    }
    let powf = registry.scalar("pow").expect("powf");
    for y in [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0] {
        let mut rule = powf.clone();
        rule.domain[1] = y..y;
        let partials = powf.specialise(&mut |arg| (arg == 1).then_some(Constant::Float(y)));
        assert_eq!(check(&rule, &partials[..1], false), Ok(()));
    }
}

/// Where squares and powers overflow or vanish, the derivative does not.
#[test]
fn far_arguments() {
    let registry = cotangent_std_rules::registry();
    let close = |name: &str, args: &[f64], wanted: &[f64]| {
        let rule = registry.scalar(name).unwrap_or_else(|| panic!("{name}"));
        let result = reference(rule)(args);
        for (formula, wanted) in rule.partials.iter().zip(wanted) {
            let found = partial(formula, &At { args, result, single: false });
            let error = (found - wanted).abs();
            assert!(found == *wanted || error <= 1e-12 * wanted.abs(), "{name} at {args:?}: {found}, not {wanted}");
        }
    };
    close("atan2", &[3e-200, 4e-200], &[4e-200 / 25e-200 / 1e-200, -3e-200 / 25e-200 / 1e-200]);
    close("atan2", &[3e200, 4e200], &[0.16e-200, -0.12e-200]);
    close("hypot", &[3e200, 4e200], &[0.6, 0.8]);
    close("llvm.powi.f64.i32", &[1e-160, 3.0], &[3e-320]);
    close("llvm.powi.f64.i32", &[1e-155, 2.0], &[2e-155]);
    close("llvm.powi.f64.i32", &[1e-310, 1.0], &[1.0]);
    close("llvm.powi.f64.i32", &[-1e-200, 5.0], &[0.0]);
    close("llvm.powi.f64.i32", &[f64::NEG_INFINITY, 4.0], &[f64::NEG_INFINITY]);
    close("llvm.powi.f64.i32", &[0.0, -2.0], &[f64::NEG_INFINITY]);
    close("atan", &[1e200], &[0.0]);
    close("tanh", &[400.0], &[0.0]);
    // The gamma function left of 0, by the reflection formula, and where the series begins.
    close("tgamma", &[-0.5], &[-3.544_907_701_811_032 * 0.036_489_973_978_576_52]);
    close("lgamma", &[1.0], &[-0.577_215_664_901_532_9]);
    close("lgamma", &[-1.5], &[0.703_156_640_645_243_2]);
    close("lgamma", &[0.5], &[-1.963_510_026_021_423_5]);
    close("lgamma", &[1e10], &[1e10f64.ln() - 0.5e-10]);
}
