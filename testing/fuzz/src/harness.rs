//! Building and running a crate of random functions.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The part of every generated crate that is not random.
const GENERATED: [(&str, &str); 9] = [
    ("check", include_str!("generated/check.rs")),
    ("litter", include_str!("../../src/litter.rs")),
    ("interrupt", include_str!("generated/interrupt.rs")),
    ("known", include_str!("generated/known.rs")),
    ("prelude", include_str!("generated/prelude.rs")),
    ("containers", include_str!("generated/containers.rs")),
    ("made", include_str!("generated/made.rs")),
    ("nested", include_str!("generated/nested.rs")),
    ("composed", include_str!("generated/composed.rs")),
];

/// What came of a round.
pub struct Outcome {
    seed: u64,
    /// Functions whose derivatives agree in both builds.
    pub agree: usize,
    /// Refused functions by error code.
    refused: BTreeMap<String, usize>,
    /// What was said of them.
    pub refusals: Vec<String>,
    /// What is wrong, with the function.
    pub failures: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}: {} functions agree", self.seed, self.agree)?;
        for (code, count) in &self.refused {
            write!(f, ", {count} refused with {code}")?;
        }
        self.failures.iter().try_for_each(|failure| write!(f, "\n\nFAILED: {failure}"))
    }
}

/// Builds and runs functions, all or only one, in debug and release.
///
/// # Errors
/// Files cannot be written, cargo cannot be run, or what it says cannot be traced to a function.
pub fn round(seed: u64, functions: &[String], only: Option<usize>, spoil: Option<usize>) -> Result<Outcome, String> {
    let folder = folder()?;
    let mut outcome = Outcome { seed, agree: 0, refused: BTreeMap::new(), refusals: Vec::new(), failures: Vec::new() };
    let mut left: BTreeSet<usize> = (0..functions.len()).filter(|k| only.is_none_or(|only| only == *k)).collect();
    for profile in ["dev", "release"] {
        loop {
            write_crate(&folder, seed, functions, &left, spoil)?;
            let output = cargo(&folder, profile)?;
            if output.status.success() || left.is_empty() {
                break;
            }
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let blamed = blamed(&text, &left);
            if blamed.is_empty() {
                // A crash or a linker names nobody.
                let guilty = failing_alone(&folder, seed, functions, &left, spoil, profile)?;
                if guilty.is_empty() {
                    return Err(format!("seed {seed}, {profile}: a build failed and no function is named:\n{text}"));
                }
                for (k, text) in guilty {
                    left.remove(&k);
                    outcome.failures.push(format!("{profile}: {text}\n{}", functions[k]));
                }
                continue;
            }
            outcome.refusals.push(text.clone());
            for (k, code) in blamed {
                left.remove(&k);
                // What is no Rust is the grammar's mistake.
                if ["CT02", "CT03", "CT04", "CT05", "E"].iter().any(|known| code.starts_with(known)) {
                    *outcome.refused.entry(code).or_insert(0) += 1;
                } else {
                    outcome.failures.push(format!("{profile}: {code}\n{text}\n{}", functions[k]));
                }
            }
        }
        for k in left.clone() {
            let run = Command::new(program(&folder, profile)).arg(k.to_string()).output();
            let run = run.map_err(|error| format!("cannot run what was built: {error}"))?;
            if !run.status.success() {
                left.remove(&k);
                let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
                let report = format!("{profile}, {}: {out}{err}\n{}", run.status, functions[k]);
                match refused_at_run_time(&err) {
                    Some(code) => {
                        *outcome.refused.entry(format!("{code} at run time")).or_insert(0) += 1;
                        outcome.refusals.push(report);
                    }
                    None => outcome.failures.push(report),
                }
            }
        }
    }
    outcome.agree = left.len();
    Ok(outcome)
}

/// The folder of the generated crate, inside of the repository's target folder: so the repository's driver compiles it.
fn folder() -> Result<PathBuf, String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = repository.join("target/fuzz");
    std::fs::create_dir_all(folder.join("src"))
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    folder.canonicalize().map_err(|error| format!("cannot find {}: {error}", folder.display()))
}

