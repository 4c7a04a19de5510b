//! What partials say they use, and what they use.
use crate::interpret::{At, partial, round};
use crate::reference::reference;
use crate::sample::points;
use cotangent_engine::rule::{ArgKind, Needs, Partial, Rule};

/// The value of a partial with NaN in the place of the arguments and the result that `keep` says no to.
fn poisoned(formula: &Partial, args: &[f64], result: f64, keep: &Needs, single: bool) -> f64 {
    let args: Vec<f64> = args.iter().zip(&keep.args).map(|(x, keep)| if *keep { *x } else { f64::NAN }).collect();
    partial(formula, &At { args: &args, result: if keep.result { result } else { f64::NAN }, single })
}

#[test]
fn what_is_not_asked_for_is_not_used() {
    let registry = cotangent_std_rules::registry();
    for rule in registry.rules() {
        for single in [false, true] {
            for point in points(rule, single) {
                let result = round(reference(rule)(&point), single);
                for (arg, formula) in rule.partials.iter().enumerate() {
                    let whole = partial(formula, &At { args: &point, result, single });
                    let found = poisoned(formula, &point, result, &rule.needs(arg), single);
                    assert_eq!(found.to_bits(), whole.to_bits(), "{} by argument {arg} at {point:?}", rule.name);
                }
            }
        }
    }
}

/// Without any one of the floats that a partial asks for, it comes out otherwise at some point.
#[test]
fn no_more_is_asked_for_than_is_used() {
    let registry = cotangent_std_rules::registry();
    for rule in registry.rules() {
        for (arg, formula) in rule.partials.iter().enumerate() {
            let needs = rule.needs(arg);
            let changes = |without: &Needs| {
                points(rule, false).iter().any(|point| {
                    let result = reference(rule)(point);
                    let whole = partial(formula, &At { args: point, result, single: false });
                    poisoned(formula, point, result, without, false).to_bits() != whole.to_bits()
                })
            };
            if needs.result {
                assert!(changes(&Needs { result: false, ..needs.clone() }), "{} by {arg}: the result", rule.name);
            }
            for other in (0..rule.arity()).filter(|i| needs.args[*i] && rule.args[*i] == ArgKind::Float) {
                let mut without = needs.clone();
                without.args[other] = false;
                assert!(changes(&without), "{} by {arg}: argument {other}", rule.name);
            }
        }
    }
}

/// The results that spare arguments.
#[test]
fn results_take_the_place_of_arguments() {
    let registry = cotangent_std_rules::registry();
    let needs = |name: &str, arg: usize| {
        let rule: &Rule = registry.scalar(name).unwrap_or_else(|| panic!("{name}"));
        let needs = rule.needs(arg);
        let args: Vec<usize> = (0..rule.arity()).filter(|i| needs.args[*i]).collect();
        (args, needs.result)
    };
    for name in ["tanh", "exp", "sqrt", "cbrt", "tan", "expm1", "llvm.exp2.f32"] {
        assert_eq!(needs(name, 0), (vec![], true), "{name}");
    }
    assert_eq!(needs("log", 0), (vec![0], false));
    assert_eq!(needs("hypot", 1), (vec![1], true));
    let division = registry.opcode(cotangent_engine::rule::Opcode::FDiv).expect("fdiv");
    assert_eq!(division.needs(0), Needs { args: vec![false, true], result: false });
    assert_eq!(division.needs(1), Needs { args: vec![false, true], result: true });
}
