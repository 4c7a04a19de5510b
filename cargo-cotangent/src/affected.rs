//! Which crates may hold derivatives.
//!
//! A crate is *affected* if it or something it depends on depends on `cotangent`: generic code of a dependency may be
//! instantiated in it. Cargo names direct dependencies only, so each affected library leaves an empty file beside itself
//! (`lib<name>-<hash>.cotangent`), which whoever depends on it finds.
use crate::rustc_args::RustcArgs;
use std::path::{Path, PathBuf};

/// Whether a crate may hold derivatives.
pub fn is_affected(args: &RustcArgs) -> bool {
    is_runtime(args)
        || args.externs.iter().any(|(name, path)| name == "cotangent" || path.with_extension("cotangent").exists())
}

/// `cotangent` itself: its part of a program's run time is to be inlined into derivatives.
fn is_runtime(args: &RustcArgs) -> bool {
    args.crate_name.as_deref() == Some("cotangent")
        && std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "cotangent")
}

/// Marks a library as affected for those that depend on it.
///
/// # Errors
/// The file cannot be written.
pub fn mark(args: &RustcArgs) -> Result<(), String> {
    let is_library = args.crate_types.iter().any(|t| matches!(t.as_str(), "lib" | "rlib" | "dylib"));
    let Some(path) = args.output("lib", "cotangent").filter(|_| is_library && !args.test) else { return Ok(()) };
    std::fs::write(&path, "").map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether the build at hand is of a project with `cotangent` in its `Cargo.lock`.
pub fn project_uses_cotangent(args: &RustcArgs) -> bool {
    if let Some(answer) = crate::variables::get(crate::variables::PROJECT) {
        return answer == "1";
    }
    // Cargo runs rustc in the folder of a registry's package, so the project's own has to be guessed: the target
    // folder is usually inside it, and cargo usually runs in it.
    let starts = [
        args.out_dir.as_ref().map(|folder| std::env::current_dir().unwrap_or_default().join(folder)),
        std::env::var_os("PWD").map(PathBuf::from),
        std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from),
    ];
    starts.into_iter().flatten().any(|start| lock_file(&start).is_some_and(|lock| mentions_cotangent(&lock)))
}

fn lock_file(start: &Path) -> Option<PathBuf> {
    start.ancestors().map(|folder| folder.join("Cargo.lock")).find(|path| path.exists())
}

fn mentions_cotangent(lock: &Path) -> bool {
    std::fs::read_to_string(lock).is_ok_and(|text| text.lines().any(|line| line == "name = \"cotangent\""))
}
