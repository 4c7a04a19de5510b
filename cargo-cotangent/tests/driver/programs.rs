//! Programs, libraries, tests and documentation with derivatives, in every profile.
use crate::scratch::{Printed, Project, are_errors_at, printed, root};
use object::{Object, ObjectSymbol};
use std::process::Command;

const MANIFEST: &str = r#"
[package]
name = "program"
version = "0.1.0"
edition = "2024"
[workspace]
members = ["middle", "shared", "foreign"]
[dependencies]
cotangent = { path = "{core}" }
foreign = { path = "foreign" }
middle = { path = "middle" }
"#;

const MAIN: &str = r#"
use cotangent::autodiff;
use std::collections::BTreeMap;

#[autodiff(d_cube, Reverse, Active, Active)]
fn cube(x: f64) -> f64 {
    x * foreign::square(x)
}

fn twice(x: f64) -> f64 {
    2.0 * x
}

fn minus_square(x: f64) -> f64 {
    -x * x
}

static TABLE: [fn(f64) -> f64; 2] = [twice, minus_square];

/// Which function is meant is known at run time only.
#[autodiff(d_sum_of, Reverse, Active, Const, Active)]
fn sum_of(x: f64, which: &[usize]) -> f64 {
    which.iter().map(|&i| TABLE[i](x)).sum()
}

thread_local! { static CALLS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) }; }

fn main() {
    let (value, slope) = d_cube(2.0, 1.0);
    CALLS.with(|calls| calls.set(calls.get() + 1));
    let names: BTreeMap<&str, f64> = BTreeMap::from([("value", value), ("slope", slope)]);
    let from_thread = std::thread::spawn(|| middle::slope_of(|t| t.sin(), 0.0)).join().unwrap();
    let (_, of_table) = d_sum_of(3.0, std::hint::black_box(&[1, 0, 1]), 1.0);
    println!("{names:?} {from_thread} {} {of_table}", CALLS.get());
}

#[test]
fn slope() {
    assert_eq!(d_cube(2.0, 1.0), (8.0, 12.0));
}
"#;

const MIDDLE_MANIFEST: &str = r#"
[package]
name = "middle"
version = "0.1.0"
edition = "2024"
[dependencies]
cotangent = { path = "{core}" }
"#;

const MIDDLE: &str = r#"
//! A library that uses derivatives inside.
/// ```
/// assert_eq!(middle::slope_of(|t: f64| t * t, 3.0), 6.0);
/// ```
pub fn slope_of(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    cotangent::derivative(f, at)
}
"#;

const FOREIGN_MANIFEST: &str = r#"
[package]
name = "foreign"
version = "0.1.0"
edition = "2024"
"#;

/// A library that has never heard of derivatives: the bodies of its functions come out of its bitcode.
const FOREIGN: &str = r#"
#[inline(never)]
pub fn square(x: f64) -> f64 {
    let factors = [x, x];
    factors.iter().product()
}
"#;

const SHARED_MANIFEST: &str = r#"
[package]
name = "shared"
version = "0.1.0"
edition = "2024"
[lib]
crate-type = ["cdylib", "staticlib"]
[dependencies]
middle = { path = "../middle" }
"#;

const SHARED: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn slope_of_square(x: f64) -> f64 {
    middle::slope_of(|t| t * t, x)
}
"#;

const EXPECTED: &str = "{\"slope\": 12.0, \"value\": 8.0} 1 1 -10\n";

fn project() -> Project {
    Project::new(
        "program",
        &[
            ("Cargo.toml", MANIFEST),
            ("src/main.rs", MAIN),
            ("middle/Cargo.toml", MIDDLE_MANIFEST),
            ("middle/src/lib.rs", MIDDLE),
            ("foreign/Cargo.toml", FOREIGN_MANIFEST),
            ("foreign/src/lib.rs", FOREIGN),
            ("shared/Cargo.toml", SHARED_MANIFEST),
            ("shared/src/lib.rs", SHARED),
        ],
    )
}

/// Runs the program with settings of the `dev` profile: in one profile's folder, everything that they do not change (the
/// macros above all) is compiled once.
#[track_caller]
fn runs_with(settings: &[(&str, &str)]) {
    let mut run = project().cargo("cotangent run --quiet");
    for (name, value) in settings {
        run = run.env(&format!("CARGO_PROFILE_DEV_{name}"), value);
    }
    assert_eq!(run.succeed(), EXPECTED, "with {settings:?}");
}

#[test]
fn every_opt_level() {
    for level in ["0", "1", "2", "3", "s"] {
        runs_with(&[("OPT_LEVEL", level), ("DEBUG", "0")]);
    }
}

