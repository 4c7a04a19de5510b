//! What a link's output shows to the outside.
use super::arguments::linker_options;
use std::ffi::OsString;

/// The symbols that must stay visible, beside those that the machine code among the inputs needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exports {
    /// Everything: a shared library without a list, a partial link, an executable that exports its symbols.
    All,
    /// An executable's entry, or the symbols of a list.
    Named(Vec<String>),
}

/// Reads the command line and the version script.
///
/// # Errors
/// The version script cannot be read.
pub fn find(arguments: &[OsString]) -> Result<Exports, String> {
    let options = linker_options(arguments);
    let mut script = None;
    let mut names = vec!["main".to_owned(), "_start".to_owned()];
    let mut all = false;
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        // Long options may begin with one dash.
        let option = option.strip_prefix("--").or(option.strip_prefix('-')).unwrap_or("");
        match option.split_once('=') {
            Some(("version-script" | "dynamic-list", path)) => script = Some(path.to_owned()),
            Some(("export-dynamic-symbol" | "entry" | "undefined", name)) => names.push(name.to_owned()),
            _ => match option {
                "version-script" | "dynamic-list" => script = rest.next().cloned(),
                "u" | "e" | "undefined" | "entry" => names.extend(rest.next().cloned()),
                "shared" | "r" | "relocatable" | "rdynamic" | "export-dynamic" | "E" => all = true,
                _ => {}
            },
        }
    }
    match script {
        Some(path) => {
            let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
            match listed(&text) {
                Some(listed) => names.extend(listed),
                None => return Ok(Exports::All),
            }
        }
        None if all => return Ok(Exports::All),
        None => {}
    }
    Ok(Exports::Named(names))
}

/// The global symbols of a version script or dynamic list; nothing where it has patterns.
fn listed(script: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut local = false;
    let body = script.get(script.find('{')? + 1..script.rfind('}')?)?;
    for statement in body.split(';') {
        let mut statement = statement.trim();
        for (label, is_local) in [("global:", false), ("local:", true)] {
            if let Some(after) = statement.strip_prefix(label) {
                local = is_local;
                statement = after.trim();
            }
        }
        if statement.is_empty() || local {
            continue;
        }
        if statement.contains(['*', '?', '[', '{', '"']) {
            return None;
        }
        names.push(statement.to_owned());
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exports(line: &str) -> Exports {
        find(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_version_script_lists_what_stays() {
        let script = "{\n  global:\n    area;\n    length;\n\n  local:\n    *;\n};";
        assert_eq!(listed(script), Some(vec!["area".to_owned(), "length".to_owned()]));
        assert_eq!(listed("{ global: area*; };"), None);
        assert_eq!(listed("nonsense"), None);
    }

    #[test]
    fn executables_show_their_entry_and_libraries_everything() {
        assert_eq!(exports("a.o -pie -Wl,--gc-sections"), Exports::Named(vec!["main".into(), "_start".into()]));
        assert_eq!(exports("a.o -shared"), Exports::All);
        assert_eq!(exports("a.o -Wl,--export-dynamic"), Exports::All);
        assert!(matches!(exports("-Wl,-u,kept"), Exports::Named(names) if names.contains(&"kept".to_owned())));
    }
}
