//! From marker calls to a clean module and back, on small texts of IR.
//!
//! Each test is one claim about [`cotangent_engine::load`]; the IR is what rustc writes for the Rust in the comment, cut down.

use cotangent_engine::diag::{self, Code};
use cotangent_engine::llvm::{Context, Function, Module, Opcode};
use cotangent_engine::load::{canonical, finish, loops, requests, workshop};
use cotangent_engine::rule::{Effect, EffectPattern, EffectRow, Entry, Model, ModelPattern, Registry};
use cotangent_engine::{Bodies, NoBodies};

const HEAD: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__ct_reverse(ptr, ptr, ...)
declare void @panic() noreturn
"#;

fn parse(text: &str) -> Module {
    Context::new().parse_text(&format!("{HEAD}{text}"), "test").unwrap()
}

/// A request text as a global, and a function that asks for the derivative of `@thunk`.
fn asking(params: &str, operands: &str) -> String {
    let text = format!("ct1|reverse|1|f|src/f.rs|7|3|{params}");
    format!(
        "@request = private constant [{} x i8] c\"{text}\\00\"\n\
         define void @ask(ptr %a, ptr %b, ptr %c, ptr %d, i64 %n) {{\n\
           call void (ptr, ptr, ...) @__ct_reverse(ptr @thunk, ptr @request, {operands})\n  ret void\n}}\n",
        text.len() + 1
    )
}

const SLICE_TO_VALUE: (&str, &str) = ("sd8,od8", "ptr %a, ptr %b, i64 %n, ptr %c, ptr %d");

fn no_rules() -> Registry {
    Registry::new(Vec::new(), Vec::new())
}

fn build_with(program: Module, bodies: &mut dyn Bodies, registry: &Registry) -> workshop::Workshop {
    let found = requests::find(program).unwrap();
    workshop::build(program, &found[0], bodies, registry, 0).unwrap()
}

fn build(program: Module) -> workshop::Workshop {
    build_with(program, &mut NoBodies, &no_rules())
}

fn slice_thunk(body: &str) -> workshop::Workshop {
    let (params, operands) = SLICE_TO_VALUE;
    build(parse(&format!("{}{body}", asking(params, operands))))
}

fn count(function: Function, opcode: Opcode) -> usize {
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == opcode).count()
}

fn defined(module: Module) -> Vec<String> {
    module.functions().into_iter().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()
}

#[test]
fn operands_are_grouped_by_parameter() {
    let (params, operands) = ("sd8,mc,rd4,od8", "ptr %a, ptr %b, i64 %n, ptr %c, ptr %d, ptr %a, ptr %b, ptr %c");
    let program = parse(&format!("{}define void @thunk() {{ ret void }}", asking(params, operands)));
    let found = &requests::find(program).unwrap()[0];
    assert_eq!((found.request.line, found.thunk.name()), (7, "thunk".into()));
    let shape: Vec<(usize, bool)> = found.groups.iter().map(|g| (g.shadows.len(), g.length.is_some())).collect();
    assert_eq!(shape, [(1, true), (0, false), (1, false), (1, false)]);
}

#[test]
fn constants_are_found_through_debug_code() {
    // The thunk passes through a local, the text through `str::as_ptr`.
    let program = parse(
        r#"
@request = private constant [26 x i8] c"ct1|reverse|1|f|f.rs|7|3|\00"
define ptr @as_ptr(ptr %text, i64 %length) { ret ptr %text }
define void @thunk() { ret void }
define void @ask() {
  %local = alloca ptr
  store ptr @thunk, ptr %local
  %text = call ptr @as_ptr(ptr @request, i64 25)
  %thunk = load ptr, ptr %local
  call void (ptr, ptr, ...) @__ct_reverse(ptr %thunk, ptr %text)
  ret void
}"#,
    );
    assert_eq!(requests::find(program).unwrap()[0].thunk.name(), "thunk");
}

#[test]
fn a_thunk_that_is_not_constant_is_an_error_with_a_code() {
    let program = parse(
        r#"
define void @ask(ptr %thunk) {
  call void (ptr, ptr, ...) @__ct_reverse(ptr %thunk, ptr null)
  ret void
}"#,
    );
    let errors = requests::find(program).unwrap_err();
    assert_eq!(errors[0].code, Code::Request);
    assert!(errors[0].notes[0].contains("`ask`"), "{}", errors[0]);
}

