//! Copies of records of which it cannot be told where their floats are.
use crate::scratch::{Printed, Project};

const SORTED: &str = r#"
#[derive(Clone, Copy)]
struct Record { narrow: f32, wide: f64, key: u32 }
fn sorted(x: &[f64]) -> f64 {
    let mut all: Vec<Record> = x.iter().enumerate().map(|(i, v)| Record { narrow: *v as f32, wide: v * v, key: (i * 7 % 5) as u32 }).collect();
    all.sort_by_key(|r| r.key);
    all.iter().zip(1..).map(|(r, i)| r.wide * f64::from(r.narrow) * f64::from(i)).sum()
}
fn main() { println!("{:?}", cotangent::gradient(sorted, &[0.4, 1.2, -0.3])); }
"#;

#[test]
fn records_of_two_widths_are_moved_whatever_debug_information_the_profile_asks_for() {
    let manifest = "[package]\nname = \"sorted\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n\
                    [profile.plain]\ninherits = \"dev\"\ndebug = false\n\
                    [profile.lines]\ninherits = \"dev\"\ndebug = \"line-tables-only\"\n";
    let project = Project::new("sorted", &[("Cargo.toml", manifest), ("src/main.rs", SORTED)]);
    for profile in ["dev", "plain", "lines"] {
        let Printed { success, out, err } = project.cargo(&format!("cotangent run --profile {profile}")).run();
        assert!(success, "{profile}: {err}");
        // x2 = -0.3, x0 = 0.4 and x1 = 1.2 have the keys 4, 0 and 2: the sum is x0^3 + 2 x1^3 + 3 x2^3, its parts in single precision.
        let found: Vec<f64> =
            out.trim().trim_matches(['[', ']']).split(", ").map(|v| v.parse().expect("a number")).collect();
        for (found, right) in found.iter().zip([3.0 * 0.16, 6.0 * 1.44, 9.0 * 0.09]) {
            assert!((found - right).abs() < 1e-6, "{profile}: {out}");
        }
    }
}

const RENUMBERED: &str = r#"
use cotangent::{Shadow, autodiff};
#[derive(Clone, Copy, Shadow)]
struct Part { id: u64, values: [f64; 3] }
#[inline(never)] fn one(p: &Part) -> Box<Part> { let mut q = Box::new(*p); q.id += 1; q }
#[inline(never)] fn all(p: &[Part]) -> Vec<Part> { let mut q = p.to_vec(); q[0].id += 1; q }
#[autodiff(d_of_one, Reverse, Duplicated, Active)]
fn of_one(p: &Part) -> f64 { let q = one(p); q.values[0] * q.values[2] * q.id as f64 }
#[autodiff(d_of_all, Reverse, Duplicated, Active)]
fn of_all(p: &[Part]) -> f64 { let q = all(p); q[1].values[1] * q[0].values[2] * q[0].id as f64 }
fn main() {
    let p = [Part { id: 2, values: [1.0, 2.0, 3.0] }; 2];
    let mut s = [Part { id: 2, values: [0.0; 3] }; 2];
    d_of_one(&p[0], &mut s[0], 1.0);
    d_of_all(&p, &mut s, 1.0);
    println!("{:?} {:?}", s[0].values, s[1].values);
}
"#;

#[test]
fn floats_beside_the_number_that_alone_is_looked_at_are_not_lost() {
    let manifest = "[package]\nname = \"renumbered\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("renumbered", &[("Cargo.toml", manifest), ("src/main.rs", RENUMBERED)]);
    for profile in ["dev", "release"] {
        let Printed { success, out, err } = project.cargo(&format!("cotangent run --profile {profile}")).run();
        assert!(success, "{profile}: {err}");
        assert_eq!(out.trim(), "[9.0, 0.0, 9.0] [0.0, 9.0, 0.0]", "{profile}");
    }
}

const ENCODED: &str = r#"
#[derive(Clone, Copy)]
struct Encoded { weight: f32, bytes: [u8; 8], key: u16 }
#[inline(never)] fn moved(from: &Encoded) -> Box<Encoded> { Box::new(*from) }
#[inline(never)] fn encoded(t: f64) -> Encoded { Encoded { weight: 2.0, bytes: (t * t).to_le_bytes(), key: 3 } }
fn decoded(x: &[f64]) -> f64 {
    let copy = moved(&encoded(x[0]));
    f64::from_le_bytes(copy.bytes) * x[1] * f64::from(copy.weight) * f64::from(copy.key)
}
fn main() { println!("{:?}", cotangent::gradient(decoded, &[0.4, 1.2])); }
"#;

