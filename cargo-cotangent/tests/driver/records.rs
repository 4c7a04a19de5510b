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
fn a_copy_that_cannot_be_decided_names_its_line_and_the_struct() {
    let manifest = "[package]\nname = \"sorted\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let project = Project::new("sorted", &[("Cargo.toml", manifest), ("src/main.rs", SORTED)]);
    // Without optimisation the fields are moved one by one.
    let Printed { success, out, err } = project.cargo("cotangent run").run();
    assert!(success, "{err}");
    // x2 = -0.3, x0 = 0.4 and x1 = 1.2 have the keys 4, 0 and 2: the sum is x0^3 + 2 x1^3 + 3 x2^3, its parts in single precision.
    let found: Vec<f64> =
        out.trim().trim_matches(['[', ']']).split(", ").map(|v| v.parse().expect("a number")).collect();
    for (found, right) in found.iter().zip([3.0 * 0.16, 6.0 * 1.44, 9.0 * 0.09]) {
        assert!((found - right).abs() < 1e-6, "{out}");
    }
    let Printed { success, err, .. } = project.cargo("cotangent build --release").run();
    assert!(!success);
    assert!(err.contains("error[CT0302]: cannot tell which bytes of this copy are floats"), "{err}");
    assert!(err.contains("--> src/main.rs:6:") && err.contains("values of `sorted::Record`"), "{err}");
}
