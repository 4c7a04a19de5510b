//! The environment variables of the driver, all of them.

/// A user's own wrapper (such as `sccache`), which ours calls in place of rustc.
pub const WRAPPER: &str = "COTANGENT_WRAPPER";
/// Folders, separated by `:`, whose files the driver is built from: they become inputs of every unit that uses it.
pub const SOURCES: &str = "COTANGENT_SOURCES";
/// In the driver's own repository: a folder with another driver, which is taken as it is.
pub const DRIVER: &str = "COTANGENT_DRIVER";
/// `1`: the project uses derivatives, without a look at its `Cargo.lock`. Set by `cargo cotangent`.
pub const PROJECT: &str = "COTANGENT_PROJECT";
/// Wrapper to linker: the user's own linker.
pub const LINKER: &str = "COTANGENT_LINKER";
/// Wrapper to linker: `0`, `1`, `2`, `3`, `s` or `z`.
pub const OPT_LEVEL: &str = "COTANGENT_OPT_LEVEL";
/// Wrapper to linker: how much debug information the user asked for (`none`, `lines`, `full`).
pub const DEBUG_INFO: &str = "COTANGENT_DEBUG_INFO";
/// Wrapper to linker: the folder of rustc's incremental work, where there is one.
pub const INCREMENTAL: &str = "COTANGENT_INCREMENTAL";
/// Wrapper to linker: the file, without extension, to leave diagnostics in (`.json` for cargo, `.txt` for people).
pub const REPORT: &str = "COTANGENT_REPORT";
/// Keep the files between the stages of a link beside its output.
pub const SAVE: &str = "COTANGENT_SAVE";
/// The line that the wrapper adds to `rustc -vV`: what the wrapper compiles is kept apart from what plain rustc does.
pub const VERSION_LINE: &str = concat!("cotangent: ", env!("CARGO_PKG_VERSION"));

/// A variable that is set and not empty.
pub fn get(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
