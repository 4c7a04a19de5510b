//! `cargo cotangent explain --plan`: what a derivative keeps for its reverse sweep, by lines of the source.
//!
//! Each link leaves that beside the program. So the project is built, cargo says what came out, and the files beside it are read.
use crate::link::job::COSTS;
use crate::subcommand;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

/// Builds the project and prints the plans of a function; `arguments` are the function's name and those of `cargo build`.
///
/// # Errors
/// There is no name, cargo cannot be started, or nothing that was built has a derivative of the function.
pub fn plan(arguments: &[OsString]) -> Result<i32, String> {
    let [function, rest @ ..] = arguments else {
        return Err("`explain --plan` needs the name of a differentiated function".to_owned());
    };
    let function = function.to_string_lossy();
    let mut line: Vec<OsString> = vec!["build".into(), "--message-format=json-render-diagnostics".into()];
    line.extend(rest.iter().cloned());
    let mut command = subcommand::cargo(&line)?;
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("cannot run cargo: {error}"))?;
    let mut files = Vec::new();
    for message in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let message = message.map_err(|error| format!("cannot read what cargo says: {error}"))?;
        files.extend(artifacts(&message).iter().filter_map(|file| costs_beside(file)));
    }
    let status = child.wait().map_err(|error| format!("cannot wait for cargo: {error}"))?;
    if !status.success() {
        return Ok(status.code().unwrap_or(1));
    }
    let mut all = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        all.extend(blocks(&text));
    }
    // A library's derivative is in every program that uses it.
    let mut seen = HashSet::new();
    let wanted: Vec<&String> = all.iter().filter(|block| is_of(block, &function) && seen.insert(*block)).collect();
    if wanted.is_empty() {
        return Err(none_found(&all, &function));
    }
    wanted.iter().for_each(|block| print!("{block}"));
    Ok(0)
}

/// The files that cargo says it has made, in one line of its messages.
fn artifacts(message: &str) -> Vec<PathBuf> {
    let Ok(message) = serde_json::from_str::<serde_json::Value>(message) else { return Vec::new() };
    let executable = message["executable"].as_str();
    let files = message["filenames"].as_array().into_iter().flatten().filter_map(|file| file.as_str());
    executable.into_iter().chain(files).map(PathBuf::from).collect()
}

/// What the link of a file left. Cargo puts `deps/name-0123456789abcdef` under the name `name` one folder up: of those, the newest.
fn costs_beside(file: &Path) -> Option<PathBuf> {
    let exact = PathBuf::from(format!("{}.cotangent.{COSTS}", file.display()));
    if exact.exists() {
        return Some(exact);
    }
    let name = file.file_stem()?.to_string_lossy().replace('-', "_");
    let folder = file.parent()?;
    let folders = [folder.join("deps"), folder.to_owned()];
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let is_its = |path: &PathBuf| {
        let found = path.file_name().map(|n| n.to_string_lossy().replace('-', "_")).unwrap_or_default();
        let rest = found.strip_suffix(&format!(".cotangent.{COSTS}")).and_then(|n| n.strip_prefix(&name));
        let hash = rest.map(|rest| rest.split('.').next().unwrap_or(rest));
        hash.is_some_and(|h| {
            h.strip_prefix('_').is_some_and(|h| h.len() == 16 && h.chars().all(|c| c.is_ascii_hexdigit()))
        })
    };
    let time = |path: &PathBuf| path.metadata().and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    entries.map(|entry| entry.path()).filter(is_its).max_by_key(time)
}

/// One text for each function: a line, and those behind it that are indented.
fn blocks(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        match all.last_mut() {
            Some(last) if line.starts_with(' ') => *last += &format!("{line}\n"),
            _ => all.push(format!("{line}\n")),
        }
    }
    all
}

/// The function that a block is of, and the one in whose derivative it stands.
fn names(block: &str) -> (&str, &str) {
    let head = block.lines().next().unwrap_or_default();
    let function = head.split(", ").next().unwrap_or_default();
    let root = head.split_once("a function of its own in ").map_or(head, |(_, rest)| rest);
    (function, root.split(", ").next().unwrap_or_default())
}

fn is_of(block: &str, wanted: &str) -> bool {
    let (function, root) = names(block);
    let matches = |name: &str| name == wanted || name.ends_with(&format!("::{wanted}"));
    matches(function) || matches(root)
}

fn none_found(all: &[String], wanted: &str) -> String {
    let mut roots: Vec<&str> = all.iter().map(|block| names(block).1).collect();
    roots.sort_unstable();
    roots.dedup();
    let have = if roots.is_empty() { "none at all".to_owned() } else { format!("those of {}", roots.join(", ")) };
    format!(
        "no derivative of `{wanted}` in reverse mode was built, but {have}; `--tests`, `--examples`, `--release` and other \
         options of `cargo build` go behind the name"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "loss, differentiated at src/a.rs:1:1\n  keeps nothing\n\
                        m::inner, a function of its own in fit::cost, differentiated at src/b.rs:2:3: in each call\n  8 bytes once\n";

    #[test]
    fn a_block_is_found_by_its_function_and_by_what_it_is_part_of() {
        let all = blocks(TEXT);
        assert_eq!(all.len(), 2);
        let found = |name: &str| all.iter().filter(|block| is_of(block, name)).count();
        assert_eq!(["loss", "inner", "m::inner", "cost", "fit::cost", "os", "in"].map(found), [1, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn what_cargo_made_is_read_from_its_messages() {
        let message = r#"{"reason":"compiler-artifact","filenames":["/t/debug/a"],"executable":"/t/debug/a"}"#;
        assert_eq!(artifacts(message), [Path::new("/t/debug/a"), Path::new("/t/debug/a")]);
        assert!(artifacts("nonsense").is_empty() && artifacts("{}").is_empty());
    }
}
