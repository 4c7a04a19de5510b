//! `cotangent-opt rules`: what a derivative rule says.
use cotangent_engine::rule::{Partial, Pattern, Registry, Rule};

/// Prints the names of all rules, or all about one.
///
/// # Errors
/// There is no rule of that name.
pub fn print(registry: &Registry, name: Option<&str>) -> Result<(), String> {
    let Some(name) = name else {
        let names: Vec<&str> = registry.rules().iter().map(|rule| rule.name).collect();
        println!("{}", names.join("\n"));
        return Ok(());
    };
    let rule = registry.rules().iter().find(|rule| rule.name == name).or_else(|| registry.scalar(name));
    let Some(rule) = rule else {
        return match registry.effect(name) {
            Some(effect) => {
                println!("{name}: {effect:?}");
                Ok(())
            }
            None => Err(format!("error: there is no rule for `{name}`: its body is differentiated")),
        };
    };
    print!("{}", describe(rule));
    Ok(())
}

fn describe(rule: &Rule) -> String {
    let mut text = format!("{}, for {}\n", rule.name, list(rule.matches.iter().map(pattern)));
    for (index, partial) in rule.partials.iter().enumerate() {
        text += &match partial {
            Partial::Inactive => format!("  argument {index}: inactive\n"),
            Partial::Of(_) => {
                let needs = rule.needs(index);
                let arguments = needs.args.iter().enumerate().filter(|(_, needed)| **needed);
                let mut needed: Vec<String> = arguments.map(|(argument, _)| format!("argument {argument}")).collect();
                needed.extend(needs.result.then(|| "the result".to_owned()));
                let needed = if needed.is_empty() { "nothing".to_owned() } else { needed.join(", ") };
                format!("  argument {index}: {partial}    (needs {needed})\n")
            }
        };
    }
    for kink in &rule.kinks {
        text += &format!("  at {}: {}\n", kink.at, list(kink.partials.iter().map(f64::to_string)));
    }
    for note in &rule.notes {
        text += &format!("  note: {note}\n");
    }
    text
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Opcode(opcode) => format!("`{}`", opcode.name()),
        Pattern::Intrinsic(name) => format!("`{name}.*`"),
        Pattern::Symbol(name) | Pattern::Path(name) => format!("`{name}`"),
    }
}