#[test]
fn too_few_operands_are_an_error() {
    let program = parse(&format!("{}define void @thunk() {{ ret void }}", asking("sd8,od8", "ptr %a, ptr %b")));
    assert!(requests::find(program).unwrap_err()[0].message.contains("too few"));
}

#[test]
fn another_version_is_its_own_error() {
    let text = asking("", "i64 0").replace("ct1|", "ct9|");
    let program = parse(&format!("{text}define void @thunk() {{ ret void }}"));
    assert_eq!(requests::find(program).unwrap_err()[0].code, Code::Version);
}

#[test]
fn inner_requests_come_first() {
    // The thunk of the first call reaches the second call.
    let program = parse(
        r#"
@outer = private constant [30 x i8] c"ct1|reverse|1|outer|f.rs|7|3|\00"
@inner = private constant [30 x i8] c"ct1|reverse|1|inner|f.rs|7|3|\00"
define void @ask() {
  call void (ptr, ptr, ...) @__ct_reverse(ptr @thunk, ptr @outer)
  ret void
}
define void @thunk() { call void @middle() ret void }
define void @middle() {
  call void (ptr, ptr, ...) @__ct_reverse(ptr @leaf, ptr @inner)
  ret void
}
define void @leaf() { ret void }"#,
    );
    let found = requests::find(program).unwrap();
    let order: Vec<(&str, bool)> = found.iter().map(|f| (f.request.name.as_str(), f.inner)).collect();
    assert_eq!(order, [("inner", true), ("outer", false)]);
}

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
fn a_jump_into_a_loop_becomes_a_natural_loop() {
    let made = slice_thunk(
        r#"
declare void @keep(i64)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %one, label %two
one:
  %i = phi i64 [ 0, %start ], [ %k, %two ]
  call void @keep(i64 %i)
  %j = add i64 %i, 1
  %d = icmp ugt i64 %j, %n
  br i1 %d, label %done, label %two
two:
  %k = phi i64 [ 5, %start ], [ %j, %one ]
  call void @keep(i64 %k)
  %e = icmp ugt i64 %k, %n
  br i1 %e, label %done, label %one
done:
  ret void
}"#,
    );
    assert!(loops::is_reducible(made.root), "{}", made.module);
    assert_eq!(loops::loops(made.root).len(), 1);
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
fn a_function_pointer_that_becomes_known_is_followed() {
    // A vtable: `&dyn Fn` called after inlining.
    let made = slice_thunk(
        r#"
@table = private unnamed_addr constant <{ [8 x i8], ptr }> <{ [8 x i8] undef, ptr @square }>
define internal double @square(double %x) { %y = fmul double %x, %x ret double %y }
define internal double @apply(ptr %table, double %x) {
  %slot = getelementptr i8, ptr %table, i64 8
  %f = load ptr, ptr %slot
  %y = call double %f(double %x)
  ret double %y
}
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %v = load double, ptr %x
  %y = call double @apply(ptr @table, double %v)
  store double %y, ptr %r
  ret void
}"#,
    );
    assert_eq!((count(made.root, Opcode::LLVMFMul), count(made.root, Opcode::LLVMCall)), (1, 0));
}

#[test]
fn a_pointer_that_is_one_of_two_functions_is_both() {
    let made = slice_thunk(
        r#"
define internal double @square(double %x) { %y = fmul double %x, %x ret double %y }
define internal double @twice(double %x) { %y = fadd double %x, %x ret double %y }
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %c = icmp eq i64 %n, 0
  %f = select i1 %c, ptr @square, ptr @twice
  %v = load double, ptr %x
  %y = call double %f(double %v)
  store double %y, ptr %r
  ret void
}"#,
    );
    let opcodes = [Opcode::LLVMFMul, Opcode::LLVMFAdd, Opcode::LLVMCall].map(|o| count(made.root, o));
    assert_eq!(opcodes, [1, 1, 0], "{}", made.module);
}

/// A thunk that calls a method of `dyn Trait`, which takes a slice: what it finds in a vtable, and what the call says of the slice.
fn calling_a_method(methods: &str, alignment: u32) -> Module {
    let (params, operands) = SLICE_TO_VALUE;
    parse(&format!(
        r#"{}{methods}
@object = external global [2 x ptr]
define internal void @thunk(ptr %x, i64 %n, ptr %r) {{
  %self = load ptr, ptr @object
  %pair = getelementptr i8, ptr @object, i64 8
  %vtable = load ptr, ptr %pair
  %slot = getelementptr i8, ptr %vtable, i64 24
  %f = load ptr, ptr %slot, !invariant.load !0
  %y = call double %f(ptr %self, ptr align {alignment} %x, i64 %n)
  store double %y, ptr %r
  ret void
}}
!0 = !{{}}"#,
        asking(params, operands)
    ))
}

