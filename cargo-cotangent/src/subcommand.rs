//! `cargo cotangent ..`.
use crate::{explain, init, replace_process, sibling, variables, wrapper};
use std::ffi::OsString;
use std::process::Command;

const HELP: &str = "\
Builds Rust programs that use `cotangent`, with their derivatives.

Usage: cargo cotangent <COMMAND> [ARGUMENTS]

Commands:
  init            Write what plain `cargo` needs into the project's `.cargo/config.toml`
  explain <CODE>  Say more about an error, such as CT0203
  explain --plan <FUNCTION> [ARGUMENTS OF `cargo build`]
                  Build, and say what the function's gradient keeps in memory, by line and by loop
  <any of cargo's own: build, run, test, bench, rustc, ..>
                  Run it with the driver; its arguments are cargo's

Environment:
  COTANGENT_WRAPPER  a compiler wrapper of your own, such as sccache, to call in place of rustc
  COTANGENT_DUMP     stages of the differentiation to print, separated by commas
  COTANGENT_CHECK=1  verify the code between the stages
  COTANGENT_EXACT=1  move records as their types say wherever that can be done
  COTANGENT_TIME=1   print the time that each stage takes
  COTANGENT_SAVE=1   keep the files between the stages of a link beside its output
";

/// What rustdoc needs to compile documentation tests; `linker` is the path or name of `cotangent-ld`.
pub fn rustdoc_flags(linker: &str) -> Vec<String> {
    vec![
        "-Clinker-plugin-lto".into(),
        "-Cno-prepopulate-passes".into(),
        "-Cdebuginfo=2".into(),
        "-Clinker-flavor=gcc".into(),
        format!("-Clinker={linker}"),
    ]
}

/// Runs the subcommand; `arguments` are those after `cotangent`.
///
/// # Errors
/// A program cannot be started, or the configuration cannot be read or written.
pub fn main(arguments: &[OsString]) -> Result<i32, String> {
    match arguments.first().map(|first| first.to_string_lossy()).as_deref() {
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(0)
        }
        Some("--version" | "-V" | "version") => {
            println!("cargo-cotangent {} (LLVM {})", env!("CARGO_PKG_VERSION"), crate::toolchain::LLVM_VERSION);
            Ok(0)
        }
        Some("init") => init::main().map(|()| 0),
        Some("explain") if arguments.get(1).is_some_and(|argument| argument == "--plan") => {
            explain::plan(&arguments[2..])
        }
        Some("explain") => replace_process(Command::new(sibling("cotangent-opt")).args(arguments)),
        Some(_) => replace_process(&mut cargo(arguments)?),
    }
}

/// Cargo with the driver.
///
/// # Errors
/// The driver's own place cannot be found, or the configuration cannot be read.
pub fn cargo(arguments: &[OsString]) -> Result<Command, String> {
    let exe = std::env::current_exe().map_err(|error| format!("cannot find the driver's own path: {error}"))?;
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if variables::get(variables::WRAPPER).is_none()
        && let Some(other) = variables::get("RUSTC_WRAPPER").or_else(|| init::configured("rustc-wrapper"))
        && !wrapper::is_ourselves(&other)
    {
        command.env(variables::WRAPPER, other);
    }
    command.env("RUSTC_WRAPPER", &exe);
    let flags = rustdoc_flags(&sibling("cotangent-ld").to_string_lossy());
    // The environment beats the configuration, so where the user has set it there, ours must go there too.
    let mut start = 0;
    if arguments[0].to_string_lossy().starts_with('+') {
        command.arg(&arguments[0]);
        start = 1;
    }
    match variables::get("CARGO_ENCODED_RUSTDOCFLAGS") {
        Some(own) => {
            command.env("CARGO_ENCODED_RUSTDOCFLAGS", format!("{own}\u{1f}{}", flags.join("\u{1f}")));
        }
        None => match variables::get("RUSTDOCFLAGS") {
            Some(own) => {
                let all = own.split_whitespace().map(str::to_owned).chain(flags).collect::<Vec<_>>();
                command.env("CARGO_ENCODED_RUSTDOCFLAGS", all.join("\u{1f}"));
            }
            None => {
                let quoted: Vec<String> = flags.iter().map(|flag| crate::report::quote(flag)).collect();
                command.arg("--config").arg(format!("build.rustdocflags=[{}]", quoted.join(",")));
            }
        },
    }
    command.args(&arguments[start..]);
    Ok(command)
}