#[test]
fn every_kind_of_lto() {
    for lto in ["off", "thin", "fat"] {
        runs_with(&[("OPT_LEVEL", "2"), ("LTO", lto), ("CODEGEN_UNITS", if lto == "fat" { "1" } else { "16" })]);
    }
}

#[test]
fn panic_strip_and_debug() {
    runs_with(&[("PANIC", "abort"), ("STRIP", "symbols"), ("OPT_LEVEL", "3")]);
    runs_with(&[("DEBUG", "2"), ("CODEGEN_UNITS", "1")]);
}

#[test]
fn tests_and_documentation_tests() {
    let out = project().cargo("cotangent test --workspace").succeed();
    assert!(out.contains("test slope ... ok"), "{out}");
    assert!(out.contains("middle/src/lib.rs - slope_of (line 3) ... ok"), "{out}");
}

#[test]
fn libraries_for_other_languages() {
    let project = project();
    project.cargo("cotangent build --quiet -p shared").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").succeed();
    let folder = root().join("target/debug");
    let bytes = std::fs::read(folder.join("libshared.so")).unwrap();
    let shared = object::File::parse(&*bytes).unwrap();
    let names: Vec<&str> =
        shared.dynamic_symbols().filter(|s| s.is_definition()).filter_map(|s| s.name().ok()).collect();
    assert!(names.contains(&"slope_of_square"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("_R") || name.starts_with("_ZN")), "{names:?}");

    let source = project.folder.join("main.c");
    std::fs::write(
        &source,
        "#include <stdio.h>\ndouble slope_of_square(double);\nint main(void) { printf(\"%g\", slope_of_square(3)); }\n",
    )
    .unwrap();
    for library in ["libshared.a", "libshared.so"] {
        let program = project.folder.join(format!("main-{library}"));
        let mut cc = Command::new("cc");
        cc.arg(&source).arg(folder.join(library)).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program);
        assert!(cc.status().unwrap().success(), "{library} cannot be linked");
        let output = Command::new(&program).env("LD_LIBRARY_PATH", &folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "6", "{library}");
    }
}

#[test]
fn a_static_library_for_c() {
    let manifest = "[package]\nname = \"stat\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [lib]\ncrate-type = [\"staticlib\"]\n[dependencies]\ncotangent = { path = \"{core}\" }\n";
    let lib = "#[unsafe(no_mangle)]\npub extern \"C\" fn slope(x: f64) -> f64 {\n    cotangent::derivative(|t: f64| t * t * t, x)\n}\n";
    let c = "#include <stdio.h>\ndouble slope(double);\nint main(void) { printf(\"%g\\n\", slope(2.0)); return 0; }\n";
    let project = Project::new("stat", &[("Cargo.toml", manifest), ("src/lib.rs", lib), ("main.c", c)]);
    project.cargo("cotangent build --quiet").succeed();
    let program = project.folder.join("main");
    let built = std::process::Command::new("cc")
        .current_dir(&project.folder)
        .arg("main.c")
        .arg(root().join("target/debug/libstat.a"))
        .args(["-lm", "-lpthread", "-ldl", "-lgcc_s", "-o"])
        .arg(&program)
        .output();
    let built = printed(built.unwrap());
    assert!(built.success, "{}", built.err);
    assert_eq!(printed(std::process::Command::new(program).output().unwrap()).out, "12\n");
}

/// Prints its way along, to both outputs.
const TALKATIVE: &str = r#"
use cotangent::autodiff;

#[autodiff(d_sum, Reverse, Duplicated, Active)]
#[autodiff(t_sum, Forward, Dual, Dual)]
fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
        println!("{v} makes {sum}");
        eprintln!("{} to go", x.len());
    }
    said(sum)
}

#[inline(never)]
fn said(sum: f64) -> f64 {
    print!("so it is ");
    println!("{sum:.1}");
    sum
}

fn main() {
    let mut dx = [0.0; 2];
    let value = d_sum(&[2.0, 3.0], &mut dx, 1.0);
    println!("{value} {dx:?}");
    println!("{:?}", t_sum(&[2.0, 3.0], &[1.0, 0.5]));
}
"#;

#[test]
fn what_a_function_prints_is_printed_once_and_in_order() {
    let manifest = "[package]\nname = \"talkative\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("talkative", &[("Cargo.toml", manifest), ("src/main.rs", TALKATIVE)]);
    let by_function = "2 makes 4\n3 makes 13\nso it is 13.0\n";
    for profile in ["", " --release"] {
        let Printed { success, out, err } = project.cargo(&format!("cotangent run --quiet{profile}")).run();
        assert!(success, "{err}");
        assert_eq!(out, format!("{by_function}13 [4.0, 6.0]\n{by_function}(13.0, 7.0)\n"), "{profile}");
        assert_eq!(err, "2 to go\n".repeat(4), "{profile}");
    }
}

