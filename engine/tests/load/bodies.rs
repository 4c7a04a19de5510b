//! What is copied into a workshop and what stays in the program.

use crate::{HEAD, SLICE_TO_VALUE, asking, build, build_with, count, defined, no_rules, parse, slice_thunk};
use cotangent_engine::llvm::{Function, Module, Opcode};
use cotangent_engine::load::finish;
use cotangent_engine::rule::{Effect, EffectPattern, EffectRow, Registry};
use cotangent_engine::{Bodies, NoBodies};

#[test]
fn callees_are_copied_inlined_and_without_unwinding() {
    let made = slice_thunk(
        r#"
declare i32 @personality(...)
define internal double @square(double %x) { %y = fmul double %x, %x ret double %y }
define internal void @thunk(ptr %x, i64 %n, ptr %r) personality ptr @personality {
  %v = load double, ptr %x
  %y = invoke double @square(double %v) to label %done unwind label %pad
done:
  store double %y, ptr %r
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}"#,
    );
    assert_eq!(defined(made.module), ["thunk.ct"]);
    assert_eq!((count(made.root, Opcode::LLVMCall), count(made.root, Opcode::LLVMInvoke)), (0, 0));
    assert!(made.root.personality().is_none());
}

#[test]
fn never_inlined_and_recursive_functions_stay_calls_of_copies() {
    let made = slice_thunk(
        r#"
define internal double @never(double %x) noinline { %y = fmul double %x, %x ret double %y }
define internal double @power(double %x, i64 %n) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %one, label %more
one:
  ret double 1.0
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %x, i64 %m)
  %y = fmul double %x, %p
  ret double %y
}
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %v = load double, ptr %x
  %a = call double @never(double %v)
  %b = call double @power(double %a, i64 %n)
  store double %b, ptr %r
  ret void
}"#,
    );
    assert_eq!(defined(made.module), ["thunk.ct", "never.ct", "power.ct"]);
    let power = made.module.function("power.ct").unwrap();
    assert_eq!(count(power, Opcode::LLVMRet), 1, "returns are joined");
}

#[test]
fn functions_with_a_rule_and_functions_on_the_way_to_a_panic_are_not_copied() {
    let text = r#"
define double @ruled(double %x) { %y = fmul double %x, %x ret double %y }
define void @complain() { ret void }
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %v = load double, ptr %x
  %c = icmp eq i64 %n, 0
  br i1 %c, label %bad, label %good
bad:
  call void @complain()
  call void @panic()
  unreachable
good:
  %y = call double @ruled(double %v)
  store double %y, ptr %r
  ret void
}"#;
    let rows = vec![EffectRow { pattern: EffectPattern::Symbol("ruled"), effect: Effect::Inactive }];
    let (params, operands) = SLICE_TO_VALUE;
    let program = parse(&format!("{}{text}", asking(params, operands)));
    let made = build_with(program, &mut NoBodies, &Registry::new(Vec::new(), rows));
    assert_eq!(defined(made.module), ["thunk.ct"]);
    assert!(made.module.function("ruled").is_some_and(|f| !f.value().users().is_empty()));
}

#[test]
fn statics_stay_the_programs_own() {
    let (params, operands) = SLICE_TO_VALUE;
    let program = parse(&format!(
        "{}{}",
        asking(params, operands),
        r#"
@calls = internal global i64 0
@table = internal constant [2 x double] [double 1.0, double 2.0]
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %c = load i64, ptr @calls
  %d = add i64 %c, 1
  store i64 %d, ptr @calls
  %slot = getelementptr double, ptr @table, i64 %n
  %v = load double, ptr %slot
  store double %v, ptr %r
  ret void
}"#
    ));
    let made = build(program);
    assert!(made.module.global("calls").unwrap().initializer().is_none());
    assert!(made.module.global("table").unwrap().is_constant());
    // Stands for the derivative: something that stays and mentions them.
    made.root.set_linkage(cotangent_engine::llvm::Linkage::LLVMExternalLinkage);
    let mut finished = finish::Finished::default();
    finish::optimise(made, None, false, &mut finished).unwrap();
    finish::link(program, &mut finished).unwrap();
    program.verify().unwrap();
    let statics: Vec<String> = program.globals().into_iter().map(|g| g.value().name()).collect();
    assert_eq!(statics, ["request", "calls", "table"], "nothing is there twice");
    assert_eq!(program.global("calls").unwrap().linkage(), cotangent_engine::llvm::Linkage::LLVMInternalLinkage);
    assert!(program.function("thunk.ct").is_some());
}

struct Library(Module);

impl Bodies for Library {
    fn find(&mut self, symbol: &str) -> Option<Function> {
        self.0.function(symbol).filter(|f| !f.is_declaration())
    }
}

#[test]
fn bodies_of_libraries_bring_their_constants_and_internal_functions() {
    let (params, operands) = SLICE_TO_VALUE;
    let program = parse(&format!(
        "{}{}",
        asking(params, operands),
        r#"
declare double @outside(double)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %v = load double, ptr %x
  %y = call double @outside(double %v)
  store double %y, ptr %r
  ret void
}"#
    ));
    let library = program.context().parse_text(
        &format!(
            "{HEAD}{}",
            r#"
@factor = private constant double 3.0
@hook = private constant { ptr } { ptr @kept }
@state = internal global i64 0
declare void @register(ptr)
define internal void @kept() { ret void }
define internal double @hidden(double %x) { %f = load double, ptr @factor %y = fmul double %x, %f ret double %y }
define internal void @count() { %c = load i64, ptr @state %d = add i64 %c, 1 store i64 %d, ptr @state ret void }
define void @stateful() { call void @count() ret void }
define double @outside(double %x) {
  %y = call double @hidden(double %x)
  call void @register(ptr @hook)
  call void @stateful()
  ret double %y
}"#
        ),
        "library",
    );
    let made = build_with(program, &mut Library(library.unwrap()), &no_rules());
    assert_eq!(count(made.root, Opcode::LLVMFMul), 1, "the internal function was copied and its constant folded");
    assert_eq!(defined(made.module), ["thunk.ct", "kept"], "an internal function whose address is taken is copied");
    assert!(made.module.function("stateful").is_some_and(|f| f.is_declaration()), "a library's state is not copied");
    made.module.verify().unwrap();
}
