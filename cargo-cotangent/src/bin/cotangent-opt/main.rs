//! `cotangent-opt`: the part of the driver that holds LLVM.
//!
//! For people it works on a lone module: differentiate it, run passes over it, print it. For `cotangent-ld` it compiles the
//! bitcode of a link.
#![forbid(unsafe_code)]

mod bodies;
mod link;
mod rules;
mod run;
mod tool;

fn main() {
    let code = match std::env::args_os().nth(1) {
        Some(first) if first == "link-job" => link::main(std::env::args_os().nth(2)),
        _ => tool::main(),
    };
    std::process::exit(code);
}