/// A type with a method for slices of some alignment, by number.
fn implementor(number: usize, alignment: u32) -> String {
    format!(
        "@vtable.{number} = private constant <{{ [24 x i8], ptr }}> <{{ [24 x i8] undef, ptr @method_{number} }}>\n\
         define double @method_{number}(ptr %self, ptr align {alignment} %x, i64 %n) {{\n  \
         %v = load double, ptr %x\n  ret double %v\n}}\n"
    )
}

/// How many calls there are in the table of a workshop, but for the end of the program.
fn calls_of_the_table(made: &workshop::Workshop) -> usize {
    count(made.module.function("ct.table.0").expect("a call through a pointer has a table"), Opcode::LLVMCall) - 1
}

#[test]
fn methods_with_a_model_are_one_in_a_table_however_many_they_are() {
    let methods: String = (0..200).map(|number| implementor(number, 8)).collect();
    let model = "define double @model(ptr %method, ptr %self, ptr align 8 %x, i64 %n) { ret double 0.0 }\n";
    let patterns = (0..200).map(|number| ModelPattern::Symbol(format!("method_{number}"))).collect();
    let entry = Entry { patterns, symbols: vec!["model".to_owned()] };
    let model_of_all = Model { title: "methods".to_owned(), note: "", entries: vec![entry] };
    let program = calling_a_method(&format!("{methods}{}{model}", implementor(200, 8)), 8);
    let made = build_with(program, &mut NoBodies, &no_rules().with_models(vec![model_of_all]));
    // The model, and the method that has none.
    assert_eq!(calls_of_the_table(&made), 2, "{}", made.module);
}

#[test]
fn methods_for_slices_of_other_floats_are_not_meant() {
    let methods: String = (0..3).map(|number| implementor(number, if number == 1 { 4 } else { 8 })).collect();
    let table = |alignment| calls_of_the_table(&build(calling_a_method(&methods, alignment)));
    assert_eq!((table(8), table(4)), (2, 1));
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

/// `for i in 0..n { out[i] = x[i] / mag(x) }`, with `mag` a loop of its own.
const NORM: &str = r#"
define internal double @mag(ptr noalias readonly %x, i64 %n) {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %body ]
  %s = phi double [ 0.0, %start ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %t = fadd double %s, %w
  %j = add nuw nsw i64 %i, 1
  br label %head
done:
  ret double %s
}
define internal void @norm(ptr noalias readonly %x, i64 %n, ptr noalias %out) {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %m = call double @mag(ptr %x, i64 %n)
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fdiv double %v, %m
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %j = add nuw nsw i64 %i, 1
  br label %head
done:
  ret void
}
define internal void @thunk(ptr %x, i64 %n, ptr %out, i64 %m) {
  call void @norm(ptr %x, i64 %n, ptr %out)
  ret void
}"#;

#[test]
fn a_call_that_is_the_same_in_every_iteration_leaves_the_loop() {
    let operands = "ptr %a, ptr %b, i64 %n, ptr %c, ptr %d, i64 %n";
    let made = build(parse(&format!("{}{NORM}", asking("sd8,td8", operands))));
    let found = loops::loops(made.root);
    assert_eq!(found.len(), 2, "both loops are inlined");
    assert!(
        !found[0].blocks.contains(&found[1].header) && !found[1].blocks.contains(&found[0].header),
        "and not nested"
    );
}

#[test]
fn every_loop_counts_and_knows_its_count_before_it() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %end = getelementptr inbounds double, ptr %x, i64 %n
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %loop
loop:
  %p = phi ptr [ %x, %start ], [ %q, %loop ]
  %s = phi double [ 0.0, %start ], [ %t, %loop ]
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %q = getelementptr inbounds double, ptr %p, i64 1
  %last = icmp eq ptr %q, %end
  br i1 %last, label %done, label %loop
done:
  %y = phi double [ 0.0, %start ], [ %t, %loop ]
  store double %y, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    made.module.verify().unwrap();
    let [counter] = counters.loops[..] else { panic!("one loop: {counters}") };
    let header = counter.header.instructions();
    let phis = header.iter().filter(|i| i.opcode() == Opcode::LLVMPHI).count();
    assert_eq!(phis, 2, "the pointer is expressed by the counter:\n{}", made.module);
    let count = counter.count.expect("a closed form");
    assert!(!counter.header.instructions().contains(&count));
    // The join behind the loop knows whether the loop was entered.
    assert_eq!(counters.selectors.len(), 1);
    assert!(counters.of(counters.selectors[0].0).is_none() && counters.selector(counters.selectors[0].0).is_some());
    let left: Vec<String> =
        made.module.functions().into_iter().map(|f| f.name()).filter(|n| n.contains("probe")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_exit_that_depends_on_data_leaves_the_count_open() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %stop = fcmp olt double %v, 0.0
  br i1 %stop, label %done, label %next
next:
  %j = add nuw i64 %i, 1
  %end = icmp eq i64 %j, %n
  br i1 %end, label %done, label %loop
done:
  store double %v, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    assert!(counters.loops.len() == 1 && counters.loops[0].count.is_none(), "{counters}");
}

#[test]
fn an_exit_to_a_panic_does_not_hide_the_count() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %s = phi double [ 0.0, %start ], [ %t, %next ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %bad = fcmp olt double %v, 0.0
  br i1 %bad, label %complain, label %next
next:
  %t = fadd double %s, %v
  %j = add nuw i64 %i, 1
  %end = icmp eq i64 %j, 1000
  br i1 %end, label %done, label %loop
complain:
  call void @panic()
  unreachable
done:
  store double %t, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    made.module.verify().unwrap();
    assert_eq!(counters.loops[0].count.and_then(|c| c.as_u64()), Some(999), "{counters}");
    assert_eq!(count(made.root, Opcode::LLVMFCmp), 1, "the check itself is still there");
}

#[test]
fn loops_over_small_arrays_are_written_out() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %a = alloca [3 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %q
  %j = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %j, 3
  br i1 %end, label %done, label %loop
done:
  %s = getelementptr inbounds double, ptr %a, i64 2
  %y = load double, ptr %s
  store double %y, ptr %r
  ret void
}"#,
    );
    assert_eq!((made.root.blocks().len(), count(made.root, Opcode::LLVMAlloca)), (1, 0));
}

