//! The wrapper around rustc.
//!
//! - Crates that cannot hold derivatives are compiled as if we were not there: this process becomes rustc. In a project that
//!   uses `cotangent`, libraries among them also embed their bitcode, so that their functions can be differentiated.
//! - Affected crates ([`crate::affected`]) are compiled to bitcode that no LLVM pass has seen, with all debug information, and linked
//!   by `cotangent-ld`, which does what the profile asked for.
use crate::link::job::DebugInfo;
use crate::report::Report;
use crate::rustc_args::{RustcArgs, split_program};
use crate::{affected, dep_info, replace_process, sibling, toolchain, variables};
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::process::{Command, Stdio};

/// Plays rustc: `arguments` begin with the path of rustc, or with a workspace wrapper's.
///
/// # Errors
/// A process or a file of our own failed; rustc's own failures are in the exit code.
pub fn main(arguments: &[OsString]) -> Result<i32, String> {
    let start = split_program(arguments);
    let args = RustcArgs::parse(&arguments[start..]);
    if arguments[start..].iter().any(|argument| argument == "-vV") {
        return print_version(arguments);
    }
    let mut command = command(arguments);
    if !args.makes_code() {
        return replace_process(&mut command);
    }
    if !affected::is_affected(&args) {
        if args.option("embed-bitcode") == Some("no") && args.makes_library() && affected::project_uses_cotangent(&args)
        {
            command.arg("-Cembed-bitcode=yes");
        }
        return replace_process(&mut command);
    }
    affected::mark(&args)?;
    command.args(affected_options(&args));
    let is_finished_here = args.links() || args.static_library().is_some();
    let code =
        if is_finished_here { compile_and_link(command, &args, arguments, start)? } else { crate::run(&mut command)? };
    if code == 0
        && let Some(path) = args.dep_info()
    {
        dep_info::add_driver(&path)?;
    }
    Ok(code)
}

/// `rustc -vV` with a line of ours.
fn print_version(arguments: &[OsString]) -> Result<i32, String> {
    let mut command = Command::new(&arguments[0]);
    let output = command
        .args(&arguments[1..])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", arguments[0].to_string_lossy()))?;
    let mut text = output.stdout;
    if output.status.success() {
        text.extend(format!("{}\n", variables::VERSION_LINE).bytes());
    }
    std::io::stdout().write_all(&text).map_err(|error| error.to_string())?;
    Ok(crate::exit_code(output.status))
}

/// What was asked for, through the user's own wrapper where there is one.
fn command(arguments: &[OsString]) -> Command {
    match variables::get(variables::WRAPPER).filter(|wrapper| !is_ourselves(wrapper)) {
        Some(wrapper) => {
            let mut command = Command::new(wrapper);
            command.args(arguments);
            command
        }
        None => {
            let mut command = Command::new(&arguments[0]);
            command.args(&arguments[1..]);
            command
        }
    }
}

/// Whether a path names this program, or the script that stands for it in its own repository.
pub(crate) fn is_ourselves(path: &str) -> bool {
    std::path::Path::new(path).file_stem().is_some_and(|stem| stem == "cargo-cotangent" || stem == "cotangent-rustc")
}

/// The options that make an affected crate's objects plain early bitcode and bring them to our linker.
fn affected_options(args: &RustcArgs) -> Vec<OsString> {
    let mut options: Vec<OsString> =
        ["-Clinker-plugin-lto", "-Cno-prepopulate-passes"].into_iter().map(OsString::from).collect();
    // rustc's own LTO would merge and optimise before we have seen the program.
    if args.option("lto").is_some() {
        options.push("-Clto=off".into());
    }
    // From level 2 on rustc inlines in its own intermediate form, before anyone can look: functions with a rule (`asinh`) would
    // be lost in their callers, and calls that leave a loop once they are known to only read. The optimiser that we run has
    // the user's level.
    if matches!(args.option("opt-level"), Some("2" | "3")) {
        options.push("-Copt-level=1".into());
    }
    // What the optimised program keeps of it is what the user asked for.
    if !matches!(args.option("debuginfo"), Some("2" | "full")) {
        options.push("-Cdebuginfo=2".into());
    }
    if args.links() {
        let mut linker = OsString::from("-Clinker=");
        linker.push(sibling("cotangent-ld"));
        options.push(linker);
        if args.option("linker-flavor").is_none() {
            // rustc guesses the flavour from the linker's name, which is now ours.
            options.push(format!("-Clinker-flavor={}", flavour(args.option("linker").unwrap_or("cc"))).into());
        }
    }
    options
}

