//! Random programs: `cargo run -p fuzz -- --seed 1 --count 40 --rounds 3`.
//!
//! Each round writes a crate of random functions over the features of safe Rust that derivatives support ([`grammar`]), builds it in debug
//! and in release, and runs it: every function's gradient is held against its forward mode and against differences
//! (`generated/check.rs`). What the pass refuses is left out and counted; a gradient that is wrong, a
//! crash of the compiler or of the program, or a difference between the two builds is printed with its function, and
//! ends the run with an exit code.
#![forbid(unsafe_code)]

#[cfg(test)]
#[path = "generated/check.rs"]
mod check;
#[cfg(test)]
mod control;
mod grammar;
mod harness;
#[cfg(test)]
#[path = "generated/interrupt.rs"]
mod interrupt;
#[cfg(test)]
#[path = "../../src/litter.rs"]
mod litter;

use clap::Parser;
use std::process::ExitCode;

/// Writes random Rust functions, differentiates them, and compares reverse mode, forward mode and differences.
#[derive(Parser)]
struct Arguments {
    /// The first round's seed; each round has the next.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Functions in a round.
    #[arg(long, default_value_t = 40)]
    count: usize,
    /// Rounds. For hours of work, a large number.
    #[arg(long, default_value_t = 1)]
    rounds: u64,
    /// Statements in a function, about.
    #[arg(long, default_value_t = 8)]
    size: usize,
    /// What the functions are made of.
    #[arg(long, value_enum, default_value_t = Grammar::Statements)]
    grammar: Grammar,
    /// Only this function of each round, to look into what a round has found.
    #[arg(long)]
    only: Option<usize>,
    /// Print what the compiler says of the functions that it refuses.
    #[arg(long)]
    refused: bool,
    /// A test of this program: makes the gradient of one function slightly wrong, so the run must fail.
    #[arg(long, hide = true)]
    spoil: Option<usize>,
}

/// What random functions are made of.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Grammar {
    /// Statements over floats, vectors and the types of `generated`.
    Statements,
    /// Enums of random variants, moved about in containers.
    Variants,
    /// The same of enums that hold enums of floats and owners, beside narrow numbers.
    Nested,
    /// Types that hold each other in any order, made of constants and filled later.
    Composed,
    /// Enums behind an argument, that become other variants.
    States,
}

fn main() -> ExitCode {
    let Arguments { seed, count, rounds, size, refused, grammar, only, spoil } = Arguments::parse();
    let function = |seed, k| match grammar {
        Grammar::Statements => grammar::function(seed, k, size),
        Grammar::Variants => grammar::variants::function(seed, k),
        Grammar::Nested => grammar::variants::nested(seed, k),
        Grammar::Composed => grammar::composed(seed, k, size),
        Grammar::States => grammar::states::function(seed, k),
    };
    let mut failed = false;
    for seed in seed..seed.saturating_add(rounds) {
        let functions: Vec<String> = (0..count).map(|k| function(seed, k)).collect();
        match harness::round(seed, &functions, only, spoil) {
            Ok(outcome) => {
                println!("{outcome}");
                if refused {
                    outcome.refusals.iter().for_each(|text| println!("{text}"));
                }
                failed |= !outcome.failures.is_empty();
                // A run that compares next to nothing shows nothing.
                if only.is_none() && outcome.agree * 2 < count {
                    println!("FAILED: fewer than half of the functions could be compared");
                    failed = true;
                }
            }
            Err(message) => {
                eprintln!("error: fuzz: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
