//! `cotangent-ld`: the linker that rustc calls for crates that may hold derivatives.
use std::ffi::OsString;
use std::process::exit;

fn main() {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match cargo_cotangent::link::main(&arguments) {
        Ok(code) => exit(code),
        Err(message) => {
            eprintln!("error: cotangent-ld: {message}");
            exit(1);
        }
    }
}
