//! Every example runs, and its own assertions hold.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|e| panic!("{program}: {e}"))
}

fn assert_success(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr));
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("cotangent-examples-{}-{name}", std::process::id()))
}

#[test]
fn relu3() {
    assert_success(&run(env!("CARGO_BIN_EXE_relu3"), &[]));
}

#[test]
fn newton() {
    assert_success(&run(env!("CARGO_BIN_EXE_newton"), &[]));
}

#[test]
fn implicit() {
    assert_success(&run(env!("CARGO_BIN_EXE_implicit"), &[]));
}

#[test]
fn foreign() {
    assert_success(&run(env!("CARGO_BIN_EXE_foreign"), &[]));
}

#[test]
fn lorenz_draws_its_fit() {
    let path = temporary("lorenz.svg");
    assert_success(&run(env!("CARGO_BIN_EXE_lorenz"), &[&path.to_string_lossy()]));
    let drawing = std::fs::read_to_string(&path).expect("the drawing was written");
    std::fs::remove_file(&path).expect("the drawing can be removed");
    assert!(drawing.starts_with("<svg") && drawing.contains("circle"), "{drawing:.200}");
}

#[test]
fn fit_arrives_at_the_certified_parameters() {
    let path = temporary("fit.svg");
    assert_success(&run(env!("CARGO_BIN_EXE_fit"), &[&path.to_string_lossy()]));
    let drawing = std::fs::read_to_string(&path).expect("the drawing was written");
    std::fs::remove_file(&path).expect("the drawing can be removed");
    assert!(drawing.contains("adsorption"), "{drawing:.200}");
}

#[test]
fn gmm_generates_its_data() {
    let output = run(env!("CARGO_BIN_EXE_gmm"), &[]);
    assert_success(&output);
    let text = String::from_utf8_lossy(&output.stdout);
    for part in ["log-likelihood", "gradient norm", "by differences", "times"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn gmm_says_what_is_wrong_with_a_file() {
    let path = temporary("bad.txt");
    std::fs::write(&path, "2 3 1\n0.5\nhalf\n").expect("a temporary file");
    let output = run(env!("CARGO_BIN_EXE_gmm"), &[&path.to_string_lossy()]);
    std::fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("line 3: expected an alpha, found `half`"), "{message}");

    let missing = run(env!("CARGO_BIN_EXE_gmm"), &["no/such/file"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).starts_with("gmm: `no/such/file`: "));
}
