//! `cargo cotangent init`: the lines in `.cargo/config.toml` after which plain cargo works.
use crate::{subcommand, variables, wrapper};
use std::path::{Path, PathBuf};
use std::process::Command;
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

/// Writes the configuration of the project around the current folder.
///
/// # Errors
/// There is no project, or its configuration cannot be read or written.
pub fn main() -> Result<(), String> {
    let root = project_root()?;
    let path = root.join(".cargo").join("config.toml");
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    let (new, notes) = amend(&old).map_err(|error| format!("{}: {error}", path.display()))?;
    if new == old {
        println!("{} is already set up for cotangent", path.display());
        return Ok(());
    }
    std::fs::create_dir_all(root.join(".cargo"))
        .and_then(|()| std::fs::write(&path, new))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    for note in notes {
        println!("note: {note}");
    }
    println!("{} is set up: plain `cargo build`, `run`, `test` and `bench` now compile derivatives", path.display());
    Ok(())
}

fn project_root() -> Result<PathBuf, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["locate-project", "--workspace", "--message-format", "plain"])
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("no project here: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let manifest = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    manifest.parent().map(Path::to_owned).ok_or_else(|| "the manifest has no folder".into())
}

/// The text with our lines, and what the user should know.
fn amend(text: &str) -> Result<(String, Vec<String>), String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut notes = Vec::new();
    let build = table(&mut document, "build")?;
    let other = build.get("rustc-wrapper").and_then(Item::as_str).map(str::to_owned);
    if other.as_deref() != Some("cargo-cotangent") {
        build.insert("rustc-wrapper", value("cargo-cotangent"));
    }
    let flags = subcommand::rustdoc_flags("cotangent-ld");
    let mut all: Vec<String> = match build.get("rustdocflags") {
        Some(Item::Value(Value::String(own))) => own.value().split_whitespace().map(str::to_owned).collect(),
        Some(Item::Value(Value::Array(own))) => own.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let missing: Vec<String> = flags.into_iter().filter(|flag| !all.contains(flag)).collect();
    if !missing.is_empty() {
        all.extend(missing);
        build.insert("rustdocflags", value(all.into_iter().collect::<Array>()));
    }
    let environment = table(&mut document, "env")?;
    if let Some(other) = other.filter(|other| !wrapper::is_ourselves(other)) {
        notes.push(format!("your compiler wrapper `{other}` is kept: ours calls it in place of rustc"));
        environment.insert(variables::WRAPPER, value(other));
    }
    if environment.get(variables::PROJECT).and_then(Item::as_str) != Some("1") {
        environment.insert(variables::PROJECT, value("1"));
    }
    Ok((document.to_string(), notes))
}

fn table<'a>(document: &'a mut DocumentMut, name: &str) -> Result<&'a mut Table, String> {
    document
        .entry(name)
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_mut()
        .ok_or_else(|| format!("`{name}` is not a table"))
}

/// A string of the `[build]` table of cargo's configuration files, from the current folder up, then of the user.
pub fn configured(key: &str) -> Option<String> {
    let here = std::env::current_dir().unwrap_or_default();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let folders = here.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name))).find_map(|path| {
        let document: DocumentMut = std::fs::read_to_string(path).ok()?.parse().ok()?;
        Some(document.get("build")?.get(key)?.as_str()?.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_twice_changes_nothing() {
        let (once, _) = amend("").unwrap();
        assert!(
            once.contains("rustc-wrapper = \"cargo-cotangent\"") && once.contains("-Clinker=cotangent-ld"),
            "{once}"
        );
        assert_eq!(amend(&once).unwrap().0, once);
    }

    #[test]
    fn what_is_there_stays() {
        let own = "# ours\n[build]\nrustc-wrapper = \"sccache\" # fast\nrustdocflags = \"--cfg a\"\njobs = 2\n[alias]\nt = \"test\"\n";
        let (text, notes) = amend(own).unwrap();
        for kept in ["# ours", "jobs = 2", "t = \"test\"", "\"--cfg\", \"a\"", "COTANGENT_WRAPPER = \"sccache\""] {
            assert!(text.contains(kept), "{kept} is lost:\n{text}");
        }
        assert!(notes[0].contains("sccache"));
        assert_eq!(amend(&text).unwrap().0, text);
    }

    #[test]
    fn a_broken_file_is_not_touched() {
        assert!(amend("[build\n").is_err());
        assert!(amend("build = 1\n").unwrap_err().contains("not a table"));
    }
}