/// A program that cannot be differentiated, at a line that the test knows.
const UNKNOWN: &str = r#"
use cotangent::autodiff;

unsafe extern "C" { fn vendor_norm(x: f64) -> f64; }

#[autodiff(d_f, Reverse, Active, Active)]
fn f(x: f64) -> f64 {
    x * unsafe { vendor_norm(x) }
}

#[inline(never)]
fn inner(a: &[f64], k: usize) -> f64 {
    let doubled = 2.0 * a[k];
    let norm = unsafe { vendor_norm(doubled) };
    norm + 1.0
}

#[autodiff(d_outer, Reverse, Duplicated, Active)]
fn outer(x: &[f64]) -> f64 {
    (0..x.len()).map(|k| inner(x, k)).sum()
}

fn main() {
    println!("{:?}", d_outer(&[1.0], &mut [0.0], 1.0));
    println!("{:?}", d_f(2.0, 1.0));
}
"#;

#[test]
fn what_cannot_be_differentiated_is_a_compiler_error() {
    let manifest = "[package]\nname = \"unknown\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("unknown", &[("Cargo.toml", manifest), ("src/main.rs", UNKNOWN)]);
    let Printed { success, err, .. } = project.cargo("cotangent build").run();
    assert!(!success);
    assert!(err.contains("error[CT0201]") && err.contains("--> src/main.rs:8:"), "{err}");
    assert!(err.contains("vendor_norm") && err.contains("cargo cotangent explain CT0201"), "{err}");
    assert!(!err.contains("linking with"), "{err}");
    // Where, why, and by which calls.
    let deep =
        err.split("error[CT0201]").find(|error| error.contains("--> src/main.rs:14:")).expect("an error in the callee");
    for said in [
        "= note: active, since it depends on an argument of `unknown::inner`, by way of src/main.rs:13:25",
        "= note: and the result depends on it, by way of src/main.rs:15:5",
        "= note: called at src/main.rs:20:26",
        "= note: the derivative of `outer` is asked for at src/main.rs:18",
        "= help: ",
    ] {
        assert!(deep.contains(said), "{said}\n{deep}");
    }

    let Printed { success, err, .. } = project.cargo("cotangent build --release").run();
    assert!(!success && err.contains("error[CT0201]") && err.contains("--> src/main.rs:8:"), "{err}");

    let Printed { success, out, .. } = project.cargo("cotangent build --message-format=json").run();
    assert!(!success);
    let message = out.lines().find(|line| line.contains("CT0201")).expect("a message with the code");
    assert!(message.contains("\"reason\":\"compiler-message\"") && message.contains("\"line_start\":8"), "{message}");
}

/// Functions that take floats apart and put them together again, each in its own way: one on each line from the sixth on.
const TAKEN_APART: &str = r#"
use cotangent::gradient;
#[inline(never)] fn turn(b: &[u8], c: &mut [u8]) { let n = b.len(); for k in 0..n { c[n - 1 - k] = b[k]; } }
#[inline(never)] fn byte(x: f64, k: usize) -> u8 { x.to_le_bytes()[k & 7] }
#[inline(never)] fn turned_bits(x: f64) -> u64 { x.to_bits().rotate_left(8) }
fn by_a_call(x: &[f64]) -> f64 { f64::from_bits(turned_bits(x[0]).rotate_right(8)) * 3.0 }
fn by_bytes_of_calls(x: &[f64]) -> f64 { let mut a = [0; 8]; for k in 0..8 { a[k] = byte(x[0], k); } f64::from_le_bytes(a) * 3.0 }
fn by_a_call_between(x: &[f64]) -> f64 { let mut b = [0; 8]; turn(&x[0].to_le_bytes(), &mut b); f64::from_be_bytes(b) * 3.0 }
fn by_pushes(x: &[f64]) -> f64 { let mut b = Vec::new(); for v in x { for k in v.to_le_bytes().iter().rev() { b.push(*k); } } turned(&b) }
fn turned(b: &[u8]) -> f64 { let mut s = 0.0; for c in b.chunks(8) { let mut a = [0; 8]; for (k, b) in c.iter().rev().enumerate() { a[k] = *b; } s += f64::from_le_bytes(a); } s }
fn by_the_other_order(x: &[f64]) -> f64 { let mut b = Vec::new(); for v in x { b.extend_from_slice(&v.to_be_bytes()); } b.chunks_exact(8).map(|c| f64::from_be_bytes(c.try_into().unwrap())).sum() }
fn by_the_larger_bits(x: &[f64]) -> f64 { f64::from_bits(x[0].to_bits().max(x[1].to_bits())) }
fn by_the_least_in_memory(x: &[f64]) -> f64 { let w: Vec<u64> = x.iter().map(|v| v.to_bits()).collect(); f64::from_bits(w[0].min(w[1])) * 2.0 }
fn main() {
    for f in [gradient(by_a_call, &[1.5, 2.0]), gradient(by_the_least_in_memory, &[1.5, 2.0]), gradient(by_bytes_of_calls, &[1.5, 2.0]), gradient(by_a_call_between, &[1.5, 2.0]),
        gradient(by_pushes, &[1.5, 2.0]), gradient(by_the_other_order, &[1.5, 2.0]), gradient(by_the_larger_bits, &[1.5, 2.0])] {
        println!("{f:?}");
    }
}
"#;

