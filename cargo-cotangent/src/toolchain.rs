//! Whether the driver and the rustc at hand have the same LLVM.
use std::ffi::OsStr;
use std::process::Command;

/// The LLVM that the driver was built against.
pub const LLVM_VERSION: &str = env!("COTANGENT_LLVM_VERSION");
/// The rustc that the driver was built with, as `rustc -vV` begins.
pub const RUSTC_VERSION: &str = env!("COTANGENT_RUSTC_VERSION");
/// Where the driver expects that LLVM.
pub const LLVM_FOLDER: &str = env!("COTANGENT_LLVM_FOLDER");

/// Asks rustc for its version and compares.
///
/// # Errors
/// Says which of the two to change.
pub fn check(rustc: &OsStr) -> Result<(), String> {
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot run `{}`: {error}", rustc.to_string_lossy()))?;
    compare(&String::from_utf8_lossy(&output.stdout))
}

fn compare(version: &str) -> Result<(), String> {
    let rustc = version.lines().next().unwrap_or("an unknown rustc");
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: ")).unwrap_or("unknown");
    let series = |version: &str| version.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
    if series(llvm) == series(LLVM_VERSION) {
        return Ok(());
    }
    Err(format!(
        "this program is compiled by {rustc} with LLVM {llvm}, the cotangent driver was built by {RUSTC_VERSION} with LLVM \
         {LLVM_VERSION}\n  = help: either build the program with the driver's toolchain (`cargo +<toolchain> ..` or \
         `rust-toolchain.toml`), or build the driver with the program's: `cargo install --force cargo-cotangent` under \
         that toolchain, if it has LLVM {}",
        series(LLVM_VERSION).join(".")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_llvm_is_refused_with_both_ways_out() {
        let error = compare("rustc 1.70.0 (90c541806 2023-05-31)\nLLVM version: 16.0.2\n").unwrap_err();
        assert!(error.contains("LLVM 16.0.2") && error.contains(LLVM_VERSION), "{error}");
        assert!(error.contains("cargo +<toolchain>") && error.contains("cargo install --force"), "{error}");
        assert_eq!(compare(&format!("rustc 1\nLLVM version: {LLVM_VERSION}\n")), Ok(()));
    }
}
