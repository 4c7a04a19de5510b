//! The parts of a rustc command line that the wrapper looks at.
//!
//! Nothing is ever removed from a user's command line: rustc takes the last of contradicting `-C` options, so the
//! wrapper only appends.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a rustc command line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RustcArgs {
    /// `--crate-name`.
    pub crate_name: Option<String>,
    /// `--crate-type`, each.
    pub crate_types: Vec<String>,
    /// `--test`.
    pub test: bool,
    /// Paths of `--extern name=path`, with the names.
    pub externs: Vec<(String, PathBuf)>,
    /// `--out-dir`.
    pub out_dir: Option<PathBuf>,
    /// Kinds of `--emit`, with the path where one is given.
    pub emit: Vec<(String, Option<PathBuf>)>,
    /// `--error-format=json`.
    pub json: bool,
    /// `--print` or `--version`: rustc only answers.
    pub query: bool,
    /// `-C` options in order.
    pub codegen: Vec<(String, Option<String>)>,
}

impl RustcArgs {
    /// Reads the arguments that follow rustc's own path, `@file`s included.
    pub fn parse(arguments: &[OsString]) -> RustcArgs {
        let mut parsed = RustcArgs::default();
        let arguments = expand(arguments);
        let mut rest = arguments.iter().map(|argument| argument.to_string_lossy());
        while let Some(argument) = rest.next() {
            let (key, value) = match argument.split_once('=') {
                Some((key, value)) if key.starts_with("--") => (key.to_owned(), Some(value.to_owned())),
                _ => (argument.clone().into_owned(), None),
            };
            let mut value = || value.clone().or_else(|| rest.next().map(|next| next.into_owned())).unwrap_or_default();
            match key.as_str() {
                "--crate-name" => parsed.crate_name = Some(value()),
                "--crate-type" => parsed.crate_types.extend(value().split(',').map(str::to_owned)),
                "--test" => parsed.test = true,
                "--out-dir" => parsed.out_dir = Some(value().into()),
                "--error-format" => parsed.json = value() == "json",
                "--print" | "--version" | "-V" | "-vV" => parsed.query = true,
                "--extern" => {
                    if let Some((name, path)) = value().split_once('=') {
                        // Options stand before the name: `noprelude:name=path`.
                        let name = name.rsplit(':').next().unwrap_or(name);
                        parsed.externs.push((name.to_owned(), path.into()));
                    }
                }
                "--emit" => parsed.emit.extend(value().split(',').map(|kind| match kind.split_once('=') {
                    Some((kind, path)) => (kind.to_owned(), Some(path.into())),
                    None => (kind.to_owned(), None),
                })),
                "-C" | "--codegen" => parsed.codegen(&value()),
                "-O" => parsed.codegen("opt-level=3"),
                "-g" => parsed.codegen("debuginfo=2"),
                _ => {
                    if let Some(option) = argument.strip_prefix("-C") {
                        parsed.codegen(option);
                    }
                }
            }
        }
        parsed
    }

