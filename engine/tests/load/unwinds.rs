//! Landing pads that do more than to give memory back, as brackets.

use crate::{SLICE_TO_VALUE, asking, build, count, parse, slice_thunk};
use cotangent_engine::llvm::{Module, Opcode};
use cotangent_engine::load::unwinds;
use cotangent_engine::rule::Known;

/// `let _guard = lock(x); let y = checked(x); drop(_guard)`, where `checked` stays a call; what `drop` does is the test's.
fn guarded(drop: &str, between: &str) -> String {
    format!(
        r#"
@held = internal global i8 0
declare i32 @rust_eh_personality(...)
declare void @give_back(ptr) nounwind
declare double @checked(double)
{drop}
define internal void @thunk(ptr %x, i64 %n, ptr %r) personality ptr @rust_eh_personality {{
entry:
  %guard = alloca {{ ptr, i8 }}
  store ptr @held, ptr %guard
  %v = load double, ptr %x
  {between}
  %y = invoke double @checked(double %v) to label %on unwind label %pad
on:
  store double %y, ptr %r
  invoke void @drop(ptr %guard) to label %end unwind label %pad2
end:
  ret void
pad:
  %e = landingpad {{ ptr, i32 }} cleanup
  call void @drop(ptr %guard)
  resume {{ ptr, i32 }} %e
pad2:
  %e2 = landingpad {{ ptr, i32 }} cleanup
  resume {{ ptr, i32 }} %e2
}}"#
    )
}

const UNLOCKS: &str = "define internal void @drop(ptr %guard) nounwind {\n  %lock = load ptr, ptr %guard\n  \
    store atomic i8 0, ptr %lock release, align 1\n  ret void\n}";
const GIVES_BACK: &str =
    "define internal void @drop(ptr %guard) nounwind {\n  %block = load ptr, ptr %guard\n  ret void\n}";

fn names(module: Module) -> Vec<String> {
    module.functions().into_iter().map(|f| f.name()).filter(|name| name.starts_with("ct.un")).collect()
}

#[test]
fn a_call_under_a_lock_stands_in_brackets_that_take_the_guard_by_value() {
    let made = slice_thunk(&guarded(UNLOCKS, ""));
    let text = made.module.to_string();
    let root = text.split("define internal void @thunk.ct").nth(1).and_then(|t| t.split("\n}").next()).unwrap();
    let order = ["@ct.unwinds.begin.0", "@checked(", "@ct.unwinds.end(i64 0)", "store atomic i8 0"];
    let at: Vec<Option<usize>> = order.iter().map(|part| root.find(part)).collect();
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{at:?}\n{root}");
    assert!(!root.contains("alloca") && !root.contains("landingpad"), "{root}");
}

#[test]
fn a_destructor_that_leaves_no_trace_needs_no_brackets() {
    let made = slice_thunk(&guarded(GIVES_BACK, ""));
    assert_eq!(names(made.module), Vec::<String>::new());
}

#[test]
fn a_call_that_cannot_panic_needs_none() {
    let program =
        guarded(UNLOCKS, "").replace("declare double @checked(double)", "declare double @checked(double) nounwind");
    let made = slice_thunk(&program);
    assert!(!made.root.module().to_string().contains("call void @ct.unwinds"), "{}", made.module);
}

#[test]
fn brackets_for_a_panic_in_sight_stand_right_before_it() {
    let checked = "define internal double @checked(double %v) {\n  %bad = fcmp olt double %v, 0.0\n  \
        br i1 %bad, label %panics, label %on\npanics:\n  call void @panic()\n  unreachable\non:\n  ret double %v\n}";
    let made = slice_thunk(&guarded(UNLOCKS, "").replace("declare double @checked(double)", checked));
    let begins = |i: &cotangent_engine::llvm::Value| {
        i.opcode() == Opcode::LLVMCall && i.called_function().is_some_and(|f| f.name().starts_with("ct.unwinds.begin"))
    };
    let all: Vec<_> = made.root.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    let found: Vec<_> = all.iter().filter(|i| begins(i)).collect();
    assert_eq!(found.len(), 1, "{}", made.module);
    let next = found[0].next().and_then(|i| i.called_function()).map(|f| f.name());
    assert_eq!(next.as_deref(), Some("panic"), "{}", made.module);
    assert!(!made.module.to_string().contains("call void @ct.unwinds.end"), "{}", made.module);
}

#[test]
fn brackets_become_landing_pads_from_the_inside_out() {
    let module = parse(
        r#"
declare double @checked(double)
declare void @undo(ptr)
declare void @ct.unwinds.begin.3(ptr)
declare void @ct.unwinds.begin.4(ptr)
declare void @ct.unwinds.end(i64)
define void @ct.unwound.3(ptr %p) {
  call void @undo(ptr %p)
  ret void
}
define void @ct.unwound.4(ptr %p) {
  call void @undo(ptr %p)
  ret void
}
define double @f(ptr %a, ptr %b, double %v) {
entry:
  call void @ct.unwinds.begin.3(ptr %a)
  %s = call double @checked(double %v)
  call void @ct.unwinds.begin.4(ptr %b)
  %t = call double @checked(double %s)
  call void @ct.unwinds.end(i64 4)
  call void @ct.unwinds.end(i64 3)
  %u = call double @checked(double %t)
  ret double %u
}"#,
    );
    unwinds::lower(module);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let f = module.function("f").unwrap();
    assert_eq!((count(f, Opcode::LLVMCall) - 2, count(f, Opcode::LLVMInvoke)), (1, 5), "{module}");
    let text = module.to_string();
    let nested = text.find("invoke void @ct.panicked.4").unwrap();
    assert!(text[nested..].find("@ct.panicked.3(ptr %a)").is_some(), "{module}");
    assert!(!text.contains("ct.unwinds.") && !text.contains("ct.unwound."), "{module}");
}

#[test]
fn the_registry_names_destructors_that_only_keep_books() {
    let named = guarded(UNLOCKS, "").replace("@drop(", "@_ZN5alloc2rc4drop17h0123456789abcdefE(");
    let (params, operands) = SLICE_TO_VALUE;
    let text = format!("{}{named}", asking(params, operands));
    assert!(!names(build(parse(&text)).module).is_empty());
    let quiet = crate::no_rules().with_known(Known::Quiet, &["alloc"]);
    let made = crate::build_with(parse(&text), &mut cotangent_engine::NoBodies, &quiet);
    assert_eq!(names(made.module), Vec::<String>::new());
}
