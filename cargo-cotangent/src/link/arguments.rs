//! Command lines of linkers: response files, options behind `-Wl,`.
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Replaces `@file` by what is in the file.
///
/// # Errors
/// A response file cannot be read.
pub fn expand(arguments: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut all = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
                all.extend(split(&text).into_iter().map(OsString::from));
            }
            None => all.push(argument.clone()),
        }
    }
    Ok(all)
}

/// Splits a response file at white space; `\` takes the next character as it is, quotes hold words together.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '"' | '\'' if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            c if c.is_whitespace() && quote.is_none() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Puts the arguments into a response file again where the caller had to.
///
/// # Errors
/// The file cannot be written.
pub fn shorten(
    arguments: Vec<OsString>,
    original: &[OsString],
    output: &Path,
    temporaries: &mut Vec<PathBuf>,
) -> Result<Vec<OsString>, String> {
    if !original.iter().any(|argument| argument.to_string_lossy().starts_with('@')) {
        return Ok(arguments);
    }
    let mut text = String::new();
    for argument in &arguments {
        for c in argument.to_string_lossy().chars() {
            if c.is_whitespace() || matches!(c, '\\' | '"' | '\'') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push('\n');
    }
    let path = super::with_suffix(output, ".cotangent.args");
    std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let mut short = OsString::from("@");
    short.push(&path);
    temporaries.push(path);
    Ok(vec![short])
}

/// The argument after an option.
pub fn value_of<'a>(arguments: &'a [OsString], option: &str) -> Option<&'a OsString> {
    let place = arguments.iter().position(|argument| argument == option)?;
    arguments.get(place + 1)
}

/// The options in the form that `ld` sees: `-Wl,a,b` is `a` and `b`, as is `-Xlinker a -Xlinker b`.
pub fn linker_options(arguments: &[OsString]) -> Vec<String> {
    let mut all = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        match text.strip_prefix("-Wl,") {
            Some(list) => all.extend(list.split(',').map(str::to_owned)),
            None if text == "-Xlinker" => {}
            None => all.push(text.into_owned()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_files_hold_any_name() {
        assert_eq!(split("a b\\ c\n\"d e\" \\\\f\n''"), ["a", "b c", "d e", "\\f", ""]);
    }

    #[test]
    fn what_is_shortened_expands_to_the_same() {
        let arguments: Vec<OsString> = ["a", "b c", "d\"e\\"].into_iter().map(OsString::from).collect();
        let output = std::env::temp_dir().join(format!("cotangent-shorten-{}", std::process::id()));
        let mut made = Vec::new();
        let short = shorten(arguments.clone(), &["@x".into()], &output, &mut made).unwrap();
        assert_eq!(short.len(), 1);
        assert_eq!(expand(&short).unwrap(), arguments);
        made.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    }

    #[test]
    fn options_behind_wl_are_found() {
        let arguments: Vec<OsString> = ["-Wl,--as-needed,-z,now", "-Xlinker", "-r"].map(OsString::from).to_vec();
        assert_eq!(linker_options(&arguments), ["--as-needed", "-z", "now", "-r"]);
    }
}