#[test]
fn a_float_that_is_put_together_from_pieces_is_an_error_at_its_line() {
    are_errors_at("apart", TAKEN_APART, &[6, 7, 8, 10, 11, 12, 13]);
}

/// Functions that move floats on as bytes or numbers, from where somebody has written them to where another one reads floats.
const MOVED_ON: &str = r#"
use cotangent::gradient;
use std::collections::VecDeque;
fn by_a_queue(x: &[f64]) -> f64 {
    let mut q = VecDeque::new();
    for v in x { for b in (v * v).to_le_bytes() { q.push_back(b); } }
    let mut s = 0.0;
    while q.len() >= 8 { let mut w = [0u8; 8]; for b in &mut w { *b = q.pop_front().unwrap(); } s += f64::from_le_bytes(w); }
    s
}
fn by_a_copy_of_records(x: &[f64]) -> f64 {
    let mut buffer: Vec<u8> = Vec::new();
    for (i, v) in x.iter().enumerate() { buffer.extend_from_slice(&(v * v).to_ne_bytes()); buffer.extend_from_slice(&(i as u64).to_ne_bytes()); }
    let mut other: Vec<u8> = vec![0; buffer.len()];
    for (o, b) in other.iter_mut().zip(&buffer) { *o = *b; }
    let mut s = 0.0;
    for c in other.chunks_exact(16) { s += f64::from_ne_bytes(c[..8].try_into().unwrap()) * u64::from_ne_bytes(c[8..].try_into().unwrap()) as f64; }
    s
}
#[inline(never)] fn pack(a: f64, n: u32, out: &mut Vec<u8>) { out.extend_from_slice(&a.to_le_bytes()); out.extend_from_slice(&n.to_le_bytes()); }
#[inline(never)] fn unpack(b: &[u8]) -> (f64, u32) { (f64::from_le_bytes(b[0..8].try_into().unwrap()), u32::from_le_bytes(b[8..12].try_into().unwrap())) }
fn by_packets(x: &[f64]) -> f64 {
    let mut buffer: Vec<u8> = Vec::new();
    for (i, v) in x.iter().enumerate() { pack(v * v, i as u32, &mut buffer); }
    let mut other: Vec<u8> = Vec::new();
    for b in &buffer { other.push(*b); }
    other.chunks(12).map(|c| { let (a, n) = unpack(c); a * f64::from(n) }).sum()
}
#[inline(never)] fn get(v: &[u64], i: usize) -> u64 { v[i] }
#[inline(never)] fn put(v: &mut [u64], i: usize, w: u64) { v[i] = w; }
#[inline(never)] fn moved(v: &mut [u64]) { let n = v.len(); for i in 0..n / 2 { let (a, b) = (get(v, i), get(v, n - 1 - i)); put(v, i, b); put(v, n - 1 - i, a); } }
#[inline(never)] fn made(x: &[f64]) -> Vec<[f32; 2]> { x.iter().map(|v| [*v as f32, (2.0 * v) as f32]).collect() }
#[inline(never)] fn used(a: &[[f32; 2]]) -> f64 { a.iter().map(|p| f64::from(p[0]) * f64::from(p[1])).sum() }
fn view(x: &mut [[f32; 2]]) -> &mut [u64] { unsafe { std::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) } }
fn by_a_view(x: &[f64]) -> f64 {
    let mut a = made(x);
    moved(view(&mut a));
    used(&a)
}
#[inline(never)] fn between(from: &mut [u64], to: &mut [u64]) { for i in 0..to.len() { put(to, i, get(from, i)); } }
#[cotangent::autodiff(d_by_views, Reverse, Duplicated, Duplicated)]
fn by_views(from: &mut [[f32; 2]], to: &mut [[f32; 2]]) {
    between(view(from), view(to));
}
#[cotangent::autodiff(d_by_a_store, Reverse, Duplicated, Duplicated)]
fn by_a_store(from: &mut [[f32; 2]], to: &mut [[f32; 2]]) {
    for (i, t) in view(to).iter_mut().enumerate() { *t = get(view(from), i); }
}
fn main() {
    let [mut from, mut shadow, mut to, mut seed] = [[[1f32, 2.0]]; 4];
    d_by_views(&mut from, &mut shadow, &mut to, &mut seed);
    d_by_a_store(&mut from, &mut shadow, &mut to, &mut seed);
    for f in [gradient(by_a_queue, &[1.5, 2.0]), gradient(by_a_copy_of_records, &[1.5, 2.0]), gradient(by_packets, &[1.5, 2.0]), gradient(by_a_view, &[1.5, 2.0])] {
        println!("{f:?}");
    }
}
"#;

