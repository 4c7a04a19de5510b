//! Finds the LLVM library of the rustc that builds us, and tells the linker where it lies now and at run time.
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    if let Err(message) = find() {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}

fn find() -> Result<(), String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let print = |arguments: &[&str]| -> Result<String, String> {
        let output = Command::new(&rustc).args(arguments).output().map_err(|e| format!("cannot run {rustc}: {e}"))?;
        String::from_utf8(output.stdout).map_err(|e| format!("{rustc} {arguments:?} printed no text: {e}"))
    };
    let version = print(&["-vV"])?;
    let llvm = version.lines().find_map(|l| l.strip_prefix("LLVM version: ")).unwrap_or("unknown").to_owned();
    if llvm.split('.').next() != Some("22") {
        return Err(format!("cotangent works through the LLVM 22 of Rust 1.95; this rustc has LLVM {llvm}"));
    }
    let sysroot = PathBuf::from(print(&["--print", "sysroot"])?.trim());
    let folder = sysroot.join("lib");
    let library = library_in(&folder).ok_or_else(|| format!("no libLLVM.so in {}", folder.display()))?;
    println!("cargo:rustc-link-lib=dylib:+verbatim={}", library.file_name().unwrap_or_default().to_string_lossy());
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:folder={}", folder.display());
    println!("cargo:rustc-env=COTANGENT_LLVM_FOLDER={}", folder.display());
    println!("cargo:rustc-env=COTANGENT_LLVM_VERSION={llvm}");
    println!("cargo:rustc-env=COTANGENT_RUSTC_VERSION={}", version.lines().next().unwrap_or("unknown"));
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC");
    Ok(())
}

fn library_in(folder: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("libLLVM.so.")))
        .collect();
    found.sort();
    found.pop()
}