#[test]
fn the_bytes_of_a_float_beside_another_float_are_not_lost() {
    let manifest = "[package]\nname = \"encoded\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("encoded", &[("Cargo.toml", manifest), ("src/main.rs", ENCODED)]);
    // The right gradient, [5.76, 0.96], would do as well.
    for (profile, moved) in [
        (" --release", "it moves 16 bytes of values of `encoded::Encoded`, in `new<encoded::Encoded>`"),
        ("", "it moves a `Encoded`, in `moved`"),
    ] {
        let Printed { success, err, .. } = project.cargo(&format!("cotangent build{profile}")).run();
        assert!(!success && err.contains("error[CT0302]: cannot tell which bytes of this copy are floats"), "{err}");
        assert!(err.contains("--> src/main.rs:4:") && err.contains(moved), "{err}");
    }
}

const HANDED_BACK: &str = r#"
use std::collections::HashMap;
#[derive(Clone, Copy)]
enum Fault { Floats([f64; 3]), Numbers(i32, u8, u32) }
#[inline(never)] fn read(v: &Result<f64, Fault>) -> f64 {
    match v { Ok(v) => *v, Err(Fault::Floats(a)) => a[0] + a[1], Err(Fault::Numbers(a, b, c)) => f64::from(*a) + f64::from(*b) + f64::from(*c) }
}
fn sum(x: &[f64]) -> f64 {
    let (mut all, mut sum) = (HashMap::new(), 0.0);
    for v in x {
        if let Some(old) = all.insert(0u8, Ok::<f64, Fault>(*v)) { sum += read(&old); }
    }
    sum
}
fn main() { println!("{:?}", cotangent::gradient(sum, &[0.3, 0.9, 0.1, 0.2])); }
"#;

/// In dev the value is copied in pieces, none of which is a float.
#[test]
fn the_old_value_that_a_table_hands_back_is_not_lost() {
    let manifest = "[package]\nname = \"handed_back\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("handed_back", &[("Cargo.toml", manifest), ("src/main.rs", HANDED_BACK)]);
    assert_eq!(project.cargo("cotangent run").succeed(), "[1.0, 1.0, 1.0, 0.0]\n");
    assert_eq!(project.cargo("cotangent run --release").succeed(), "[1.0, 1.0, 1.0, 0.0]\n");
}

const TABLES: &str = r#"
use std::collections::{BTreeMap, HashMap};
fn cells(x: &[f64]) -> f64 {
    let mut cells: HashMap<(i32, i32), Vec<f64>> = HashMap::new();
    for (i, v) in (0..4).zip(x) {
        cells.entry((i % 3, i % 5)).or_default().push(v * f64::from(i + 1));
    }
    cells[&(0, 0)][0] * cells[&(0, 3)][0]
}
fn curves(x: &[f64]) -> f64 {
    let mut book: BTreeMap<u32, Box<dyn Fn(f64) -> f64>> = BTreeMap::new();
    let (a, b) = (x.to_vec(), vec![x[1]]);
    book.insert(3, Box::new(move |t| t * a[0]));
    book.insert(1, Box::new(move |t| t * t * b[0]));
    book.values().map(|curve| curve(2.0)).sum()
}
fn main() {
    let x = [0.5, 1.0, -0.5, 0.25];
    println!("{:?} {:?}", cotangent::gradient(cells, &x), cotangent::gradient(curves, &x));
    println!("{:?}", cotangent::jvp(cells, &x, &[1.0, 0.0, 0.0, 0.0]));
}
"#;

