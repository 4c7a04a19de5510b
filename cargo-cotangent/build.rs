//! Notes the toolchain whose LLVM the driver links, and where `cotangent-opt` finds that library at run time.
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let print = |arguments: &[&str]| -> String {
        Command::new(&rustc)
            .args(arguments)
            .output()
            .ok()
            .and_then(|output| String::from_utf8(output.stdout).ok())
            .unwrap_or_default()
    };
    let version = print(&["-vV"]);
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: ")).unwrap_or("unknown");
    println!("cargo:rustc-env=COTANGENT_LLVM_VERSION={llvm}");
    println!("cargo:rustc-env=COTANGENT_RUSTC_VERSION={}", version.lines().next().unwrap_or("unknown"));
    let folder = Path::new(print(&["--print", "sysroot"]).trim()).join("lib");
    println!("cargo:rustc-env=COTANGENT_LLVM_FOLDER={}", folder.display());
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{}", folder.display());
}
