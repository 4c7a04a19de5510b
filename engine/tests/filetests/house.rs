//! Rules of the house that a look at the source can check.
use crate::case::REGISTRY;
use cotangent_engine::rule::{EffectPattern, Pattern};
use std::path::{Path, PathBuf};

/// The engine's sources with what stands in them, tests in them not counted.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut files) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of sources can be listed") {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).expect("a source can be read");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                files.push((path.strip_prefix(&root).expect("it lies in there").to_owned(), code));
            }
        }
    }
    files.sort();
    files
}

/// The string literals of a source, comments left out.
fn literals(code: &str) -> Vec<&str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).collect()
}

/// Functions have rules in `std-rules`; what is done with them is decided by the rule, never by the name.
#[test]
fn the_engine_names_no_library_function() {
    let mut names: Vec<&str> = Vec::new();
    for rule in REGISTRY.rules() {
        names.extend(rule.matches.iter().filter_map(|pattern| match pattern {
            Pattern::Symbol(name) | Pattern::Path(name) => Some(*name),
            Pattern::Opcode(_) | Pattern::Intrinsic(_) => None,
        }));
    }
    names.extend(REGISTRY.effects().iter().filter_map(|row| match row.pattern {
        EffectPattern::Symbol(name) | EffectPattern::Path(name) => Some(name),
        EffectPattern::Intrinsic(_) => None,
    }));
    // The tape is the contract's, not a library's.
    names.retain(|name| !name.starts_with("__ct_"));
    assert!(names.contains(&"sin") && names.contains(&"__rust_alloc"), "the rules are known by other names now");
    // The verb by which the functions of one allocator are told apart, whatever they are called in full.
    let verbs = [(Path::new("load/realloc.rs"), "realloc")];
    let mut found = Vec::new();
    // The vocabulary of rules may say which functions there are.
    for (path, code) in sources().into_iter().filter(|(path, _)| !path.starts_with("rule")) {
        for literal in literals(&code) {
            let named = names.contains(&literal) && !verbs.contains(&(path.as_path(), literal));
            if named || literal.contains("__rust_") {
                found.push(format!("{}: \"{literal}\"", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "names of functions belong into std-rules:\n{}", found.join("\n"));
}

/// The text is what other tests compare; who prints is `Config::show`.
#[test]
fn stages_do_not_print() {
    let stages = ["ir", "analysis", "plan", "emit", "rule", "load", "diag"];
    for (path, code) in sources() {
        let stage = path.components().next().is_some_and(|c| stages.iter().any(|s| c.as_os_str() == *s));
        for word in ["print!(", "println!(", "dbg!(", "todo!(", "unimplemented!("] {
            assert!(!stage || !code.contains(word), "{word} in {}", path.display());
        }
    }
}

/// Emission writes down what the plan says; plan and analyses know nothing of emission.
#[test]
fn stages_know_only_those_before_them() {
    let forbidden: [(&str, &[&str]); 4] = [
        ("ir", &["crate::analysis", "crate::plan", "crate::emit", "crate::load"]),
        ("rule", &["crate::ir", "crate::analysis", "crate::plan", "crate::load"]),
        ("analysis", &["crate::plan", "crate::emit", "crate::load"]),
        ("plan", &["crate::emit", "crate::load"]),
    ];
    for (path, code) in sources() {
        for (stage, others) in forbidden {
            for other in others {
                let uses = path.starts_with(stage)
                    && code.lines().any(|l| !l.trim_start().starts_with("//") && l.contains(other));
                assert!(!uses, "{} uses {other}", path.display());
            }
        }
    }
}

/// What is unsafe is in the crate `llvm`.
#[test]
fn the_engine_forbids_unsafe_code() {
    let lib = sources().into_iter().find(|(path, _)| path == Path::new("lib.rs")).expect("there is a lib.rs");
    assert!(lib.1.contains("#![forbid(unsafe_code)]"));
}

/// A file is one idea; 800 lines are none any more.
#[test]
fn files_stay_short() {
    for (path, code) in sources() {
        assert!(code.lines().count() <= 800, "{} has {} lines", path.display(), code.lines().count());
    }
}
