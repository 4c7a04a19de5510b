//! The linker's part.
//!
//! 1. Read the command line, response files included ([`arguments`]), and find the bitcode in it ([`inputs`]): loose
//!    objects and members of libraries.
//! 2. Without bitcode, become the real linker.
//! 3. Hand a [`job::Job`] to `cotangent-opt`, which merges, differentiates, optimises and emits: one object, or in an incremental
//!    build one for each unit of bitcode, most of which it has kept from the last time.
//! 4. Put the objects where the first bitcode stood, take the rest out ([`rewrite`]), and run the real linker.
pub mod archive;
pub mod arguments;
pub mod cache;
pub mod exports;
pub mod inputs;
pub mod job;
pub mod natives;
pub mod rewrite;
pub mod unit;

use crate::report::{Report, plain_json, plain_text};
use crate::{replace_process, run, sibling, toolchain, variables};
use job::{DebugInfo, Job};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Plays the linker.
///
/// # Errors
/// A file of ours cannot be read or written, or a program cannot be started.
pub fn main(original: &[OsString]) -> Result<i32, String> {
    let linker = variables::get(variables::LINKER).unwrap_or_else(|| "cc".into());
    let arguments = arguments::expand(original)?;
    let inputs = inputs::find(&arguments)?;
    if inputs.bitcode.is_empty() {
        return replace_process(Command::new(linker).args(original));
    }
    let output = arguments::value_of(&arguments, "-o").map_or_else(|| PathBuf::from("a.out"), PathBuf::from);
    let object = with_suffix(&output, ".cotangent.o");
    let job = Job {
        bitcode: inputs.bitcode.clone(),
        natives: inputs.natives.clone(),
        exports: exports::find(&arguments)?,
        opt_level: variables::get(variables::OPT_LEVEL).unwrap_or_else(|| "0".into()),
        debug_info: variables::get(variables::DEBUG_INFO)
            .and_then(|text| DebugInfo::parse(&text))
            .unwrap_or(DebugInfo::Full),
        object: object.clone(),
        cache: variables::get(variables::INCREMENTAL).map(PathBuf::from),
        report: variables::get(variables::REPORT).map(PathBuf::from),
    };
    let job_path = with_suffix(&output, ".cotangent.job");
    job.write(&job_path)?;
    let mut temporaries = vec![object, job_path.clone(), job.list()];
    let compiled = compile(&job, &job_path);
    let result = compiled.and_then(|code| match code {
        0 => {
            let rewritten = rewrite::rewrite(&arguments, &inputs, &objects(&job)?, &mut temporaries)?;
            let rewritten = arguments::shorten(rewritten, original, &output, &mut temporaries)?;
            run(Command::new(&linker).args(rewritten))
        }
        code => Ok(code),
    });
    if variables::get(variables::SAVE).is_none() {
        for path in temporaries {
            // A file that was never made is none to remove.
            let _ = std::fs::remove_file(path);
        }
    }
    result
}

/// The objects that were made of the bitcode.
fn objects(job: &Job) -> Result<Vec<PathBuf>, String> {
    let list = job.list();
    let text = std::fs::read_to_string(&list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    Ok(text.lines().map(PathBuf::from).collect())
}

/// Replaces the bitcode in a static library by machine code: whoever links it knows nothing of bitcode.
///
/// # Errors
/// As for [`main`]; what cannot be compiled is in the exit code and the report.
pub fn finish_static_library(
    library: &Path,
    opt_level: &str,
    debug_info: DebugInfo,
    report: &Path,
) -> Result<i32, String> {
    let bitcode = archive::contents(library)?.into_iter().filter(|m| m.kind == archive::MemberKind::Bitcode);
    let job = Job {
        bitcode: bitcode.map(|member| member.piece).collect(),
        natives: vec![library.to_owned()],
        exports: exports::Exports::Named(Vec::new()),
        opt_level: opt_level.to_owned(),
        debug_info,
        object: with_suffix(library, ".cotangent.o"),
        cache: None,
        report: Some(report.to_owned()),
    };
    if job.bitcode.is_empty() {
        return Ok(0);
    }
    let job_path = with_suffix(library, ".cotangent.job");
    job.write(&job_path)?;
    let code = compile(&job, &job_path)?;
    if code == 0 {
        archive::write_natives(library, library, Some(&job.object))?;
    }
    for path in [&job.object, &job_path, &job.list()] {
        // A file that was never made is none to remove.
        let _ = std::fs::remove_file(path);
    }
    Ok(code)
}

/// glibc reads there what its allocator is to do; nothing else does.
const TUNABLES: &str = "GLIBC_TUNABLES";

/// LLVM makes and drops small blocks by the million: all that are dropped are kept at hand, and memory is asked of the system in large pieces. (A tenth of the time
/// of `cotangent-opt` and more is spent in the allocator.)
const ALLOCATOR: &str = "glibc.malloc.tcache_count=60000:glibc.malloc.top_pad=67108864:glibc.malloc.trim_threshold=1000000000:glibc.malloc.mmap_threshold=33554432";

/// Runs `cotangent-opt` on the job. What went wrong is reported by it, unless it could not.
fn compile(job: &Job, path: &Path) -> Result<i32, String> {
    let report = job.report.as_ref().map(Report::at);
    let mut command = Command::new(sibling("cotangent-opt"));
    command.arg("link-job").arg(path);
    if std::env::var_os(TUNABLES).is_none() {
        command.env(TUNABLES, ALLOCATOR);
    }
    if let Some(log) = report.as_ref().and_then(|report| std::fs::File::create(report.log()).ok()) {
        // rustc shows a linker's words only when it fails.
        command.stderr(log);
    }
    let status = command.status().map_err(|error| format!("cannot run `cotangent-opt`: {error}"))?;
    if status.success() {
        return Ok(0);
    }
    if status.code() == Some(job::REPORTED) {
        return Ok(1);
    }
    let message = if status.code() == Some(127) {
        format!(
            "`cotangent-opt` could not be started; it needs the LLVM of {} in {}: build the driver again with `cargo \
             install --force cargo-cotangent`",
            toolchain::RUSTC_VERSION,
            toolchain::LLVM_FOLDER
        )
    } else {
        format!(
            "the compiler of derivatives ended with {status}; COTANGENT_DUMP and COTANGENT_SAVE=1 show how far it came"
        )
    };
    match report {
        Some(report) => report
            .write(&plain_json("CT0901", &message), &plain_text("CT0901", &message))
            .map_err(|error| format!("cannot write the report: {error}"))?,
        None => eprint!("{}", plain_text("CT0901", &message)),
    }
    Ok(1)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
