//! Incremental builds: what has not changed is not compiled again, and what has changed is never served stale.
use crate::scratch::{Project, root};
use std::collections::BTreeSet;

const MAIN: &str = "mod model;\nmod inner;\nmod other;\n\nfn main() {\n    let mut dx = [0.0; 2];\n    \
                    let y = model::d_loss(&[1.0, 2.0], &mut dx, 1.0);\n    println!(\"{y} {dx:?} {}\", other::other());\n}\n";
const MODEL: &str = "use crate::inner;\nuse cotangent::autodiff;\n\nfn used(x: f64) -> f64 {\n    x * 2.0\n}\n\n\
                     #[autodiff(d_loss, Reverse, Duplicated, Active)]\npub fn loss(x: &[f64; 2]) -> f64 {\n    \
                     used(inner::term(x[0])) + part::part(x[1])\n}\n";
const INNER: &str = "use std::sync::atomic::{AtomicUsize, Ordering};\n\nstatic CALLS: AtomicUsize = AtomicUsize::new(0);\n\n\
                     #[inline(never)]\npub fn term(x: f64) -> f64 {\n    CALLS.fetch_add(1, Ordering::Relaxed);\n    x * x\n}\n\n\
                     pub fn calls() -> usize {\n    CALLS.load(Ordering::Relaxed)\n}\n";
const OTHER: &str = "pub fn other() -> String {\n    format!(\"{} 1\", crate::inner::calls())\n}\n";
const PART: &str = "pub fn part(x: f64) -> f64 {\n    3.0 * x\n}\n";

/// A program of several units, with a library whose function is differentiated.
fn project() -> Project {
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{more}")
    };
    let core = "cotangent = { path = \"{core}\" }\n";
    Project::new(
        "edited",
        &[
            ("Cargo.toml", &manifest("edited", &format!("{core}part = {{ path = \"part\" }}\n[workspace]\n"))),
            ("part/Cargo.toml", &manifest("part", core)),
            ("part/src/lib.rs", PART),
            ("src/main.rs", MAIN),
            ("src/model.rs", MODEL),
            ("src/inner.rs", INNER),
            ("src/other.rs", OTHER),
        ],
    )
}

/// Names of the kept objects.
fn kept() -> BTreeSet<String> {
    let folder = root().join("target-edited/debug/incremental/cotangent");
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(".o")).collect()
}

#[test]
fn an_edit_compiles_what_it_touches_and_what_is_derived_from_it() {
    let project = project();
    let edit = |path: &str, from: &str, to: &str| {
        let path = project.folder.join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    };
    // What is printed, and how many objects are new.
    let run = || {
        let before = kept();
        let printed = project
            .cargo("cotangent run --quiet")
            .env("CARGO_INCREMENTAL", "1")
            .env("CARGO_TARGET_DIR", root().join("target-edited"))
            .succeed();
        (printed, kept().difference(&before).count())
    };
    // 2 x^2 + 3 y at (1, 2).
    assert_eq!(run().0, "8 [4.0, 3.0] 1 1\n");
    let all = kept().len();
    edit("src/other.rs", "{} 1", "{} 2");
    let (printed, new) = run();
    assert_eq!((printed.as_str(), new), ("8 [4.0, 3.0] 1 2\n", 1), "of {all} objects");
    edit("src/model.rs", "x * 2.0", "x * 5.0");
    let (printed, new) = run();
    assert_eq!((printed.as_str(), new), ("11 [10.0, 3.0] 1 2\n", 1), "of {all} objects");
    // In another unit, and in another crate: the unit, and what was derived from it.
    edit("src/inner.rs", "x * x", "x * x * x");
    let (printed, new) = run();
    assert_eq!((printed.as_str(), new), ("11 [15.0, 3.0] 1 2\n", 2), "of {all} objects");
    edit("part/src/lib.rs", "3.0", "7.0");
    let (printed, new) = run();
    assert_eq!((printed.as_str(), new), ("19 [15.0, 7.0] 1 2\n", 2), "of {all} objects");
    // Back to the first text, whose objects nobody has needed since.
    edit("src/inner.rs", "x * x * x", "x * x");
    assert_eq!(run(), ("19 [10.0, 7.0] 1 2\n".to_owned(), 2), "of {all} objects");
    // Nothing is kept that no output uses.
    assert_eq!(kept().len(), all);
}

#[test]
fn an_error_is_told_again_until_it_is_mended() {
    let manifest = "[package]\nname = \"mended\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let text = "unsafe extern \"C\" {\n    safe fn unknown(x: f64) -> f64;\n}\n\nfn main() {\n    \
                println!(\"{}\", cotangent::derivative(|t: f64| BODY, 0.0));\n}\n\n\
                #[allow(dead_code)]\nfn user(x: f64) -> f64 {\n    unknown(x)\n}\n";
    let run = |body: &str| {
        let main = text.replace("BODY", body);
        let project = Project::new("mended", &[("Cargo.toml", manifest), ("src/main.rs", &main)]);
        project
            .cargo("cotangent run --quiet")
            .env("CARGO_INCREMENTAL", "1")
            .env("CARGO_TARGET_DIR", root().join("target-mended"))
            .run()
    };
    for _ in 0..2 {
        let printed = run("unknown(t)");
        assert!(!printed.success && printed.err.contains("CT0201"), "{}", printed.err);
    }
    assert_eq!(run("t.exp()").out, "1\n");
}

const SHAPES: &str = "pub trait Shape {\n    fn area(&self, r: f64) -> f64;\n}\n\n\
                      #[cotangent::autodiff(d_total, Reverse, Const, Active, Active)]\n\
                      pub fn total(shapes: &[Box<dyn Shape>], r: f64) -> f64 {\n    \
                      shapes.iter().map(|shape| shape.area(r)).sum()\n}\n";
const ROUND: &str = "pub struct Round;\n\nimpl crate::shapes::Shape for Round {\n    fn area(&self, r: f64) -> f64 {\n        3.0 * r * r\n    }\n}\n\n\
                     pub fn shape() -> Box<dyn crate::shapes::Shape> {\n    Box::new(Round)\n}\n";

#[test]
fn functions_that_only_other_units_name_are_known_to_pointers() {
    let manifest = "[package]\nname = \"units\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let main = "mod round;\nmod shapes;\n\nfn main() {\n    \
                println!(\"{:?}\", shapes::d_total(&[round::shape()], 2.0, 1.0));\n}\n";
    let files = [("Cargo.toml", manifest), ("src/main.rs", main), ("src/shapes.rs", SHAPES), ("src/round.rs", ROUND)];
    let run = Project::new("units", &files)
        .cargo("cotangent run --quiet")
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_TARGET_DIR", root().join("target-mended"));
    assert_eq!(run.succeed(), "(12.0, 12.0)\n");
}
