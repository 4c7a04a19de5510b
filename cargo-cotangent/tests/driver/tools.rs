//! `cotangent-opt`, and what `cargo cotangent` says about itself.
use crate::scratch::{Printed, printed, root};
use std::path::PathBuf;
use std::process::Command;

fn opt(arguments: &[&str]) -> Printed {
    printed(Command::new(env!("CARGO_BIN_EXE_cotangent-opt")).args(arguments).output().unwrap())
}

fn module(name: &str, text: &str) -> PathBuf {
    std::fs::create_dir_all(root()).unwrap();
    let path = root().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

const SQUARE: &str = r#"
target triple = "x86_64-unknown-linux-gnu"
define { double, float } @f(double %x, i32 %n) {
  %a = alloca double
  store double %x, ptr %a
  %b = load double, ptr %a
  %c = sitofp i32 %n to double
  %d = fmul double %b, %c
  %e = fptrunc double %d to float
  %r = insertvalue { double, float } poison, double %d, 0
  %s = insertvalue { double, float } %r, float %e, 1
  ret { double, float } %s
}
"#;

#[test]
fn explain_knows_the_codes() {
    let known = Command::new(env!("CARGO_BIN_EXE_cargo-cotangent")).args(["cotangent", "explain", "ct0201"]).output();
    let known = printed(known.unwrap());
    assert!(known.success && known.out.contains("derivative_rule!"), "{}", known.out);
    let unknown = opt(&["explain", "CT9999"]);
    assert!(!unknown.success && unknown.err.contains("CT9999"), "{}", unknown.err);
}

#[test]
fn rules_are_shown_with_their_partials() {
    let rule = opt(&["rules", "atan2f"]);
    assert!(rule.success && rule.out.contains("argument 1: -(x / (x * x + y * y))"), "{}", rule.out);
    assert!(opt(&["rules"]).out.lines().any(|line| line == "sin(x)"));
    assert!(opt(&["rules", "no_such_function"]).err.contains("no rule"));
}

#[test]
fn passes_run_and_broken_ones_are_named() {
    let path = module("square.ll", SQUARE);
    let path = path.to_str().unwrap();
    let done = opt(&["passes", path, "-p", "function(sroa)"]);
    assert!(done.success && !done.out.contains("alloca"), "{}", done.out);
    let wrong = opt(&["passes", path, "-p", "no-such-pass"]);
    assert!(!wrong.success && wrong.err.contains("no-such-pass"), "{}", wrong.err);
}

#[test]
fn functions_run() {
    let path = module("run.ll", SQUARE);
    let run = |call: &str| opt(&["run", path.to_str().unwrap(), call]);
    assert_eq!(run("@f(0.1, 3)").out, "0.30000000000000004\n0.30000001192092896\n");
    assert!(run("@f(0.1)").err.contains("takes 2 arguments, not 1"));
    assert!(run("@g(0.1)").err.contains("no function `g`"));
}

#[test]
fn a_module_without_a_target_is_this_machines() {
    let path = module("bare.ll", "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n");
    assert_eq!(opt(&["run", path.to_str().unwrap(), "@f(3.0)"]).out, "9\n");
}

#[test]
fn bitcode_and_text_are_the_same_module() {
    let path = module("whole.ll", SQUARE);
    let bitcode = root().join("whole.bc");
    let names = [path.to_str().unwrap(), bitcode.to_str().unwrap()];
    assert!(opt(&["disassemble", names[0], "-o", names[1]]).success);
    assert!(std::fs::read(&bitcode).unwrap().starts_with(b"BC\xC0\xDE"));
    let text = |printed: Printed| printed.out.lines().skip(2).collect::<Vec<_>>().join("\n");
    assert_eq!(text(opt(&["disassemble", names[1]])), text(opt(&["disassemble", names[0]])));
    let neither = module("neither.ll", "define nonsense");
    assert!(!opt(&["disassemble", neither.to_str().unwrap()]).success);
}

/// A panic would find its table in the place of that of the function behind it.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_function_that_is_never_called_has_code() {
    const NEVER: &str =
        "target triple = \"x86_64-unknown-linux-gnu\"\ndefine void @never() uwtable {\n  unreachable\n}\n";
    const TRAP: [u8; 2] = [0x0f, 0x0b];
    let (path, object) = (module("never.ll", NEVER), root().join("never.o"));
    let done = opt(&["passes", path.to_str().unwrap(), "-p", "verify", "-o", object.to_str().unwrap()]);
    assert!(done.success, "{}", done.err);
    assert!(std::fs::read(object).unwrap().windows(2).any(|bytes| bytes == TRAP));
}
