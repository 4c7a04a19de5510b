//! `cargo-cotangent`: cargo's subcommand, and the wrapper around rustc that the subcommand and `init` put in place.
//!
//! Cargo calls a subcommand with its own name as the first argument, and a wrapper with the path of rustc.
use std::ffi::OsString;
use std::process::exit;

fn main() {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let result = match arguments.first().map(|first| first.to_string_lossy()).as_deref() {
        Some("cotangent") => cargo_cotangent::subcommand::main(&arguments[1..]),
        None | Some("--help" | "-h" | "--version" | "-V") => cargo_cotangent::subcommand::main(&arguments),
        Some(_) => cargo_cotangent::wrapper::main(&arguments),
    };
    match result {
        Ok(code) => exit(code),
        Err(message) => {
            eprintln!("error: cotangent: {message}");
            exit(1);
        }
    }
}
