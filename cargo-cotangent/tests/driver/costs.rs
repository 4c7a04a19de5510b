//! `cargo cotangent explain --plan`: what a gradient keeps, by line and by loop.
use crate::scratch::Project;

const MANIFEST: &str = "[package]\nname = \"walks-far\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                        [dependencies]\ncotangent = { path = \"{core}\" }\n";

const MAIN: &str = "use cotangent::autodiff;

#[autodiff(d_walk, Reverse, Duplicated, Const, Active)]
fn walk(x: &[f64], steps: usize) -> f64 {
    let mut state = x[0];
    for step in 0..steps {
        state = state.sin() + 0.5 * step as f64;
    }
    again(state, 3)
}

fn again(x: f64, times: usize) -> f64 {
    if times == 0 {
        return x;
    }
    again(x * x.exp(), times - 1)
}

fn main() {
    let mut dx = [0.0];
    println!(\"{} {dx:?}\", d_walk(&[0.5], &mut dx, 3, 1.0));
}
";

#[test]
fn the_plan_of_a_function_says_what_each_line_keeps() {
    let project = Project::new("walks-far", &[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]);
    let whole = project.cargo("cotangent explain --plan walk").succeed();
    for expected in [
        "walk, differentiated at src/main.rs:3:1\n",
        "  8 bytes in each iteration of the loop at src/main.rs:6:",
        "         8  src/main.rs:7:23  value (f64)\n",
        "walks_far::again, a function of its own in walk, ",
    ] {
        assert!(whole.contains(expected), "{expected:?} is not in\n{whole}");
    }
    let callee = project.cargo("cotangent explain --plan again").succeed();
    assert!(callee.starts_with("walks_far::again, ") && !callee.contains("loop"), "{callee}");
    // Nothing is compiled for it a second time, in an incremental build neither; what is said stays the same.
    for _ in 0..2 {
        let again = project.cargo("cotangent explain --plan walk").env("CARGO_INCREMENTAL", "1").succeed();
        assert_eq!(again, whole);
    }
    let release = project.cargo("cotangent explain --plan walk --release").succeed();
    for expected in [
        "walk, differentiated at src/main.rs:3:1\n",
        "  8 bytes in each iteration of the loop at src/main.rs:6:",
        "         8  src/main.rs:7:23  value (f64)\n",
    ] {
        assert!(release.contains(expected), "{expected:?} is not in\n{release}");
    }
    let unknown = project.cargo("cotangent explain --plan wlak --release").run();
    assert!(
        !unknown.success && unknown.err.contains("`wlak`") && unknown.err.contains("those of walk"),
        "{}",
        unknown.err
    );
    let nameless = project.cargo("cotangent explain --plan").run();
    assert!(!nameless.success && nameless.err.contains("needs the name"), "{}", nameless.err);
}

const ROWS: &str = "use cotangent::autodiff;

#[autodiff(d_rows, Reverse, Active, Const, Active)]
fn rows(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for i in 0..steps {
        let row: Vec<f64> = (0..4).map(|j| (y * f64::from(j)).sin()).collect();
        y = row[i % 4] + row[(i + 1) % 4] * 0.1 + x;
    }
    y
}

fn main() {
    println!(\"{:?}\", d_rows(0.5, 3, 1.0));
}
";

/// Each of them is 32 bytes, as is its shadow, and two records say how they are given back.
#[test]
fn blocks_that_wait_for_the_reverse_sweep_are_counted_where_they_are_made() {
    let manifest = MANIFEST.replace("walks-far", "rows");
    let project = Project::new("rows", &[("Cargo.toml", &manifest), ("src/main.rs", ROWS)]);
    for profile in ["", " --release"] {
        let said = project.cargo(&format!("cotangent explain --plan rows{profile}")).succeed();
        assert!(said.contains("       160  src/main.rs:7:70  a block of 32 bytes and its shadow\n"), "{said}");
    }
}

const GROWN: &str = "use cotangent::autodiff;

#[autodiff(d_rows, Reverse, Active, Const, Active)]
fn rows(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for i in 0..steps {
        let mut row = Vec::with_capacity(2);
        for j in 0..i + 3 {
            row.push((y * j as f64).sin());
        }
        y = row[i % 3] + row[(i + 1) % 3] * 0.1 + x;
    }
    y
}

#[autodiff(d_turns, Reverse, Active, Const, Active)]
fn turns(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for i in 0..steps {
        let (mut a, mut b) = (vec![y; 2], vec![y * y; 4]);
        if i % 2 == 0 {
            std::mem::swap(&mut a, &mut b);
        }
        y = (a[0] * b[1]).sin() + x;
    }
    y
}

fn main() {
    println!(\"{:?} {:?}\", d_rows(0.5, 3, 1.0), d_turns(0.5, 3, 1.0));
}
";

/// Of a vector that grows, what it was made with is not its size; two that are swapped are two.
#[test]
fn blocks_that_grow_or_are_swapped_are_not_counted_as_what_they_were() {
    let manifest = MANIFEST.replace("walks-far", "grown");
    let project = Project::new("grown", &[("Cargo.toml", &manifest), ("src/main.rs", GROWN)]);
    for profile in ["", " --release"] {
        let rows = project.cargo(&format!("cotangent explain --plan rows{profile}")).succeed();
        assert!(rows.contains("96  src/main.rs:7:23  a block and its shadow, whose bytes are not counted"), "{rows}");
        assert!(!rows.contains("a block of 16 bytes"), "{rows}");
        let turns = project.cargo(&format!("cotangent explain --plan turns{profile}")).succeed();
        assert!(turns.contains("320  src/main.rs:20:31  2 x a block of 32 bytes and its shadow\n"), "{turns}");
    }
}