fn flavour(linker: &str) -> &'static str {
    let stem = std::path::Path::new(linker).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match stem.as_deref() {
        Some("ld.lld" | "rust-lld" | "lld") => "ld.lld",
        Some("ld") => "ld",
        _ if linker.ends_with("ld.lld") => "ld.lld",
        _ => "gcc",
    }
}

fn compile_and_link(
    mut command: Command,
    args: &RustcArgs,
    arguments: &[OsString],
    start: usize,
) -> Result<i32, String> {
    let print = |text: &str| std::io::stderr().write_all(text.as_bytes()).map_err(|error| error.to_string());
    if let Err(message) = toolchain::check(&arguments[start - 1]) {
        print(&if args.json {
            crate::report::plain_json("CT0102", &message)
        } else {
            crate::report::plain_text("CT0102", &message)
        })?;
        return Ok(1);
    }
    let report = Report::fresh();
    report.remove();
    command.env(variables::REPORT, report.base());
    command.env(variables::LINKER, args.option("linker").unwrap_or(""));
    let opt_level = args.option("opt-level").unwrap_or("0");
    command.env(variables::OPT_LEVEL, opt_level);
    let debug_info = DebugInfo::of_option(args.option("debuginfo"));
    command.env(variables::DEBUG_INFO, debug_info.text());
    command.env(variables::INCREMENTAL, args.option("incremental").unwrap_or(""));
    command.stderr(Stdio::piped());
    let wrong = |error: std::io::Error| format!("cannot run rustc: {error}");
    let mut child = command.spawn().map_err(wrong)?;
    if let Some(stderr) = child.stderr.take() {
        crate::report::relay(BufReader::new(stderr), std::io::stderr().lock(), &report).map_err(wrong)?;
    }
    let mut code = crate::exit_code(child.wait().map_err(wrong)?);
    if let Some(library) = args.static_library().filter(|_| code == 0) {
        code = crate::link::finish_static_library(&library, opt_level, debug_info, report.base())?;
    }
    report.show_log();
    if let Some(text) = report.take(args.json) {
        print(&text)?;
    }
    report.remove();
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Vec<String> {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let options = affected_options(&RustcArgs::parse(&arguments));
        options.into_iter().map(|option| option.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_users_debug_information_and_flavour_are_kept() {
        let all = options("--crate-name a --crate-type bin --emit=link -Cdebuginfo=2 -Clinker-flavor=gcc -Clto=fat");
        assert!(all.iter().all(|o| !o.starts_with("-Cdebuginfo") && !o.starts_with("-Clinker-flavor")), "{all:?}");
        assert!(all.contains(&"-Clto=off".to_owned()));
        for asked in ["", "-Cdebuginfo=0", "-Cdebuginfo=line-tables-only"] {
            let all = options(&format!("--crate-name a --crate-type bin {asked}"));
            assert!(all.contains(&"-Cdebuginfo=2".to_owned()), "{asked}: the types of the source are needed");
        }
    }

    #[test]
    fn a_library_gets_no_linker_and_lld_keeps_its_flavour() {
        assert!(options("--crate-name a --crate-type lib").iter().all(|o| !o.starts_with("-Clinker=")));
        assert!(
            options("--crate-name a --crate-type bin -Clinker=rust-lld").contains(&"-Clinker-flavor=ld.lld".into())
        );
        assert!(options("--crate-name a --crate-type bin -Clinker=clang").contains(&"-Clinker-flavor=gcc".into()));
    }
}
