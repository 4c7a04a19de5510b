//! The table of supported functions, from the rules themselves.
use crate::sections;
use cotangent_engine::rule::{Cost, Pattern, Rule};
use std::fmt::Write;

/// The page `docs/rules.md`.
pub fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    for section in sections() {
        // Writing to a string does not fail.
        let _ = write!(page, "\n## {}\n\n{HEADER}", section.title);
        for rule in &section.rules {
            let _ = writeln!(page, "{}", row(rule));
        }
        for rule in &section.rules {
            for note in &rule.notes {
                let _ = write!(page, "\n- `{}`: {note}.", rule.name);
            }
        }
        if section.rules.iter().any(|rule| !rule.notes.is_empty()) {
            page.push('\n');
        }
    }
    page.push_str(MODELS);
    for model in crate::models() {
        let _ = writeln!(page, "| {} | {} |", model.title, model.note);
    }
    page
}

const MODELS: &str = "
## Functions with another body

Where a derivative is made, these are replaced by functions of the library `cotangent` that compute the same and are
differentiated instead. The function's own body is not looked at, and it needs none: it may be of another language.

| functions | what is differentiated |
|---|---|
";

const INTRODUCTION: &str = "\
# Functions with a derivative rule

Generated from `std-rules` (`COTANGENT_BLESS=1 cargo test -p cotangent-std-rules` rewrites it). Every other function is differentiated
through its body, wherever that is: in your crate, in the standard library, in any other crate.

`x`, `y`, `z` are the arguments, `n` is an integer argument, `r` is the result. Forward mode computes the sum of partial times
tangent, reverse mode adds partial times adjoint to each argument's adjoint. Each rule holds for `f32`, `f64` and vectors of
them. A partial that uses `r` keeps the result in the place of arguments. The cost decides whether a value is computed again
in the reverse sweep (cheap, moderate) or rather kept (expensive).

A kink is a point without a (finite) derivative, or one where the formula needs care; the column says what the rule gives there.
";

const HEADER: &str = "\
| function | partials | at kinks | cost | recognised as |
|---|---|---|---|---|
";

fn row(rule: &Rule) -> String {
    let partials: Vec<String> = rule.partials.iter().map(|partial| format!("`{partial}`")).collect();
    let kinks: Vec<String> = rule
        .kinks
        .iter()
        .map(|kink| {
            let values: Vec<String> = kink.partials.iter().map(|value| number(*value)).collect();
            format!("{}: {}", kink.at, values.join(", "))
        })
        .collect();
    let cost = match rule.cost {
        Cost::Cheap => "cheap",
        Cost::Moderate => "moderate",
        Cost::Expensive => "expensive",
    };
    let names: Vec<String> = rule.matches.iter().filter_map(pattern).collect();
    format!("| `{}` | {} | {} | {cost} | {} |", rule.name, partials.join("; "), kinks.join("; "), names.join(", "))
}

fn number(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "∞" } else { "-∞" }.to_owned()
    } else {
        value.to_string()
    }
}

/// Names as the reader knows them; those of the `libm` crate follow from C's.
fn pattern(pattern: &Pattern) -> Option<String> {
    match pattern {
        Pattern::Opcode(opcode) => Some(format!("`{}`", opcode.name())),
        Pattern::Path(path) if path.contains('*') => None,
        Pattern::Intrinsic(name) | Pattern::Symbol(name) | Pattern::Path(name) => Some(format!("`{name}`")),
    }
}
