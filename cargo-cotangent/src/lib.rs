//! The driver of cotangent: what its programs share.
//!
//! - `cargo-cotangent` plays two parts: cargo's subcommand ([`subcommand`]) and the wrapper around rustc ([`wrapper`]).
//! - `cotangent-ld` plays the linker ([`link`]): it hands the bitcode of a link to `cotangent-opt` and puts the object
//!   that comes back in its place.
//! - `cotangent-opt` does everything that needs LLVM. It is a program of its own, so that the wrapper starts without
//!   loading LLVM, and so that a fatal error inside LLVM becomes a message.
//!
//! **Invariant:** nothing in this library touches LLVM.
#![forbid(unsafe_code)]

pub mod affected;
pub mod dep_info;
pub mod explain;
pub mod init;
pub mod link;
pub mod report;
pub mod rustc_args;
pub mod subcommand;
pub mod toolchain;
pub mod variables;
pub mod wrapper;

use std::path::PathBuf;
use std::process::{Command, ExitStatus};

/// A program of the driver, beside the one that runs.
pub fn sibling(name: &str) -> PathBuf {
    let here = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(name)));
    match here {
        Some(path) if path.exists() => path,
        _ => PathBuf::from(name),
    }
}

/// Replaces this process by the command (where the system can), or runs it and gives its status.
///
/// # Errors
/// The program cannot be started.
pub fn replace_process(command: &mut Command) -> Result<i32, String> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let error = command.exec();
        Err(format!("cannot run `{}`: {error}", command.get_program().to_string_lossy()))
    }
    #[cfg(not(unix))]
    run(command)
}

/// Runs a command to its end and gives its exit code.
///
/// # Errors
/// The program cannot be started.
pub fn run(command: &mut Command) -> Result<i32, String> {
    let status = command
        .status()
        .map_err(|error| format!("cannot run `{}`: {error}", command.get_program().to_string_lossy()))?;
    Ok(exit_code(status))
}

/// The exit code to pass on; a process that a signal ended counts as 101.
pub fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(101)
}
