//! Lets the tests of this package find the LLVM library.
fn main() {
    if let Ok(folder) = std::env::var("DEP_COTANGENT_ENGINE_FOLDER") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
