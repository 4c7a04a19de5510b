//! What the driver adds to builds.
//!
//! A scratch package is built again and again after a change of its only file, so that its dependencies do not count:
//! a program without derivatives with plain cargo and with the driver, and a program that uses `cotangent` without and with
//! one derivative. And a large program in debug, of which one function is changed: with plain cargo, and with the driver, where
//! the function has nothing to do with the program's derivative and where it is the one that is differentiated.

use crate::timing::median;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Builds of each program; the median counts.
const ROUNDS: usize = 7;

/// A program without derivatives.
const PLAIN: &str = "
fn energy(x: &[f64]) -> f64 {
    x.iter().map(|x| x.sin() * x).sum()
}

fn main() {
    let x: Vec<f64> = (0..100).map(f64::from).collect();
    println!(\"{}\", energy(&x));
}
";

/// Turns [`PLAIN`] into a program with a derivative.
fn with_derivative() -> String {
    derived(PLAIN)
}

fn derived(program: &str) -> String {
    program
        .replace("fn energy", "#[cotangent::autodiff(d_energy, Reverse, Duplicated, Active)]\nfn energy")
        .replace("energy(&x));", "d_energy(&x, &mut vec![0.0; 100], 1.0));")
}

/// Modules of the large program, and functions in each.
const SIZE: usize = 40;

/// The large program: what to edit stands in comments.
fn large() -> Vec<(String, String)> {
    let function = |module: usize, number: usize| {
        format!(
            "pub fn f{number}(x: &[f64], n: usize) -> f64 {{\n    let mut v: Vec<f64> = x.iter().map(|a| a * {number}.5 + {module}.0).collect();\n    \
             for i in 0..n {{\n        v.push(i as f64);\n        v[i] = v[i].abs().sqrt();\n    }}\n    \
             println!(\"{{v:?}}\");\n    v.iter().zip(&v[1..]).map(|(a, b)| a * b).sum()\n}}\n"
        )
    };
    let module = |m: usize| (format!("m{m}.rs"), (0..SIZE).map(|f| function(m, f)).collect::<String>());
    let mut files: Vec<(String, String)> = (0..SIZE).map(module).collect();
    files[0].1 += "pub fn edited() -> usize {\n    0\n}\n";
    let modules: String = (0..SIZE).map(|m| format!("mod m{m};\n")).collect();
    let calls = (0..SIZE * SIZE).map(|i| format!("    m{}::f{}(&x, m0::edited());\n", i / SIZE, i % SIZE));
    let main = derived(PLAIN).replace("    println!", &format!("{}    println!", calls.collect::<String>()));
    files.push(("main.rs".into(), modules + &main));
    files
}

/// Who builds.
#[derive(Clone, Copy)]
enum Builder<'a> {
    Cargo,
    Driver(&'a Path),
}

/// Times the builds and prints a table (or JSON, in seconds).
///
/// # Errors
/// Says which build failed, with what cargo said.
pub fn run(json: bool) -> Result<(), String> {
    let driver = build_driver()?;
    let scratch = Scratch::new()?;
    let derivative = with_derivative();
    let mut rows = Vec::new();
    for release in [false, true] {
        let profile = if release { "release" } else { "debug" };
        let programs = [
            ("no derivatives, cargo", PLAIN, false, Builder::Cargo),
            ("no derivatives, driver", PLAIN, false, Builder::Driver(&driver)),
            ("cotangent unused, driver", PLAIN, true, Builder::Driver(&driver)),
            ("one derivative, driver", &derivative, true, Builder::Driver(&driver)),
        ];
        let mut samples = vec![Vec::new(); programs.len()];
        // The first round builds the dependencies and is not counted.
        for round in 0..=ROUNDS {
            for (i, (_, source, uses, builder)) in programs.iter().enumerate() {
                let source = [("main.rs".to_owned(), changed(source, round))];
                let seconds = scratch.build(i, &source, *uses, *builder, release, round == 0)?;
                if round > 0 {
                    samples[i].push(seconds);
                }
            }
        }
        for ((name, ..), samples) in programs.iter().zip(&mut samples) {
            rows.push((format!("{name} ({profile})"), median(samples)));
        }
    }
    let edits = edits(&scratch, &driver)?;
    if json {
        let rows = rows.iter().chain(&edits);
        let rows: Vec<String> =
            rows.map(|(name, time)| format!("  {{\"name\": \"{name}\", \"seconds\": {time:.4}}}")).collect();
        println!("[\n{}\n]", rows.join(",\n"));
    } else {
        for group in rows.chunks(4) {
            for (name, time) in group {
                println!("{name:<40}{time:>8.3} s");
            }
            println!("  the driver adds to a program without derivatives {:+.3} s", group[1].1 - group[0].1);
            println!("  one derivative adds (<= 1)                       {:+.3} s", group[3].1 - group[2].1);
        }
        for (name, time) in &edits {
            println!("{name:<50}{time:>8.3} s");
        }
    }
    Ok(())
}

/// Times builds of the large program after an edit.
fn edits(scratch: &Scratch, driver: &Path) -> Result<Vec<(String, f64)>, String> {
    let files = large();
    let mut rows = Vec::new();
    for (name, index, builder, in_derived) in [
        ("1600 functions, one edited, cargo", 10, Builder::Cargo, false),
        ("1600 functions, one edited, driver", 11, Builder::Driver(driver), false),
        ("1600 functions, the derived one edited, driver", 11, Builder::Driver(driver), true),
    ] {
        let mut samples = Vec::new();
        for round in 0..=ROUNDS {
            let number = rows.len() * (ROUNDS + 1) + round;
            let edited = files.iter().map(|(path, text)| {
                let text = match in_derived {
                    true => text.replace("x.sin() * x", &format!("x.sin() * x * {number}.0")),
                    false => text.replace("    0\n", &format!("    {number}\n")),
                };
                (path.clone(), text)
            });
            let seconds = scratch.build(index, &edited.collect::<Vec<_>>(), true, builder, false, round == 0)?;
            if round > 0 {
                samples.push(seconds);
            }
        }
        rows.push((name.to_owned(), median(&mut samples)));
    }
    Ok(rows)
}

/// A program with a change of its own for every round.
fn changed(source: &str, round: usize) -> String {
    let source = source.replace("0..100", &format!("0..{}", 100 + round));
    source.replace("0.0; 100", &format!("0.0; {}", 100 + round))
}

/// Builds the driver beside this program.
fn build_driver() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| format!("where this program lies is not known: {e}"))?;
    let folder = own.parent().ok_or("this program lies in no folder")?;
    let target = folder.parent().ok_or("this program's target folder is not known")?;
    let mut cargo = cargo(workspace());
    cargo.args(["build", "--release", "-p", "cargo-cotangent", "--target-dir"]).arg(target);
    succeed(cargo, "the driver")?;
    Ok(target.join("release").join(format!("cargo-cotangent{}", std::env::consts::EXE_SUFFIX)))
}