#[test]
fn a_float_that_is_moved_on_as_bytes_or_numbers_is_an_error_where_it_is_read() {
    are_errors_at("moved", MOVED_ON, &[8, 17, 27, 38, 43, 47]);
}

/// Functions that move the floats of an argument as numbers, of which the argument's type alone knows that they are floats.
const MOVED_WITHIN: &str = r#"
use cotangent::{autodiff, Shadow}; use std::{cell::RefCell, rc::Rc};
#[inline(never)] fn get(v: &[u64], i: usize) -> u64 { v[i] }
#[inline(never)] fn put(v: &mut [u64], i: usize, w: u64) { v[i] = w; }
#[inline(never)] fn copied(from: &[u64], to: &mut [u64]) { for i in 0..to.len() { put(to, i, get(from, i)); } }
fn words<T>(x: &[T]) -> &[u64] { unsafe { std::slice::from_raw_parts(x.as_ptr().cast(), size_of_val(x) / 8) } }
fn words_mut<T>(x: &mut [T]) -> &mut [u64] { unsafe { std::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), size_of_val(x) / 8) } }
#[derive(Clone, Shadow)] struct Pairs { from: Vec<[f32; 2]>, to: Vec<[f32; 2]> }
#[autodiff(d_of_pairs, Reverse, Duplicated)]
fn of_pairs(x: &mut Pairs) { copied(words(&x.from), words_mut(&mut x.to)); }
#[derive(Clone, Shadow)] struct Row { values: Vec<f64>, key: usize }
#[derive(Clone, Shadow)] struct Table { rows: Vec<Row>, to: Box<[f64]> }
#[autodiff(d_of_rows, Reverse, Duplicated)]
#[autodiff(t_of_rows, Forward, Dual)]
fn of_rows(x: &mut Table) { let last = x.rows.len() - 1; copied(words(&x.rows[last].values), words_mut(&mut x.to)); }
#[derive(Clone, Shadow)] struct Fields { from: [[f32; 2]; 2], key: usize, to: [[f32; 2]; 2] }
#[autodiff(d_of_fields, Reverse, Duplicated)]
fn of_fields(x: &mut Fields) { copied(words(&x.from), words_mut(&mut x.to)); }
#[repr(C)] #[derive(Clone, Copy, Shadow)] struct Record { pair: [f32; 2], key: u64 }
#[autodiff(d_of_records, Reverse, Duplicated, Duplicated)]
fn of_records(x: &[Record], y: &mut [Record]) { copied(words(x), words_mut(y)); }
#[derive(Clone, Shadow)] struct Owners { from: Rc<RefCell<Vec<[f32; 2]>>>, to: Option<Vec<[f32; 2]>> }
#[autodiff(d_of_owners, Reverse, Duplicated)]
fn of_owners(x: &mut Owners) { if let Some(to) = &mut x.to { copied(words(&x.from.borrow()), words_mut(to)); } }
#[derive(Clone, Shadow)] struct Both { rows: [Vec<[f32; 2]>; 2] }
#[autodiff(d_of_both, Reverse, Duplicated)]
fn of_both(x: &mut Both) { let [from, to] = &mut x.rows; copied(words(from), words_mut(to)); }
fn main() {
    let mut pairs = Pairs { from: vec![[0.5, 2.0]], to: vec![[0.0, 0.0]] };
    d_of_pairs(&mut pairs.clone(), &mut pairs);
    let mut table = Table { rows: vec![Row { values: vec![0.5], key: 1 }], to: vec![0.0].into() };
    d_of_rows(&mut table.clone(), &mut table);
    t_of_rows(&mut table.clone(), &mut table);
    let mut fields = Fields { from: [[0.5, 2.0]; 2], key: 1, to: [[0.0, 0.0]; 2] };
    d_of_fields(&mut fields.clone(), &mut fields);
    let [x, mut dx, mut y, mut dy] = [[Record { pair: [0.5, 2.0], key: 1 }]; 4];
    d_of_records(&x, &mut dx, &mut y, &mut dy);
    let pair = || vec![[0.5, 2.0]];
    let [mut owners, mut shadow] = [pair(), pair()].map(|from| Owners { from: Rc::new(from.into()), to: Some(pair()) });
    d_of_owners(&mut owners, &mut shadow);
    let mut both = Both { rows: [pair(), pair()] };
    d_of_both(&mut both.clone(), &mut both);
    println!("{:?} {:?} {:?} {:?} {:?} {:?}", pairs.from, table.rows[0].values, fields.from, dx[0].pair, shadow.from, both.rows);
}
"#;

