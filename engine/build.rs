//! Lets the tests of this package find the LLVM library, and hands its folder on to the packages that link us.
fn main() {
    if let Ok(folder) = std::env::var("DEP_COTANGENT_LLVM_FOLDER") {
        println!("cargo:folder={folder}");
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