#[test]
fn positions_lead_through_inlined_code_to_the_users_line() {
    let (params, operands) = SLICE_TO_VALUE;
    let program = parse(&format!(
        "{}{}",
        asking(params, operands),
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) !dbg !4 {
  %v = load double, ptr %x, !dbg !7
  %y = fmul double %v, %v, !dbg !8
  store double %y, ptr %r
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!10}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "src/model.rs", directory: "/home/user/crate")
!2 = !DIFile(filename: "/rustc/abc/library/std/src/f64.rs", directory: "")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "thunk", scope: !1, file: !1, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "powi", scope: !2, file: !2, line: 100, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DILocation(line: 14, column: 13, scope: !4)
!7 = !DILocation(line: 12, column: 5, scope: !4)
!8 = !DILocation(line: 101, column: 9, scope: !5, inlinedAt: !6)
!10 = !{i32 2, !"Debug Info Version", i32 3}
"#
    ));
    let found = requests::find(program).unwrap();
    let made = workshop::build(program, &found[0], &mut NoBodies, &no_rules(), 0).unwrap();
    let instruction = |opcode| {
        let mut all = made.root.blocks().into_iter().flat_map(|b| b.instructions());
        all.find(|i| i.opcode() == opcode).unwrap()
    };
    let (span, notes) = diag::locate(instruction(Opcode::LLVMFMul), &found[0].request);
    assert_eq!(span.to_string(), "src/model.rs:14:13");
    assert_eq!(notes, ["in std/src/f64.rs:101:9, inlined here"]);
    let (span, notes) = diag::locate(instruction(Opcode::LLVMStore), &found[0].request);
    assert_eq!(span.to_string(), "src/model.rs:14:13");
    assert!(notes[0].starts_with("somewhere in `f`"));
}

