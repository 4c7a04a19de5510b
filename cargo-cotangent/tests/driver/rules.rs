//! What rules and closures come down to in programs, and what is said where a rule has not the mode that is asked for.
use crate::scratch::{Project, root};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// A program in a folder of its own.
fn program(name: &str, source: &str) -> Project {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ncotangent = {{ path = \"{{core}}\" }}\n"
    );
    Project::new(name, &[("Cargo.toml", &manifest), ("src/main.rs", source)])
}

/// The functions in the object that the driver made of a program: machine code, and what it refers to.
fn functions(name: &str) -> BTreeMap<String, (Vec<u8>, Vec<String>)> {
    let folder = root().join("target/release/deps");
    let is_object = |file: &str| file.starts_with(&format!("{name}-")) && file.ends_with(".cotangent.o");
    let files = std::fs::read_dir(&folder).expect("the program was built").map(|entry| entry.unwrap().path());
    let saved: Vec<_> = files.filter(|path| is_object(&path.file_name().unwrap().to_string_lossy())).collect();
    let [saved] = &saved[..] else { panic!("one object is saved, not {saved:?}") };
    let bytes = std::fs::read(saved).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let target = |target: RelocationTarget| match target {
        RelocationTarget::Symbol(index) => {
            let symbol = file.symbol_by_index(index).unwrap();
            match symbol.section_index().and_then(|index| file.section_by_index(index).ok()) {
                // A function by its name, wherever it is.
                Some(section) if symbol.kind() != SymbolKind::Text => {
                    format!("{}+{}", section.name().unwrap(), symbol.address())
                }
                _ => symbol.name().unwrap().split(".llvm.").next().unwrap_or_default().to_owned(),
            }
        }
        other => format!("{other:?}"),
    };
    let text = file.section_by_name(".text").expect("machine code");
    let relocations: Vec<_> = text.relocations().collect();
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let code = |symbol: object::Symbol| {
        let (start, end) = (symbol.address(), symbol.address() + symbol.size());
        let bytes = text.data_range(start, symbol.size()).unwrap().expect("code of a function").to_vec();
        let own = relocations.iter().filter(|(at, _)| (start..end).contains(at));
        let refers = own.map(|(at, to)| format!("{}: {} {}", at - start, target(to.target()), to.addend()));
        let name = symbol.name().unwrap().split(".llvm.").next().unwrap_or_default();
        (name.to_owned(), (bytes, refers.collect()))
    };
    functions.map(code).collect()
}

#[test]
fn a_rule_costs_nothing_where_nothing_is_differentiated() {
    let source = "
        #[inline(never)]
        #[cotangent::custom_derivative(reverse = vjp)]
        fn ruled(x: f64) -> f64 { x * x + 1.5 }
        fn vjp(x: f64, dret: f64) -> f64 { 20.0 * x * dret }

        #[cotangent::custom_derivative(forward = total_jvp, reverse = (total_augmented, total_pullback))]
        fn total(x: &[f64], by: f64) -> f64 { x.iter().map(|x| x * by).sum() }
        fn total_jvp(x: &[f64], dx: &[f64], by: f64, dby: f64) -> (f64, f64) { (total(x, by), total(dx, by) + total(x, dby)) }
        fn total_augmented(x: &[f64], by: f64) -> (f64, Vec<f64>) { (total(x, by), x.to_vec()) }
        fn total_pullback(tape: Vec<f64>, _: &[f64], dx: &mut [f64], by: f64, dret: f64) -> f64 {
            dx.iter_mut().for_each(|dx| *dx += by * dret);
            tape.iter().sum::<f64>() * dret
        }

        fn main() {
            let x = std::env::args().count() as f64;
            let all: Vec<f64> = (0..4).map(|i| x * f64::from(i)).collect();
            println!(\"{}\", ruled(x) * total(&all, x));
        }";
    let built = |source: &str| {
        let run = program("ruled", source).cargo("cotangent run --quiet --release").env("COTANGENT_SAVE", "1");
        assert_eq!(run.succeed(), "15\n");
        functions("ruled")
    };
    let with = built(source);
    // The lines of the program stay where they are.
    let without = built(&source.replace("#[cotangent::custom_derivative", "// #["));
    let own =
        |all: &BTreeMap<String, _>| all.keys().filter(|name| name.contains("5ruled")).cloned().collect::<Vec<_>>();
    assert_eq!(own(&with).len(), 2, "`ruled`, and `main` with `total` in it: {:?}", own(&with));
    assert_eq!(own(&with), own(&without));
    // (What says that there was no driver stays in the program, and nothing calls it.)
    for (name, code) in &without {
        assert!(with.get(name) == Some(code), "`{name}` is not what it is without a rule");
    }
}

#[test]
fn the_derivative_of_a_closure_calls_nothing_through_a_pointer() {
    let source = "
        fn main() {
            let powers: Vec<i32> = (0..std::env::args().count() as i32 + 2).collect();
            let scale = powers.len() as f64;
            let mut g = [0.0; 3];
            let f = |x: &[f64]| x.iter().zip(&powers).map(|(x, p)| scale * x.powi(*p).sin()).sum();
            let value = cotangent::value_and_gradient(f, &[1.0, 2.0, 3.0], &mut g);
            let curvature = cotangent::hvp(f, &g, &[1.0, 0.0, 0.0]);
            println!(\"{value} {g:?} {curvature:?}\");
        }";
    // Another text each time: what was dumped once is not built again.
    let source = format!("// {:?}{source}", std::time::Instant::now());
    let printed = program("direct", &source).cargo("cotangent build --release").env("COTANGENT_DUMP", "emit").run();
    assert!(printed.success, "{}", printed.err);
    let calls: Vec<&str> =
        printed.err.lines().filter_map(|line| line.split_once("call ")).map(|(_, call)| call).collect();
    let called =
        |call: &&str| call.split_once('(').map_or("", |(callee, _)| callee.rsplit(' ').next().unwrap_or("")).to_owned();
    let names: BTreeSet<String> = calls.iter().map(called).collect();
    assert!(names.contains("@llvm.cos.f64") && names.contains("@__ct_tape_alloc"), "{names:?}");
    // (What is called a guard in a derivative that is differentiated again becomes a selection.)
    let is_known = |name: &str| ["@llvm.", "@__ct_tape_", "@ct.guard."].iter().any(|known| name.starts_with(known));
    for name in &names {
        assert!(is_known(name), "a call of {name} is left: {names:?}");
    }
}

#[test]
fn a_foreign_function_with_a_rule_for_one_mode_says_so_in_the_other() {
    let source = "
        unsafe extern \"C\" {
            safe fn scalb(x: f64, n: f64) -> f64;
        }
        cotangent::derivative_rule! { scalb: extern \"C\" fn(f64, f64) -> f64, forward = scalb_jvp }
        fn scalb_jvp(x: f64, dx: f64, n: f64, _dn: f64) -> (f64, f64) {
            (scalb(x, n), dx * n.exp2())
        }
        fn main() {
            println!(\"{}\", cotangent::derivative(|x| scalb(x, 3.0), 1.0));
            // reverse
        }";
    assert_eq!(program("one-mode", source).cargo("cotangent run --quiet").succeed(), "8\n");
    let source =
        source.replace("// reverse", "println!(\"{:?}\", cotangent::gradient(|x: &[f64]| scalb(x[0], 3.0), &[1.0]));");
    let printed = program("one-mode", &source).cargo("cotangent build --quiet").run();
    assert!(!printed.success);
    for part in [
        "error[CT0201]: cannot differentiate the call to `scalb`",
        "--> src/main.rs:11:",
        "there is no body of this function, and no rule for reverse mode; an active value goes in",
        "give it a rule with `derivative_rule!`",
    ] {
        assert!(printed.err.contains(part), "no {part:?} in\n{}", printed.err);
    }
}

#[test]
fn what_a_function_without_a_derivative_makes_cannot_be_written_to_without_a_shadow() {
    let source = "
        pub struct Table { values: Vec<f64> }
        #[cotangent::custom_derivative(inactive)]
        #[inline(never)]
        fn table(n: usize) -> Table { Table { values: vec![0.5; n] } }
        #[cotangent::custom_derivative(inactive)]
        #[inline(never)]
        fn longer(values: &mut Vec<f64>) { values.push(0.5); }
        fn main() {
            println!(\"{:?}\", cotangent::gradient(|x: &[f64]| table(2).values[1] * x[0], &[3.0]));
            // more
        }";
    assert_eq!(program("made-bare", source).cargo("cotangent run --quiet").succeed(), "[0.5]\n");
    let source = source.replace(
        "// more",
        "println!(\"{:?}\", cotangent::gradient(|x: &[f64]| { let mut t = table(3); t.values[1] = x[0]; t.values.iter().product() }, &[3.0]));
         println!(\"{:?}\", cotangent::gradient(|x: &[f64]| { let mut v = x.to_vec(); longer(&mut v); v[0] *= x[0]; v.iter().product() }, &[3.0]));",
    );
    let printed = program("made-bare", &source).cargo("cotangent build --quiet").run();
    assert!(!printed.success);
    for part in [
        "error[CT0402]: active values may be stored into memory that this call makes or lets grow",
        "--> src/main.rs:3:",
        "called at src/main.rs:11:",
        "--> src/main.rs:6:",
        "put `#[derive(cotangent::Shadow)]` on the type that the function returns",
    ] {
        assert!(printed.err.contains(part), "no {part:?} in\n{}", printed.err);
    }
}
