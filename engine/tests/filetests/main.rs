//! Tests that are texts: a small piece of IR, and behind it what one stage of the engine says of it.
//!
//! A case is a file `tests/cases/<folder>/<claim>.ll`:
//!
//! ```text
//! ; test plan reverse rd8,od8
//! ; One or two sentences on what the case shows.
//! define void @f(ptr %x, ptr %r) {
//!   ..
//! }
//! ; expect:
//! ; kept: %y (8 bytes)
//! ```
//!
//! `@f` is a thunk; the codes say what its parameters are, as in a request's text. The first line is the command, the mode where the command has
//! one, options, codes. `COTANGENT_BLESS=1 cargo test -p cotangent-engine` rewrites what stands behind `expect:`; read the difference
//! before you commit it.
//!
//! | command | shows | by |
//! |---|---|---|
//! | `cfg` | loops with their counters, dominators, blocks that never return | [`facts::cfg`] |
//! | `memory` | objects and what lies in them, what pointers point to, which objects may overlap | [`facts::memory`] |
//! | `activity` | active values and memory, pointers with shadows | [`facts::activity`] |
//! | `plan` | what is kept and what is computed again, the way back, masked values | [`facts::plan`] |
//! | `emit` | the derivative, lightly cleaned up | [`text::emit`] |
//! | `count` | how many instructions the optimised derivative has, and `@hand`, which must not have fewer | [`text::count`] |
//! | `run` | values and adjoints, equal to forward mode and to differences | [`run::run`] |
//! | `error` | code and text of what is wrong | [`text::error`] |
//!
//! Facts are shown of the IR as it is written, after [`cotangent_engine::load::canonical`]; `count` and `error` go through the whole pipeline (`error as-it-is` does not).
//! Values are shown by name, so cases name what they make claims about.

mod case;
mod facts;
mod generate;
mod house;
mod machine;
mod names;
mod run;
mod storage;
mod text;

use case::{Case, Command};

/// What a case shows now.
fn result(case: &Case) -> Result<String, String> {
    match case.command {
        Command::Cfg => facts::cfg(case),
        Command::Memory => facts::memory(case),
        Command::Activity => facts::activity(case),
        Command::Plan => facts::plan(case),
        Command::Emit => text::emit(case),
        Command::Count => text::count(case),
        Command::Run => run::run(case),
        Command::Error => text::error(case),
    }
}

/// Runs the cases of a folder, or writes down what they show.
fn folder(name: &str) {
    let bless = std::env::var_os("COTANGENT_BLESS").is_some_and(|v| v != "0");
    let mut wrong = Vec::new();
    let cases = case::read_folder(name);
    assert!(!cases.is_empty(), "no cases in {name}");
    for case in cases {
        let case = match case {
            Ok(case) => case,
            Err(message) => {
                wrong.push(message);
                continue;
            }
        };
        match result(&case) {
            Ok(shown) if shown == case.expected => {}
            Ok(shown) if bless => case.bless(&shown),
            Ok(shown) => wrong.push(format!("{}:\n{}", case.path.display(), difference(&case.expected, &shown))),
            Err(message) => wrong.push(format!("{}: {message}", case.path.display())),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong (COTANGENT_BLESS=1 rewrites what is expected):\n\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The lines of one text that are not in the other, and what stands there instead.
fn difference(expected: &str, shown: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), shown.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    old[same_start..old.len() - same_end].iter().for_each(|line| text += &format!("  - {line}\n"));
    new[same_start..new.len() - same_end].iter().for_each(|line| text += &format!("  + {line}\n"));
    text
}

#[test]
fn cfg() {
    folder("cfg");
}

#[test]
fn memory_facts() {
    folder("memory");
}

#[test]
fn activity() {
    folder("activity");
}

#[test]
fn plan() {
    folder("plan");
}

#[test]
fn emit() {
    folder("emit");
}

#[test]
fn run_cases() {
    folder("run");
}

#[test]
fn error() {
    folder("error");
}

/// The same input gives the same bytes: facts, plans, derivatives and messages.
#[test]
fn what_is_shown_is_the_same_in_every_run() {
    for name in ["cfg", "memory", "activity", "plan", "emit", "error"] {
        for case in case::read_folder(name).into_iter().flatten() {
            assert_eq!(result(&case), result(&case), "{}", case.path.display());
        }
    }
}