#[test]
fn a_request_without_a_place_has_that_of_the_users_function() {
    // The closure API: its thunk stands in a library and calls the user's closure through another function of the library.
    let text = "ct1|reverse|1|closure||0|0|";
    let program = parse(&format!(
        "@request = private constant [{} x i8] c\"{text}\\00\"\n{}",
        text.len() + 1,
        r#"
define void @ask() {
  call void (ptr, ptr, ...) @__ct_reverse(ptr @thunk, ptr @request)
  ret void
}
define internal void @thunk() !dbg !4 { call void @forward(), !dbg !7 ret void }
define internal void @forward() !dbg !5 { call void @closure(), !dbg !8 ret void }
define internal void @closure() !dbg !6 { ret void }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!10}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "src/main.rs", directory: "/home/user/crate")
!2 = !DIFile(filename: "/home/user/.cargo/registry/src/index/cotangent-0.1.0/src/closure.rs", directory: "/home/user/crate")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "thunk", scope: !2, file: !2, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "forward", scope: !2, file: !2, line: 9, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DISubprogram(name: "closure", scope: !1, file: !1, line: 5, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 4, column: 5, scope: !4)
!8 = !DILocation(line: 10, column: 5, scope: !5)
!10 = !{i32 2, !"Debug Info Version", i32 3}
"#
    ));
    let request = &requests::find(program).unwrap()[0].request;
    assert_eq!((request.file.as_str(), request.line), ("src/main.rs", 5));
}

#[test]
fn a_continue_makes_no_loop_inside_the_loop() {
    // `while i < n { i += 1; if v < 0.0 { continue } sum += sin(v) }`: the sum stays as it is along one of two ways back.
    let made = slice_thunk(
        r#"
declare double @sin(double)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ], [ %next, %take ]
  %s = phi double [ 0.0, %entry ], [ %s, %body ], [ %t, %take ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %next = add nuw i64 %i, 1
  %negative = fcmp olt double %v, 0.0
  br i1 %negative, label %head, label %take
take:
  %y = call double @sin(double %v)
  %t = fadd double %s, %y
  br label %head
exit:
  store double %s, ptr %r
  ret void
}"#,
    );
    assert_eq!(loops::loops(made.root).len(), 1);
    let counters = canonical::prepare(made.module, made.root).unwrap();
    assert!(counters.loops[0].count.is_some(), "{counters}");
}

/// What rustc writes for a `match` on enums: two variants, several, one in a capacity, one in a pointer; a flag and a number.
const VARIANTS: &str = r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
  %two = load i64, ptr %x
  %is.two = trunc nuw i64 %two to i1
  br i1 %is.two, label %a, label %end
a:
  %p.all = getelementptr i8, ptr %x, i64 8
  %all = load i32, ptr %p.all
  switch i32 %all, label %never [ i32 0, label %b  i32 1, label %end  i32 2, label %end ]
b:
  %p.capacity = getelementptr i8, ptr %x, i64 16
  %capacity = load i64, ptr %p.capacity
  %none = icmp eq i64 %capacity, -9223372036854775808
  br i1 %none, label %c, label %end
c:
  %p.pointer = getelementptr i8, ptr %x, i64 24
  %pointer = load ptr, ptr %p.pointer
  %address = ptrtoint ptr %pointer to i64
  %null = icmp eq i64 %address, 0
  %number = select i1 %null, i64 0, i64 1
  %is.some = trunc nuw i64 %number to i1
  br i1 %is.some, label %d, label %end
d:
  %p.flag = getelementptr i8, ptr %x, i64 32
  %flag = load i8, ptr %p.flag
  %is.flag = trunc nuw i8 %flag to i1
  br i1 %is.flag, label %e, label %end
e:
  %p.count = getelementptr i8, ptr %x, i64 40
  %count = load i64, ptr %p.count
  %is.zero = icmp eq i64 %count, 0
  br i1 %is.zero, label %end, label %last
last:
  store double 1.0, ptr %r
  ret void
never:
  unreachable
end:
  ret void
}"#;

#[test]
fn loads_that_tell_a_variant_are_marked_and_others_are_not() {
    use cotangent_engine::ir::tag::Tag;
    let made = slice_thunk(VARIANTS);
    let loads =
        made.root.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == Opcode::LLVMLoad);
    let marks: Vec<(String, Option<Tag>)> = loads.map(|load| (load.name(), Tag::of(load))).collect();
    let expected = [
        ("two", Some(Tag::Direct)),
        ("all", Some(Tag::Direct)),
        ("capacity", Some(Tag::Niche)),
        ("pointer", Some(Tag::Null)),
        ("flag", None),
        ("count", None),
    ];
    assert_eq!(marks, expected.map(|(name, tag)| (name.to_owned(), tag)));
}