/// What nothing needs the second attempt for is right in it too: rows of a table that are moved to a larger one, entries of which a variant is as large as the enum.
#[test]
fn tables_are_right_where_all_is_moved_exactly() {
    let manifest = "[package]\nname = \"tables\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("tables", &[("Cargo.toml", manifest), ("src/main.rs", TABLES)]);
    for profile in ["dev", "release"] {
        for exact in ["0", "1"] {
            let run = project.cargo(&format!("cotangent run --profile {profile}")).env("COTANGENT_EXACT", exact);
            let found = run.succeed();
            assert_eq!(found, "[1.0, 0.0, 0.0, 2.0] [2.0, 4.0, 0.0, 0.0]\n(0.5, 1.0)\n", "{profile} {exact}");
            // Cargo does not look at the variable.
            std::fs::write(project.folder.join("src/main.rs"), TABLES).expect("the file can be written");
        }
    }
}

const NARROW: &str = r#"
#[derive(Clone, Copy)]
enum Mark { None, Weighed(u32, f32) }
#[inline(never)] fn mark(i: usize, v: f64) -> Result<Mark, String> {
    match i { 9 => Err("no".into()), i if i % 2 == 0 => Ok(Mark::None), _ => Ok(Mark::Weighed(i as u32, v as f32)) }
}
fn weight(x: &[f64]) -> f64 {
    let all: Vec<Mark> = (0..x.len()).map(|i| mark(i, x[i])).collect::<Result<Vec<_>, _>>().unwrap_or_default();
    all.iter().map(|m| match m { Mark::None => 1.0, Mark::Weighed(n, v) => f64::from(n % 5) + f64::from(v * v) }).sum()
}
fn main() { println!("{:?}", cotangent::gradient(weight, &[0.25, -1.25, 2.5, 0.75])); }
"#;

/// LLVM moves the number and the float as one word of eight bytes, since a text has a pointer there.
#[test]
fn a_narrow_float_that_is_moved_with_the_number_beside_it_is_not_lost() {
    never_wrong("narrow", NARROW, "[0.0, -2.5, 0.0, 1.5]");
}

const BITS: &str = r#"
fn doubled(bits: u64) -> u64 { (f64::from_bits(bits) * 2.0).to_bits() }
fn squared(bits: u64) -> u64 { (f64::from_bits(bits) * f64::from_bits(bits)).to_bits() }
fn sum(x: &[f64]) -> f64 {
    let table: [fn(u64) -> u64; 2] = [doubled, squared];
    (0..4).map(|i| f64::from_bits(table[(i + x.len()) % 2](x[0].to_bits()))).sum()
}
fn main() { println!("{:?}", cotangent::gradient(sum, &[0.75, 1.0])); }
"#;

/// The functions of the table take and return bits; what they call computes with floats.
#[test]
fn bits_that_functions_in_a_table_compute_with_are_not_lost() {
    never_wrong("bits", BITS, "[7.0, 0.0]");
}

const MAPPED: &str = r#"
use cotangent::autodiff;
#[derive(Clone, Copy, Debug)]
enum Kind { Two([f32; 2]), Numbers(u16, u64, u16), Five([f32; 2], [f32; 2], Option<f32>) }
#[inline(never)] fn weight(k: &Kind) -> f64 {
    match *k {
        Kind::Two(a) => f64::from(a[0] * a[1]),
        Kind::Numbers(a, b, c) => f64::from(a % 5) + (b % 5) as f64 + f64::from(c % 5),
        Kind::Five(a, b, c) => f64::from(a[0] * a[1] + b[0] * b[1] + c.unwrap_or(2.0)),
    }
}
fn same(k: Kind) -> Kind {
    match k { Kind::Two(a) => Kind::Two(a), Kind::Numbers(a, b, c) => Kind::Numbers(a, b, c), Kind::Five(a, b, c) => Kind::Five(a, b, c) }
}
#[autodiff(d_all, Reverse, Duplicated, Active)]
fn all(v: &[Kind]) -> f64 { let w: Vec<Kind> = v.iter().map(|k| same(*k)).collect(); w.iter().map(weight).sum() }
fn main() {
    let v = [Kind::Two([2.0, 3.0]), Kind::Numbers(1, 2, 3), Kind::Five([4.0, 5.0], [6.0, 7.0], Some(8.0))];
    let mut d = [Kind::Two([0.0; 2]), Kind::Numbers(1, 2, 3), Kind::Five([0.0; 2], [0.0; 2], Some(0.0))];
    d_all(&v, &mut d, 1.0);
    println!("{d:?}");
}
"#;

