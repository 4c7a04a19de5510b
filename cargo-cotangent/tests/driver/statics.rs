//! Active values that are left in statics: errors, whichever way they get there.
use crate::scratch::{Printed, Project};

/// Functions that do so and read them again, each on a line of its own from the seventh on.
const LEFT_IN_STATICS: &str = r#"
use cotangent::{gradient, jvp};
use std::{cell::Cell, ptr::null_mut, sync::{Mutex, OnceLock, atomic::{AtomicPtr, AtomicU64, Ordering::SeqCst}}};
static mut ROW: [f64; 40] = [0.0; 40]; static BOXED: Mutex<Option<Box<[f64]>>> = Mutex::new(None); static ONCE: OnceLock<Vec<f64>> = OnceLock::new();
static PLACE: AtomicPtr<f64> = AtomicPtr::new(null_mut()); static LOG: Mutex<Vec<f64>> = Mutex::new(Vec::new()); static BITS: AtomicU64 = AtomicU64::new(0);
static ALL: Mutex<[f64; 40]> = Mutex::new([0.0; 40]); static TWO: Mutex<[f64; 2]> = Mutex::new([0.0; 2]); thread_local! { static LAST: Cell<f64> = const { Cell::new(0.0) }; }
fn by_a_copy(x: &[f64]) -> f64 { unsafe { let p = &raw mut ROW; (&mut *p)[..x.len()].copy_from_slice(x); (*p)[0] * (*p)[1] } }
fn by_a_box(x: &[f64]) -> f64 { *BOXED.lock().unwrap() = Some(x.iter().map(|v| v * v).collect()); BOXED.lock().unwrap().as_ref().unwrap()[0] }
fn by_what_is_made_once(x: &[f64]) -> f64 { ONCE.get_or_init(|| x.iter().map(|v| v * v).collect())[0] * x[1] }
fn by_what_is_leaked(x: &[f64]) -> f64 { PLACE.store(Box::leak(Box::new(x[0] * x[0])), SeqCst); unsafe { *PLACE.load(SeqCst) * x[1] } }
fn by_a_cell(x: &[f64]) -> f64 { LAST.set(x[0] * 2.0); LAST.get() * x[1] }
fn by_a_push(x: &[f64]) -> f64 { LOG.lock().unwrap().push(x[0] * 2.0); LOG.lock().unwrap()[0] * x[1] }
fn by_bits(x: &[f64]) -> f64 { BITS.store((x[0] * 2.0).to_bits(), SeqCst); f64::from_bits(BITS.load(SeqCst)) * x[1] }
fn by_two_at_once(x: &[f64]) -> f64 { TWO.lock().unwrap().copy_from_slice(&x[..2]); x[0] * x[1] }
fn by_calls(x: &[f64]) -> f64 { let a: [f64; 40] = std::array::from_fn(|i| x[0] * i as f64); kept(&a); again() * x[1] }
#[inline(never)] fn kept(a: &[f64; 40]) { *ALL.lock().unwrap() = *a; }
#[inline(never)] fn again() -> f64 { ALL.lock().unwrap()[3] }
fn main() {
    let (x, t) = ([2.0, 5.0], [1.0, 0.0]);
    for f in [by_what_is_leaked, by_a_cell] { println!("{}", f(&x)); }
    println!("{:?}", WHAT);
}
"#;

#[test]
fn an_active_value_that_is_left_in_a_static_is_an_error_at_its_line() {
    let manifest = "[package]\nname = \"statics\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
                    [dependencies]\ncotangent = { path = \"{core}\" }\n";
    let functions = [
        "by_a_copy",
        "by_a_box",
        "by_what_is_made_once",
        "by_what_is_leaked",
        "by_a_cell",
        "by_a_push",
        "by_bits",
        "by_two_at_once",
        "by_calls",
    ];
    for (mode, call) in [("reverse", "gradient(F, &x)"), ("forward", "jvp(F, &x, &t)")] {
        let asked: Vec<String> = functions.iter().map(|f| call.replace('F', f)).collect();
        let source = LEFT_IN_STATICS.replace("WHAT", &format!("({})", asked.join(", ")));
        let name = format!("statics_{mode}");
        let project = Project::new(&name, &[("Cargo.toml", manifest), ("src/main.rs", &source)]);
        for profile in ["", " --release"] {
            let Printed { success, err, .. } = project.cargo(&format!("cotangent build{profile}")).run();
            assert!(!success, "{mode} {profile}");
            for (line, function) in (7..).zip(functions) {
                let place = format!("--> src/main.rs:{line}:");
                // A call may be named where it is made or in the function that is called.
                let is_here =
                    |error: &str| error.contains(&place) || (function == "by_calls" && error.contains("main.rs:16:"));
                let found = err.split("error[CT0401]").skip(1).any(is_here);
                assert!(found, "{function}, {mode} {profile}\n{err}");
            }
        }
    }
}