#[test]
fn floats_of_an_argument_that_are_moved_as_numbers_alone_are_an_error() {
    are_errors_at("moved_within", MOVED_WITHIN, &[10, 15, 18, 21, 24, 27]);
}

/// Bits in a record with a text and a float: a function that stays a call turns their sign round.
const TURNED: &str = r#"use cotangent::gradient;
struct Row { bits: u64, name: String, x: f64 }
#[inline(never)] fn turn(rows: &mut [Row]) { for r in rows { r.bits ^= 1 << 63; r.x *= 2.0; } }
fn made(x: &[f64]) -> Vec<Row> { x.iter().map(|v| Row { bits: v.to_bits(), name: "a".into(), x: *v }).collect() }
fn f(x: &[f64]) -> f64 { let mut rows = made(x); turn(&mut rows); rows.iter().map(|r| f64::from_bits(r.bits) * r.x + r.name.len() as f64).sum() }
fn main() { println!("{:?}", gradient(f, &[0.7, 1.2])); }
"#;

/// Bits that one call hands out and another makes a float of, with something added to them in between.
const ADDED_TO: &str = r#"
struct Record { n: usize, x: f64, name: String }

#[inline(never)]
fn record(x: f64) -> Record {
    Record { n: 3, x: x * x, name: "a".to_string() }
}

#[inline(never)]
fn bits(x: f64) -> u64 {
    x.to_bits()
}

#[inline(never)]
fn float(n: u64) -> f64 {
    f64::from_bits(n)
}

fn main() {
    let f = |x: &[f64]| {
        let mut all: Vec<Record> = x.iter().map(|v| record(*v)).collect();
        for record in &mut all {
            record.n = bits(record.x) as usize + record.name.len();
        }
        all.iter().map(|record| float(record.n as u64)).sum()
    };
    println!("{:?}", cotangent::gradient(f, &[0.3, 0.7]));
}
"#;

/// The same through objects.
const ADDED_TO_BY_OBJECTS: &str = r#"
trait Code {
    fn code(&self, x: f64) -> u64;
}

struct Plain;

struct Turned(u64);

impl Code for Plain {
    fn code(&self, x: f64) -> u64 {
        x.to_bits()
    }
}

impl Code for Turned {
    fn code(&self, x: f64) -> u64 {
        x.to_bits() ^ self.0
    }
}

struct Record { n: u64, x: f64, name: String }

#[inline(never)]
fn all(codes: &[Box<dyn Code>], records: &mut [Record]) {
    for (code, record) in codes.iter().zip(records) {
        record.n = code.code(record.x) + record.name.len() as u64;
    }
}

fn main() {
    let f = |x: &[f64]| {
        let codes: Vec<Box<dyn Code>> = vec![Box::new(Plain), Box::new(Turned(1))];
        let mut records: Vec<Record> = x.iter().map(|v| Record { n: 0, x: v * v, name: String::new() }).collect();
        all(&codes, &mut records);
        records.iter().map(|record| f64::from_bits(record.n)).sum()
    };
    println!("{:?}", cotangent::gradient(f, &[0.3, 0.7]));
}
"#;

/// The bytes of a float in fields of a record, which are put together again by a callee.
const SCATTERED: &str = r#"
struct Bytes { value: f64, b0: u8, b1: u8, b2: u8, b3: u8, b4: u8, b5: u8, b6: u8, b7: u8 }