    fn codegen(&mut self, option: &str) {
        let (key, value) = match option.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => (option, None),
        };
        self.codegen.push((key.replace('_', "-"), value));
    }

    /// The value of a `-C` option: the last one counts.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.codegen.iter().rev().find(|(k, _)| k == key).map(|(_, value)| value.as_deref().unwrap_or(""))
    }

    /// Whether machine code (or bitcode) is made at all; `cargo check` and questions make none.
    pub fn makes_code(&self) -> bool {
        !self.query && self.crate_name.is_some() && (self.emit.is_empty() || self.emit.iter().any(|(k, _)| k == "link"))
    }

    /// Whether rustc will call the linker.
    pub fn links(&self) -> bool {
        self.makes_code()
            && (self.test
                || self.crate_types.is_empty()
                || self.crate_types.iter().any(|t| matches!(t.as_str(), "bin" | "cdylib" | "dylib" | "proc-macro")))
    }

    /// Whether a library of Rust is made, whatever else is.
    pub fn makes_library(&self) -> bool {
        self.makes_code() && !self.test && self.crate_types.iter().any(|t| matches!(t.as_str(), "lib" | "rlib"))
    }

    /// The static library for other languages, where one is made.
    pub fn static_library(&self) -> Option<PathBuf> {
        let made = self.makes_code() && self.crate_types.iter().any(|t| t == "staticlib");
        self.output("lib", "a").filter(|_| made)
    }

    /// `<out-dir>/<crate name><extra-filename>`, with a prefix before the crate name.
    pub fn output(&self, prefix: &str, extension: &str) -> Option<PathBuf> {
        let name = self.crate_name.as_ref()?;
        let extra = self.option("extra-filename").unwrap_or("");
        let folder = self.out_dir.as_deref().unwrap_or(Path::new("."));
        Some(folder.join(format!("{prefix}{name}{extra}.{extension}")))
    }

    /// The `.d` file, where one is written.
    pub fn dep_info(&self) -> Option<PathBuf> {
        let (_, path) = self.emit.iter().find(|(kind, _)| kind == "dep-info")?;
        path.clone().or_else(|| self.output("", "d"))
    }
}

/// Splits what follows a wrapper's own name into the program to run and the arguments of rustc: with a workspace wrapper
/// the path of rustc stands second.
pub fn split_program(arguments: &[OsString]) -> usize {
    let names_rustc =
        |argument: &OsString| Path::new(argument).file_stem().is_some_and(|stem| stem == OsStr::new("rustc"));
    if arguments.len() > 1 && names_rustc(&arguments[1]) { 2 } else { 1 }
}

fn expand(arguments: &[OsString]) -> Vec<OsString> {
    let mut all = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(path) => match std::fs::read_to_string(path) {
                Ok(text) => all.extend(text.lines().map(OsString::from)),
                Err(_) => all.push(argument.clone()),
            },
            None => all.push(argument.clone()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> RustcArgs {
        RustcArgs::parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_library_as_cargo_asks_for_it() {
        let args = parse(
            "--crate-name core_math --edition=2024 src/lib.rs --error-format=json --crate-type lib \
             --emit=dep-info,metadata,link -C opt-level=3 -Cembed-bitcode=no -C extra-filename=-17 --out-dir target/deps \
             --extern cotangent=target/deps/libcotangent-1.rmeta --extern noprelude:a=b.rlib --extern proc_macro",
        );
        assert!(args.makes_code() && !args.links() && args.makes_library() && args.json);
        assert_eq!(args.option("embed-bitcode"), Some("no"));
        assert_eq!(args.option("opt-level"), Some("3"));
        assert_eq!(args.output("lib", "cotangent"), Some("target/deps/libcore_math-17.cotangent".into()));
        assert_eq!(args.dep_info(), Some("target/deps/core_math-17.d".into()));
        assert_eq!(args.externs[1], ("a".into(), "b.rlib".into()));
        assert_eq!(args.externs.len(), 2);
    }

    #[test]
    fn check_makes_no_code_and_the_last_option_counts() {
        let args = parse("--crate-name a --emit=dep-info,metadata --crate-type bin -C lto=fat -C lto=off");
        assert!(!args.makes_code() && !args.links() && !args.makes_library());
        assert!(parse("--crate-name a --crate-type cdylib --crate-type rlib").makes_library());
        assert!(!parse("--crate-name a --crate-type bin").makes_library());
        assert_eq!(args.option("lto"), Some("off"));
        assert!(!parse("- --crate-name ___ --print=file-names").makes_code());
    }

    #[test]
    fn a_workspace_wrapper_stands_before_rustc() {
        let line = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(split_program(&line("clippy-driver /bin/rustc --crate-name a")), 2);
        assert_eq!(split_program(&line("/bin/rustc --crate-name rustc")), 1);
    }
}
