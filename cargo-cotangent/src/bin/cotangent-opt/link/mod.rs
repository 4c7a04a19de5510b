//! One link's bitcode: merge, differentiate, optimise as the profile asks, emit.
//!
//! Without a cache everything becomes one module and one object ([`whole`]). With one (an incremental build) each unit of
//! bitcode becomes an object of its own, which is kept until the unit changes, and only what derivatives are made from is
//! merged ([`units`]).
mod apart;
mod profile;
mod reach;
mod stock;
mod units;
mod whole;

use cargo_cotangent::link::job::{Job, REPORTED};
use cargo_cotangent::report::{Report, plain_json, plain_text};
use cotangent_engine::diag::Diagnostic;
use cotangent_engine::llvm::{Context, Module};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What stopped a link.
enum Failure {
    /// The program cannot be differentiated.
    Diagnostics(Vec<Diagnostic>),
    /// Anything else.
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

/// Does the job in the file and gives the exit code.
pub fn main(path: Option<OsString>) -> i32 {
    let job = match path.ok_or_else(|| "`link-job` needs a file".to_owned()).and_then(|p| Job::read(Path::new(&p))) {
        Ok(job) => job,
        Err(message) => {
            eprintln!("error: cotangent-opt: {message}");
            return 1;
        }
    };
    let Err(failure) = run(&job) else { return 0 };
    let (json, text) = match failure {
        Failure::Diagnostics(all) => {
            let all = without_repetition(all);
            (
                all.iter().map(|d| d.to_rustc_json() + "\n").collect::<String>(),
                all.iter().map(|d| format!("{d}\n")).collect::<String>(),
            )
        }
        Failure::Message(message) => (plain_json("CT0901", &message), plain_text("CT0901", &message)),
    };
    let written = match &job.report {
        Some(base) => Report::at(base).write(&json, &text).is_ok(),
        None => false,
    };
    if !written {
        eprint!("{text}");
    }
    REPORTED
}

fn run(job: &Job) -> Result<(), Failure> {
    let objects: Vec<PathBuf> = match &job.cache {
        Some(folder) => units::compile(job, folder)?,
        None => vec![whole::compile(job)?],
    };
    let list: String = objects.iter().map(|object| format!("{}\n", object.display())).collect();
    std::fs::write(job.list(), list).map_err(|error| format!("cannot write {}: {error}", job.list().display()).into())
}

/// One line of a program may be differentiated many times, for many requests: its error is shown once.
fn without_repetition(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let place = |d: &Diagnostic| d.span.as_ref().map(ToString::to_string);
    all.into_iter().filter(|d| seen.insert((d.code.text(), d.message.clone(), place(d)))).collect()
}

/// One module of many.
fn merge(context: Context, mut modules: Vec<Module>) -> Result<Module, String> {
    // Linking looks at everything in both modules, so neighbours are linked in pairs: with hundreds of small ones, adding each
    // to a growing whole would take quadratic time.
    while modules.len() > 1 {
        for pair in modules.chunks(2) {
            if let [whole, more] = pair {
                whole.link(*more)?;
            }
        }
        modules = modules.into_iter().step_by(2).collect();
    }
    Ok(modules.pop().unwrap_or_else(|| context.module("empty")))
}

/// Prints what a stage of the link took, under `COTANGENT_TIME`.
struct Clock {
    start: Instant,
    on: bool,
}

impl Clock {
    fn new(on: bool) -> Clock {
        Clock { start: Instant::now(), on }
    }

    fn tell(&self, stage: &str) {
        if self.on {
            eprintln!("cotangent: {stage} done at {:.1} ms", self.start.elapsed().as_secs_f64() * 1e3);
        }
    }
}