fn workspace() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Plain cargo in a folder, as if nobody had set anything up for derivatives.
fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder).env("RUSTC_WRAPPER", "").env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
    cargo
}

fn succeed(mut command: Command, what: &str) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{what}: cannot start {command:?}: {e}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{what} does not build:\n{}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// A folder for the programs, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let folder = std::env::temp_dir().join(format!("cotangent-build-time-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|e| format!("cannot make `{}`: {e}", folder.display()))?;
        Ok(Scratch(folder))
    }

    /// Writes program number `index` and times its build.
    fn build(
        &self,
        index: usize,
        files: &[(String, String)],
        uses_cotangent: bool,
        builder: Builder,
        release: bool,
        first: bool,
    ) -> Result<f64, String> {
        let folder = self.0.join(format!("p{index}"));
        let io = |e: std::io::Error| format!("cannot write `{}`: {e}", folder.display());
        fs::create_dir_all(folder.join("src")).map_err(io)?;
        if first {
            let core = workspace().join("core");
            let dependency =
                if uses_cotangent { format!("cotangent = {{ path = {core:?} }}\n") } else { String::new() };
            let manifest = format!(
                "[package]\nname = \"p{index}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                 [workspace]\n\n[dependencies]\n{dependency}"
            );
            fs::write(folder.join("Cargo.toml"), manifest).map_err(io)?;
        }
        for (path, text) in files {
            let path = folder.join("src").join(path);
            // The same text with a later time would be an edit.
            if fs::read_to_string(&path).ok().as_ref() != Some(text) {
                fs::write(path, text).map_err(io)?;
            }
        }

        let mut command = match builder {
            Builder::Cargo => cargo(&folder),
            Builder::Driver(driver) => {
                let mut command = Command::new(driver);
                command.arg("cotangent").current_dir(&folder);
                command.env_remove("RUSTC_WRAPPER").env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
                command
            }
        };
        command.arg("build");
        if release {
            command.arg("--release");
        }
        let start = Instant::now();
        succeed(command, &format!("the program p{index}"))?;
        Ok(start.elapsed().as_secs_f64())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it; a folder that stays behind lies among temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_with_a_derivative_is_another_one() {
        let program = with_derivative();
        assert!(program.contains("#[cotangent::autodiff") && program.contains("d_energy(&x, "), "{program}");
    }
}
