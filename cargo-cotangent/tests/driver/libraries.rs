//! Libraries of a program: what is taken of them, and what must not be lost.
use crate::scratch::{Project, printed, root};
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "shelf"
version = "0.1.0"
edition = "2024"
[workspace]
members = ["parts", "foreign-parts"]
[dependencies]
cotangent = { path = "{core}" }
foreign-parts = { path = "foreign-parts" }
parts = { path = "parts" }
"#;

const MAIN: &str = r#"
use cotangent::autodiff;

#[autodiff(d_energy, Reverse, Duplicated, Active)]
fn energy(x: &[f64]) -> f64 {
    let mut rows: Vec<f64> = Vec::new();
    for x in x {
        rows.push(foreign_parts::cube(*x) + parts::counted(*x));
    }
    rows.iter().sum()
}

fn main() {
    let mut gradient = [0.0; 2];
    let before = parts::count();
    d_energy(&[1.0, 2.0], &mut gradient, 1.0);
    println!("{gradient:?} {} {before} {}", parts::started(), parts::count());
}
"#;

const PARTS_MANIFEST: &str = r#"
[package]
name = "parts"
version = "0.1.0"
edition = "2024"
[dependencies]
cotangent = { path = "{core}" }
foreign-parts = { path = "../foreign-parts" }
"#;

const PARTS: &str = r#"
//! Things that a program has because they are there, and state that all of it shares.
use std::sync::atomic::{AtomicUsize, Ordering};

static STARTED: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

extern "C" fn start() {
    STARTED.store(7, Ordering::Relaxed);
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

pub fn started() -> usize {
    STARTED.load(Ordering::Relaxed)
}

pub fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

#[inline(never)]
pub fn counted(x: f64) -> f64 {
    COUNT.fetch_add(1, Ordering::Relaxed);
    0.5 * x
}

/// Nothing names what is in here.
mod rules {
    cotangent::derivative_rule! { foreign_parts::cube: fn(f64) -> f64, reverse = cube_vjp }

    fn cube_vjp(_: f64, dret: f64) -> f64 {
        100.0 * dret
    }
}
"#;

const FOREIGN_MANIFEST: &str = r#"
[package]
name = "foreign-parts"
version = "0.1.0"
edition = "2024"
"#;

const FOREIGN: &str = "#[inline(never)]\npub fn cube(x: f64) -> f64 {\n    x * x * x\n}\n";

/// The rule's derivative (on purpose not the right one), started by the linker's list, called twice by the gradient alone.
const EXPECTED: &str = "[100.5, 100.5] 7 0 2\n";

fn project() -> Project {
    project_of("shelf", FOREIGN_MANIFEST)
}

/// The project under a name of its own, with a library that knows nothing of derivatives and has this manifest.
fn project_of(name: &str, foreign: &str) -> Project {
    Project::new(
        name,
        &[
            ("Cargo.toml", &MANIFEST.replace("\"shelf\"", &format!("\"{name}\""))),
            ("src/main.rs", MAIN),
            ("parts/Cargo.toml", PARTS_MANIFEST),
            ("parts/src/lib.rs", PARTS),
            ("foreign-parts/Cargo.toml", foreign),
            ("foreign-parts/src/lib.rs", FOREIGN),
        ],
    )
}

#[test]
fn rules_lists_of_the_linker_and_state_of_a_library_are_those_of_the_program() {
    assert_eq!(project().cargo("cotangent run --quiet").succeed(), EXPECTED);
    assert_eq!(project().cargo("cotangent run --quiet --release").succeed(), EXPECTED);
}

/// So it is for everyone who has `cotangent` from a registry: cargo compiles only what is being worked on incrementally.
#[test]
fn an_incremental_program_has_libraries_that_are_not() {
    let work = root().join("shelf-incremental");
    for _ in 0..2 {
        let line = format!("cotangent rustc --quiet -- -Cincremental={}", work.display());
        project().cargo(&line).succeed();
        let run = printed(Command::new(root().join("target/debug/shelf")).output().unwrap());
        assert_eq!(run.out, EXPECTED, "{}", run.err);
    }
}

/// In a build for debugging, where cargo asks for no bitcode.
#[test]
fn a_library_that_is_one_for_other_languages_as_well_is_differentiated() {
    let manifest = format!("{FOREIGN_MANIFEST}[lib]\ncrate-type = [\"lib\", \"cdylib\"]\n");
    assert_eq!(project_of("shelf-for-others", &manifest).cargo("cotangent run --quiet").succeed(), EXPECTED);
}