/// One module for each function, each in a file of its own, so that an error's file names it.
fn write_crate(
    folder: &Path,
    seed: u64,
    functions: &[String],
    left: &BTreeSet<usize>,
    spoil: Option<usize>,
) -> Result<(), String> {
    let write = |path: &str, text: &str| -> Result<(), String> {
        let path = folder.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"random-functions\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             cotangent = {{ path = {:?} }}\n[profile.dev]\ndebug = \"line-tables-only\"\n[profile.release]\ndebug = \
             \"line-tables-only\"\n",
            core.display().to_string()
        ),
    )?;
    let mut main = "#![allow(warnings)]\n".to_owned();
    for (name, text) in GENERATED {
        write(&format!("src/{name}.rs"), &inlined(text, seed))?;
        main += &format!("mod {name};\n");
    }
    let mut cases = String::new();
    for &k in left {
        write(&format!("src/f{k}.rs"), &functions[k])?;
        main += &format!("mod f{k};\n");
        let reverse = match spoil {
            Some(spoiled) if spoiled == k => {
                format!("|x, g, s| {{ let value = f{k}::reverse(x, g, s); g[3] += 1e-4 * s; value }}")
            }
            _ => format!("f{k}::reverse"),
        };
        cases += &format!(
            "        {k} => check::Case {{ value: f{k}::f, smooth: f{k}::SMOOTH, reverse: {reverse}, forward: f{k}::forward }},\n"
        );
    }
    main += "\nfn main() {\n    let which: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(0);\n    \
             let case = match which {\n";
    main += &cases;
    main += "        _ => return,\n    };\n    if let Err(message) = check::check(&case) {\n        println!(\"f{which}: {message}\");\n        std::process::exit(1);\n    }\n}\n";
    write("src/main.rs", &main)
}

/// Decides by the seed which functions are inlined.
fn inlined(text: &str, seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let line = |line: &str| match line.trim() {
        "//?" => ["#[inline(never)]\n", "#[inline]\n", "\n"][rng.usize(..3)].to_owned(),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn cargo(folder: &Path, profile: &str) -> Result<Output, String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
    command.args(["build", "--quiet", "--profile", profile]);
    command.output().map_err(|error| format!("cannot run cargo: {error}"))
}

fn program(folder: &Path, profile: &str) -> PathBuf {
    let kind = if profile == "dev" { "debug" } else { "release" };
    folder.join("target").join(kind).join("random-functions")
}

/// The functions that cannot be built where there is no other, with what was said.
fn failing_alone(
    folder: &Path,
    seed: u64,
    functions: &[String],
    left: &BTreeSet<usize>,
    spoil: Option<usize>,
    profile: &str,
) -> Result<Vec<(usize, String)>, String> {
    let mut guilty = Vec::new();
    for &k in left {
        write_crate(folder, seed, functions, &BTreeSet::from([k]), spoil)?;
        let output = cargo(folder, profile)?;
        if !output.status.success() {
            guilty.push((k, String::from_utf8_lossy(&output.stderr).into_owned()));
        }
    }
    Ok(guilty)
}

/// The code of the error that a derivative ends with: where it meets a pointer to a function that has none, or bits of which only then it shows that they are a
/// float's.
fn refused_at_run_time(said: &str) -> Option<&str> {
    let called = said.split_once("called through a pointer or a `dyn` value, cannot be differentiated: error[");
    if let Some((_, rest)) = called {
        return rest.split_once(']').map(|(code, _)| code);
    }
    let (before, _) = said.split_once(": in the derivative of ")?;
    before.lines().last().filter(|code| code.starts_with("CT0"))
}

/// The functions that errors stand in, or lead to, with the code of each.
fn blamed(text: &str, left: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let mut all = BTreeMap::new();
    let mut code = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("error") {
            code = rest.trim_start_matches('[').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        }
        let numbers = line.split("src/f").skip(1).map(|rest| rest.split('.').next().unwrap_or_default());
        for k in numbers.filter_map(|number| number.parse::<usize>().ok()).filter(|k| left.contains(k)) {
            all.entry(k).or_insert_with(|| code.clone());
        }
    }
    all
}