#[inline(never)]
fn joined(rows: &[Bytes]) -> f64 {
    rows.iter().map(|r| r.value + f64::from_ne_bytes([r.b0, r.b1, r.b2, r.b3, r.b4, r.b5, r.b6, r.b7])).sum()
}

fn main() {
    let row = |v: &f64| {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = (v * v).to_ne_bytes();
        Bytes { value: *v, b0, b1, b2, b3, b4, b5, b6, b7 }
    };
    let f = |x: &[f64]| joined(&x.iter().map(row).collect::<Vec<_>>());
    println!("{:?}", cotangent::gradient(f, &[0.3, 0.7]));
}
"#;

/// The bits of a float in an index, which a callee turns round.
const TURNED_INDEX: &str = r#"use cotangent::gradient;
struct Row { bits: usize, x: f64 }
#[inline(never)] fn put(row: &mut Row, v: f64) { row.bits = v.to_bits() as usize; row.x = 2.0; }
#[inline(never)] fn turn(row: &mut Row) { row.bits ^= 1 << 63; row.x *= 2.0; }
#[inline(never)] fn got(row: &Row) -> f64 { f64::from_bits(row.bits as u64) * row.x }
fn f(x: &[f64]) -> f64 {
    let mut row = Row { bits: 3, x: 1.0 };
    x.iter().map(|v| { put(&mut row, *v); turn(&mut row); got(&row) }).sum()
}
fn main() { println!("{:?}", gradient(f, &[1.5, 2.0, 0.7])); }
"#;

/// The same in a vector, in the function itself.
const TURNED_INDICES: &str = r#"use cotangent::gradient;
struct Row { bits: usize, x: f64 }
fn f(x: &[f64]) -> f64 {
    let mut rows: Vec<Row> = x.iter().map(|v| Row { bits: (v * v).to_bits() as usize, x: *v }).collect();
    let n = rows.len();
    for i in 0..n { rows[i].bits = rows[i].bits.rotate_left(7); }
    rows.swap(0, n - 1);
    for row in rows.iter_mut() { row.bits = row.bits.rotate_right(7); }
    rows.iter().map(|row| f64::from_bits(row.bits as u64) * row.x).sum()
}
fn main() { println!("{:?}", gradient(f, &[1.5, 2.0, 0.7])); }
"#;

/// Floats that a callee turns round as numbers, where nobody takes the bits of one by name.
const VIEWED: &str = r#"use cotangent::gradient;
#[inline(never)] fn turn(words: &mut [u64], mask: u64) { words.iter_mut().for_each(|word| *word ^= mask); }
fn f(x: &[f64]) -> f64 {
    let mut squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let (_, words, _) = unsafe { squares.align_to_mut::<u64>() };
    turn(words, std::hint::black_box(1));
    squares.iter().sum()
}
fn main() { println!("{:?}", gradient(f, &[1.5, 2.0, 0.7])); }
"#;

/// The same of an array by value.
const TRANSMUTED: &str = r#"use cotangent::gradient;
fn f(x: &[f64]) -> f64 {
    let [a, b]: [u64; 2] = unsafe { std::mem::transmute([x[0] * x[1], x[1]]) };
    let mask = std::hint::black_box(1);
    let [a, b]: [f64; 2] = unsafe { std::mem::transmute([a ^ mask, b + mask]) };
    a * b
}
fn main() { println!("{:?}", gradient(f, &[1.5, 2.0])); }
"#;

/// Floats that are joined with numbers and marks of variants to words, by a function that sees none.
const JOINED: &str = r#"use cotangent::gradient;
enum U { F(f32), N(u32) }
#[inline(never)] fn mix(x: &[f32]) -> Vec<U> {
    (0..x.len()).map(|i| if i % 2 == 0 { U::F(x[i]) } else { U::N(i as u32) }).collect()
}
fn f(x: &[f32]) -> f32 {
    mix(x).iter().map(|u| match u { U::F(a) => *a, U::N(n) => *n as f32 }).sum()
}
fn main() { println!("{:?}", gradient(f, &[1.0, 2.0, 3.0, 4.0])); }
"#;

#[test]
fn floats_that_are_joined_to_words_with_numbers_are_not_lost() {
    are_refused("joined", JOINED);
}

#[test]
fn bits_that_are_computed_with_through_a_view_are_refused() {
    are_refused("viewed", VIEWED);
    are_refused("transmuted", TRANSMUTED);
}

#[test]
fn bits_in_a_record_that_a_callee_computes_with_are_refused() {
    are_refused("turned", TURNED);
}

