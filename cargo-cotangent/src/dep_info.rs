//! Makes the driver an input of what it compiled.
//!
//! Cargo rebuilds a unit when a file named in its `.d` file is newer than the unit. The driver's programs (or, in its own
//! repository, its sources) are added there, so a changed driver makes stale what it had a part in, and nothing else. So does another
//! driver, where a variable names one: its files may well be older.
use crate::variables::{self, DRIVER};
use std::path::{Path, PathBuf};

/// Adds the driver to the inputs in a `.d` file.
///
/// # Errors
/// The file cannot be read or written.
pub fn add_driver(dep_info: &Path) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("cannot amend {}: {error}", dep_info.display());
    let text = std::fs::read_to_string(dep_info).map_err(wrong)?;
    let text = with_inputs(&text, &driver_files()) + &with_value(DRIVER, std::env::var(DRIVER).ok());
    std::fs::write(dep_info, text).map_err(wrong)
}

/// A line that makes a unit stale when a variable of the environment gets another value.
fn with_value(name: &str, value: Option<String>) -> String {
    let escaped = |value: String| value.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    format!("# env-dep:{name}{}\n", value.map(|value| format!("={}", escaped(value))).unwrap_or_default())
}

/// Adds inputs to the first rule, the one that cargo reads.
fn with_inputs(text: &str, inputs: &[PathBuf]) -> String {
    let mut done = false;
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if done || !line.contains(": ") {
                return line.to_owned();
            }
            done = true;
            let inputs = inputs.iter().map(|path| path.to_string_lossy().replace(' ', "\\ "));
            std::iter::once(line.to_owned()).chain(inputs).collect::<Vec<_>>().join(" ")
        })
        .collect();
    lines.join("\n") + "\n"
}

fn driver_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    match variables::get(variables::SOURCES) {
        Some(folders) => folders.split(':').for_each(|folder| sources(Path::new(folder), &mut files)),
        None => {
            let programs = ["cargo-cotangent", "cotangent-ld", "cotangent-opt"];
            files.extend(programs.iter().map(|name| crate::sibling(name)).filter(|path| path.is_absolute()));
        }
    }
    files.sort();
    files
}

/// The Rust files and manifests below a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("tests") && !path.ends_with("target") {
                sources(&path, files);
            }
        } else if path.extension().is_some_and(|e| e == "rs") || path.ends_with("Cargo.toml") {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_gets_the_inputs() {
        let text = "t/a.d: src/main.rs\n\nt/a: src/main.rs\n\nsrc/main.rs:\n";
        let amended = with_inputs(text, &["/bin/the driver".into()]);
        assert_eq!(amended, "t/a.d: src/main.rs /bin/the\\ driver\n\nt/a: src/main.rs\n\nsrc/main.rs:\n");
    }

    #[test]
    fn a_variable_is_an_input_also_where_it_is_not_set() {
        assert_eq!(with_value("A", Some("b\\c".into())), "# env-dep:A=b\\\\c\n");
        assert_eq!(with_value("A", None), "# env-dep:A\n");
    }
}
