//! A user's own settings, and programs that are none of our business.
use crate::scratch::{Project, driver, root, script};
use std::process::Command;

const PLAIN: &str = "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";

/// A program without derivatives, alone in its folder.
fn plain() -> Project {
    Project::new(
        "plain",
        &[("Cargo.toml", PLAIN), ("src/main.rs", "fn main() {}\n"), ("src/lib.rs", "pub fn f() {}\n")],
    )
}

/// A small program with one.
fn small(name: &str) -> Project {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ncotangent = {{ path = \"{{core}}\" }}\n"
    );
    let main = "fn main() {\n    let d = cotangent::derivative(|t: f64| t * t, 3.0);\n    \
                println!(\"{d} {}\", cfg!(special));\n}\n";
    Project::new(name, &[("Cargo.toml", &manifest), ("src/main.rs", main)])
}

#[test]
fn a_program_without_derivatives_is_not_touched() {
    let (wrapper, log) = script("plain-wrapper", "exec \"$@\"");
    // A fresh lock file without our crates: that is how the driver knows.
    let project = plain();
    std::fs::write(
        project.folder.join("Cargo.lock"),
        "version = 4\n[[package]]\nname = \"plain\"\nversion = \"0.1.0\"\n",
    )
    .unwrap();
    std::fs::write(project.folder.join("src/main.rs"), format!("// {:?}\nfn main() {{}}\n", std::time::Instant::now()))
        .unwrap();
    project.cargo("cotangent run --release").env("COTANGENT_WRAPPER", &wrapper).succeed();
    let calls = std::fs::read_to_string(log).unwrap();
    let main = calls.lines().find(|call| call.contains("src/main.rs")).expect("rustc was called through the wrapper");
    for option in ["linker-plugin-lto", "no-prepopulate-passes", "-Clinker", "embed-bitcode=yes"] {
        assert!(!main.contains(option), "{main}");
    }
}

#[test]
fn flags_linker_and_wrapper_of_the_user_are_kept() {
    let (wrapper, wrapper_log) = script("users-wrapper", "exec \"$@\"");
    let (linker, linker_log) = script("users-linker", "exec cc \"$@\"");
    let project = small("settings");
    // Written again, so that a second run of this test compiles it too.
    let main = project.folder.join("src/main.rs");
    std::fs::write(&main, std::fs::read_to_string(&main).unwrap()).unwrap();
    let out = project
        .cargo("cotangent run --quiet")
        .env("RUSTFLAGS", format!("--cfg special --check-cfg cfg(special) -Clinker={}", linker.display()))
        .env("RUSTC_WRAPPER", &wrapper)
        .succeed();
    assert_eq!(out, "6 true\n");
    assert!(std::fs::read_to_string(wrapper_log).unwrap().contains("--crate-name settings"));
    let calls = std::fs::read_to_string(linker_log).unwrap();
    let link = calls.lines().find(|call| call.contains("cotangent.o")).expect("our object goes to the user's linker");
    assert!(!link.contains("plugin-opt") && !link.contains(".rcgu.o "), "{link}");
}

#[test]
fn init_is_all_that_plain_cargo_needs() {
    let project = small("initialised");
    let folder = project.folder.join(".cargo");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "[alias]\nt = \"test\"\n").unwrap();
    project.cargo("cotangent init").succeed();
    let once = std::fs::read_to_string(folder.join("config.toml")).unwrap();
    assert!(once.contains("t = \"test\""), "{once}");
    let said = project.cargo("cotangent init").succeed();
    assert!(said.contains("already"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.join("config.toml")).unwrap(), once);
    assert_eq!(project.cargo("run --quiet").succeed(), "6 false\n");
}

#[test]
fn a_changed_driver_makes_its_work_stale_and_nothing_else() {
    let copy = root().join("driver-copy");
    std::fs::create_dir_all(&copy).unwrap();
    for name in ["cargo-cotangent", "cotangent-ld", "cotangent-opt"] {
        std::fs::copy(driver().join(name), copy.join(name)).unwrap();
    }
    let project = small("stale");
    let build = || {
        let path = std::env::join_paths(std::iter::once(copy.clone()).chain([driver()])).unwrap();
        let path = format!("{}:{}", path.to_string_lossy(), std::env::var("PATH").unwrap_or_default());
        project.cargo("cotangent build").env("PATH", path).run().err
    };
    build();
    assert!(!build().contains("Compiling"), "nothing has changed");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    std::fs::File::options().append(true).open(copy.join("cotangent-opt")).unwrap().set_modified(later).unwrap();
    let err = build();
    assert!(err.contains("Compiling stale") && !err.contains("Compiling syn"), "{err}");
}

#[test]
fn another_llvm_is_refused_before_anything_is_compiled() {
    let (rustc, log) = script("rustc", "echo 'rustc 1.70.0 (90c541806 2023-05-31)'; echo 'LLVM version: 16.0.2'");
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-cotangent"))
        .arg(&rustc)
        .args("--crate-name a --crate-type bin --emit=link a.rs --extern cotangent=nowhere.rlib".split(' '))
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(err.contains("error[CT0102]") && err.contains("LLVM 16.0.2"), "{err}");
    assert_eq!(std::fs::read_to_string(log).unwrap(), "-vV\n");
}