#[test]
fn bits_in_an_index_that_is_computed_with_are_refused() {
    are_refused("turned_index", TURNED_INDEX);
    are_refused("turned_indices", TURNED_INDICES);
}

#[test]
fn bits_that_are_added_to_between_calls_are_refused() {
    are_refused("added_to", ADDED_TO);
    are_refused("added_to_by_objects", ADDED_TO_BY_OBJECTS);
}

#[test]
fn bytes_of_a_float_in_a_record_are_refused() {
    are_refused("scattered", SCATTERED);
}

/// Holds that a program is refused in both profiles for what it does with bits.
fn are_refused(name: &str, source: &str) {
    let manifest = "[package]\nname = \"refused\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new(name, &[("Cargo.toml", manifest), ("src/main.rs", source)]);
    for profile in ["", " --release"] {
        let Printed { success, err, out } = project.cargo(&format!("cotangent run{profile}")).run();
        assert!(!success && err.contains("CT0302"), "{profile}\n{out}{err}");
    }
}

/// A program in which closures behind pointers have the type of a method that is called on constant objects: what stands first in their tables takes them by value.
const OBJECTS: &str = r#"
use cotangent::{gradient, jvp};
trait Layer { fn forward(&self, x: &[f64]) -> Vec<f64>; }
struct Lin { w: f64 }
struct Square;
impl Layer for Lin { fn forward(&self, x: &[f64]) -> Vec<f64> { x.iter().map(|v| v * self.w).collect() } }
impl Layer for Square { fn forward(&self, x: &[f64]) -> Vec<f64> { x.iter().map(|v| v * v).collect() } }
fn layers(x: &[f64]) -> f64 {
    let net: Vec<Box<dyn Layer>> = vec![Box::new(Square)];
    net.iter().fold(x.to_vec(), |h, l| l.forward(&h)).iter().sum()
}
fn main() {
    let one: Box<dyn Layer> = Box::new(Lin { w: 0.5 });
    println!("{:?}", gradient(|x: &[f64]| one.forward(x).iter().sum(), &[0.7]));
    let net: Vec<Box<dyn Layer>> = vec![Box::new(Lin { w: 0.5 }), Box::new(Lin { w: 0.75 })];
    println!("{:?}", gradient(|x: &[f64]| net.iter().fold(x.to_vec(), |h, l| l.forward(&h)).iter().sum(), &[0.7]));
    let looped = |x: &[f64]| { let mut h = x.to_vec(); for l in &net { h = l.forward(&h); } h[0] };
    println!("{:?}", gradient(&looped, &[0.7]));
    println!("{:?}", jvp(&layers, &[0.75], &[2.0]));
    OTHERS
}
"#;

#[test]
fn objects_that_a_closure_captures_are_called_with_results_of_many_numbers() {
    let manifest = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             cotangent = {{ path = \"{{core}}\" }}\n"
        )
    };
    let others = "let all: Vec<Box<dyn Fn(&[f64]) -> Vec<f64>>> = vec![Box::new(|x| x.to_vec()), Box::new(|x| x.iter().map(|v| v * 2.0).collect())];
    println!(\"{:?}\", gradient(|x: &[f64]| all.iter().map(|f| f(x)[0]).product(), &[0.5]));
    let once = |x: &[f64]| { let k = x[0]; let f: Box<dyn FnOnce(&[f64]) -> Vec<f64>> = Box::new(move |x| vec![k * x[0]]); f(x)[0] };
    println!(\"{:?}\", gradient(once, &[0.5]));
    let each = |x: &[f64]| {
        let mut all: Vec<Box<dyn FnOnce(&[f64]) -> Vec<f64>>> = Vec::new();
        for (i, v) in x.iter().copied().enumerate() {
            if i % 2 == 0 { all.push(Box::new(move |x| vec![v * x[0]])) } else { all.push(Box::new(move |x| vec![v + x[0]])) }
        }
        all.into_iter().fold(net[0].forward(x), |t, f| f(&t))[0]
    };
    println!(\"{:?}\", gradient(each, &[0.5, 2.0]));";
    for (name, text, more) in [("objects", "", ""), ("closures", others, "[2.0]\n[1.0]\n[0.5, 1.0]\n")] {
        let program = OBJECTS.replace("OTHERS", text);
        let project = Project::new(name, &[("Cargo.toml", &manifest(name)), ("src/main.rs", &program)]);
        for profile in ["", " --release"] {
            let out = project.cargo(&format!("cotangent run{profile}")).succeed();
            assert_eq!(out, format!("[0.5]\n[0.375]\n[0.375]\n(0.5625, 3.0)\n{more}"), "{name}{profile}");
        }
    }
}