/// Numbers of two bytes lie there in another variant, and nothing says what lies behind the argument.
#[test]
fn a_narrow_float_of_an_argument_that_is_moved_in_two_pieces_is_not_lost() {
    never_wrong("mapped", MAPPED, "[Two([3.0, 2.0]), Numbers(1, 2, 3), Five([5.0, 4.0], [7.0, 6.0], Some(1.0))]");
}

/// That a program is refused for what it moves, or prints what is right, in both profiles.
fn never_wrong(name: &str, source: &str, right: &str) {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ncotangent = {{ path = \"{{core}}\" }}\n"
    );
    let project = Project::new(name, &[("Cargo.toml", &manifest), ("src/main.rs", source)]);
    for profile in ["dev", "release"] {
        let Printed { success, out, err } = project.cargo(&format!("cotangent run --profile {profile}")).run();
        match success {
            true => assert_eq!(out.trim(), right, "{profile}"),
            false => assert!(err.contains("CT0302"), "{profile}: {err}"),
        }
    }
}

/// A table behind a pointer in a type of which nobody knows which variants its shadow had, filled in a few ways; numbers beside it are changed first.
const UNTOLD: &str = r#"
use cotangent::{Shadow, autodiff};
#[derive(Clone, Copy)] enum Slot { Empty, Of(f64, u32) }
struct Table { slots: Vec<Slot>, hits: usize }
#[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
fn counted(t: &mut Table, x: &[f64]) -> f64 { t.hits += 1; for s in &mut t.slots { if let Slot::Of(f, n) = s { *f *= x[0]; *n += 1 } } x[0] }
#[autodiff(d_stored, Reverse, Duplicated, Duplicated, Active)]
fn stored(t: &mut Table, x: &[f64]) -> f64 { for s in &mut t.slots { if let Slot::Empty = s { *s = Slot::Of(x[0], 1) } } x[0] }
#[autodiff(d_emptied, Reverse, Duplicated, Duplicated, Active)]
fn emptied(t: &mut Table, x: &[f64]) -> f64 { let s = &mut t.slots[0]; let y = if let Slot::Of(f, _) = s { *f } else { 1.0 }; *s = Slot::Empty; y * x[0] }
#[derive(Shadow)] struct Outer { #[shadow(zeroed = |t: &Table| Table { slots: t.slots.clone(), hits: 0 })] table: Table }
#[autodiff(d_inside, Reverse, Duplicated, Duplicated, Active)]
fn inside(t: &mut Outer, x: &[f64]) -> f64 { let s = &mut t.table.slots[0]; let y = if let Slot::Of(f, _) = s { *f } else { 1.0 }; *s = Slot::Empty; y * x[0] }
fn main() {
    let table = || Table { slots: vec![Slot::Of(2.0, 3)], hits: 0 };
    let mut dx = [0.0];
    println!("{:?}", (d(&mut table(), &mut table(), &[3.0], &mut dx, 1.0), dx));
    #[cfg(feature = "stored")] d_stored(&mut table(), &mut table(), &[3.0], &mut dx, 1.0);
    #[cfg(feature = "emptied")] d_emptied(&mut table(), &mut table(), &[3.0], &mut dx, 1.0);
    #[cfg(feature = "inside")] d_inside(&mut Outer { table: table() }, &mut Outer { table: table() }, &[3.0], &mut dx, 1.0);
}
"#;

#[test]
fn a_variant_behind_a_pointer_of_which_nobody_knows_what_it_was_stays() {
    let manifest = "[package]\nname = \"untold\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [features]\nstored = []\nemptied = []\ninside = []\n[dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("untold", &[("Cargo.toml", manifest), ("src/main.rs", UNTOLD)]);
    for profile in ["", " --release"] {
        assert_eq!(project.cargo(&format!("cotangent run -q{profile}")).succeed(), "(3.0, [5.0])\n");
        for (feature, line) in [("stored", 8), ("emptied", 10), ("inside", 13)] {
            let Printed { success, err, .. } =
                project.cargo(&format!("cotangent build{profile} --features {feature}")).run();
            let said = "error[CT0501]: an enum behind an argument may become another variant here";
            let place = format!("--> src/main.rs:{line}:");
            assert!(!success && err.contains(said) && err.contains(&place), "{feature}{profile}: {err}");
        }
    }
}
