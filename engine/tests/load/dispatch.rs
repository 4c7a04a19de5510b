//! Calls through pointers.

use crate::{SLICE_TO_VALUE, asking, build, build_with, count, no_rules, parse, slice_thunk};
use cotangent_engine::llvm::{Function, Module, Opcode};
use cotangent_engine::load::workshop;
use cotangent_engine::rule::{Entry, Known, Model, ModelPattern};
use cotangent_engine::{Bodies, Config, NoBodies, differentiate};

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
    calling_a_method_of("ptr", "thunk", methods, alignment)
}

/// The same, where the object is handed as so, by a function of some name.
fn calling_a_method_of(object: &str, within: &str, methods: &str, alignment: u32) -> Module {
    let (params, operands) = SLICE_TO_VALUE;
    parse(&format!(
        r#"{}{methods}
@object = external global [2 x ptr]
define internal void @thunk(ptr %x, i64 %n, ptr %r) !dbg !3 {{
  %self = load ptr, ptr @object
  %pair = getelementptr i8, ptr @object, i64 8
  %vtable = load ptr, ptr %pair
  %slot = getelementptr i8, ptr %vtable, i64 24
  %f = load ptr, ptr %slot, !invariant.load !0
  %y = call double %f({object} %self, ptr align {alignment} %x, i64 %n), !dbg !4
  store double %y, ptr %r
  ret void
}}
!llvm.dbg.cu = !{{!1}}
!llvm.module.flags = !{{!6}}
!0 = !{{}}
!1 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "f.rs", directory: "/")
!3 = distinct !DISubprogram(name: "{within}", scope: !2, file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
!5 = !DISubroutineType(types: !0)
!6 = !{{i32 2, !"Debug Info Version", i32 3}}"#,
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
fn what_takes_its_object_by_value_is_not_meant_where_a_reference_is_handed() {
    let shim = |name: &str| {
        format!(
            "@closure = private constant <{{ [24 x i8], ptr }}> <{{ [24 x i8] undef, ptr @\"{name}\" }}>\n\
             define double @\"{name}\"(ptr %self, ptr align 8 %x, i64 %n) {{ ret double 0.0 }}\n"
        )
    };
    let older = "_ZN4core3ops8function6FnOnce40call_once$u7b$$u7b$vtable.shim$u7d$$u7d$17h80887c85c489a363E";
    let newer =
        "_RNSvYNCNvCsbPKDRTB1qCz_4shim4main0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceTlEE9call_once6vtableB8_";
    let table = |name: &str, object: &str, within: &str| {
        let methods = format!("{}{}", implementor(0, 8), shim(name));
        calls_of_the_table(&build(calling_a_method_of(object, within, &methods, 8)))
    };
    for name in [older, newer] {
        assert_eq!((table(name, "ptr align 1", "thunk"), table(name, "ptr", "thunk")), (1, 2), "{name}");
        // What a box with a closure is handed to knows how the box is aligned, and LLVM says so of the closure when it inlines.
        assert_eq!(table(name, "ptr align 1", "call_once<(f64), dyn FnOnce(f64) -> f64>"), 2, "{name}");
    }
    assert_eq!(table("a_method", "ptr align 1", "thunk"), 2);
}

#[test]
fn what_starts_a_program_is_meant_by_no_call() {
    // `main` is called through an object of std's that has its method where a method of the user's has it.
    let start = |name: &str| {
        format!(
            "@start = private constant <{{ [24 x i8], ptr }}> <{{ [24 x i8] undef, ptr @{name} }}>\n\
             define double @{name}(ptr %self, ptr align 8 %x, i64 %n) {{ ret double 0.0 }}\n"
        )
    };
    let table = |name: &str| {
        let program = calling_a_method(&format!("{}{}", implementor(0, 8), start(name)), 8);
        calls_of_the_table(&build_with(
            program,
            &mut NoBodies,
            &no_rules().with_known(Known::Start, &["std::rt::lang_start"]),
        ))
    };
    assert_eq!(table("_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h7e3f5e6d56678dc3E"), 1);
    assert_eq!(table("_ZN3std2rt10lang_other28_$u7b$$u7b$closure$u7d$$u7d$17h7e3f5e6d56678dc3E"), 2);
}

/// How many functions are meant by a call of a function pointer that comes from outside, where the program has two and its own start.
fn meant_by_a_pointer(starts: &str, place: &str) -> usize {
    let (params, operands) = SLICE_TO_VALUE;
    let program = parse(&format!(
        r#"{}
@pointer = external global ptr
define void @first(ptr sret([3 x double]) %r, i64 %i) {{ store double 1.0, ptr %r ret void }}
define void @second(ptr %r, i64 %i) {{ store double 1.0, ptr %r ret void }}
define void @start(ptr %r, i64 %i) {{ store double 1.0, ptr %r ret void }}
define void @_ZN3std2rt10lang_start17h7e3f5e6d56678dc3E(ptr %f) {{ ret void }}
declare void @keep(ptr)
define void @{starts}() {{
  call void @_ZN3std2rt10lang_start17h7e3f5e6d56678dc3E(ptr @start)
  ret void
}}
define void @mentions() {{
  call void @keep(ptr @first)
  call void @keep(ptr @second)
  ret void
}}
define internal void @thunk(ptr %x, i64 %n, ptr %r) {{
  %f = load ptr, ptr @pointer
  call void %f(ptr {place} %r, i64 0)
  ret void
}}"#,
        asking(params, operands)
    ));
    let registry = no_rules().with_known(Known::Start, &["std::rt::lang_start"]);
    calls_of_the_table(&build_with(program, &mut NoBodies, &registry))
}

#[test]
fn a_function_that_only_the_start_is_handed_is_meant_by_no_call() {
    assert_eq!((meant_by_a_pointer("main", ""), meant_by_a_pointer("other", "")), (1, 2));
}

#[test]
fn functions_with_a_place_for_their_result_are_meant_by_calls_with_one() {
    assert_eq!((meant_by_a_pointer("main", "sret([3 x double])"), meant_by_a_pointer("main", "")), (1, 1));
}

/// Bodies of a program of which the module has a part.
struct InPart;

impl Bodies for InPart {
    fn find(&mut self, _: &str) -> Option<Function> {
        None
    }

    fn has_all(&self) -> bool {
        false
    }
}

/// How many methods are meant by a call of one out of the function's own vtables, of which there are two, while the program has three: what else the
/// function reads, and the declarations for that.
fn meant_beside(declarations: &str, reads: &str, request: (&str, &str), params: &str) -> usize {
    let registry = no_rules().with_known(Known::OwnState, &["std"]);
    let methods: String = (0..3).map(|number| implementor(number, 8)).collect();
    let asked = asking(request.0, request.1);
    let program = parse(&format!(
        r#"{asked}{methods}{declarations}
@vtables = private constant [2 x ptr] [ptr @vtable.0, ptr @vtable.1]
define internal void @thunk({params}) {{
  %place = getelementptr [2 x ptr], ptr @vtables, i64 0, i64 %n
  %vtable = load ptr, ptr %place
  %slot = getelementptr i8, ptr %vtable, i64 24
  %f = load ptr, ptr %slot, !invariant.load !0
  {reads}
  %y = call double %f(ptr %x, ptr align 8 %x, i64 %n)
  store double %y, ptr %r
  ret void
}}
!0 = !{{}}"#
    ));
    calls_of_the_table(&build_with(program, &mut NoBodies, &registry))
}

#[test]
fn methods_of_others_are_meant_only_where_an_object_can_come_from_outside() {
    let of_floats =
        |declarations: &str, reads: &str| meant_beside(declarations, reads, SLICE_TO_VALUE, "ptr %x, i64 %n, ptr %r");
    assert_eq!(of_floats("", ""), 2);
    let state = |symbol: &str, ty: &str| {
        of_floats(&format!("@{symbol} = external global {ty}\n"), &format!("%state = load volatile i8, ptr @{symbol}"))
    };
    assert_eq!(state("counter", "i32"), 2, "no pointer has room");
    assert_eq!(state("_RNvNtCs9ltgdHTiPiY_3std6thread4HOOK", "[2 x ptr]"), 2, "the registry knows it");
    assert_eq!(state("pointer", "i64"), 3);
    assert_eq!(state("objects", "[2 x ptr]"), 3);
    let handed = |reads: &str| {
        let request = ("sd8,vc,od8", "ptr %a, ptr %b, i64 %n, ptr %c, ptr %c, ptr %d");
        meant_beside("", reads, request, "ptr %x, i64 %n, ptr %o, ptr %r")
    };
    assert_eq!(handed("%object = load volatile ptr, ptr %o"), 3);
    assert_eq!(handed("%number = load volatile i32, ptr %o"), 2);
}

#[test]
fn the_rest_of_the_program_is_asked_for_where_a_pointer_may_lead_there_and_nowhere_else() {
    let asks = |bodies: &mut dyn Bodies, program: Module| {
        differentiate(program, bodies, &no_rules(), &Config::default(), None).unwrap().wants_all
    };
    let method = || calling_a_method(&implementor(0, 8), 8);
    assert!(asks(&mut InPart, method()));
    assert!(!asks(&mut NoBodies, method()));
    let unknown = || calling_a_method("", 8);
    assert!(asks(&mut InPart, unknown()));
    assert!(differentiate(unknown(), &mut NoBodies, &no_rules(), &Config::default(), None).is_err());
    let (params, operands) = SLICE_TO_VALUE;
    let text = "define internal void @thunk(ptr %x, i64 %n, ptr %r) {\n  %v = load double, ptr %x\n  \
                store double %v, ptr %r\n  ret void\n}\n";
    assert!(!asks(&mut InPart, parse(&format!("{}{text}", asking(params, operands)))));
}

/// Whether a call has a table of a function that stands in a static, where a method of `functions` fits it.
fn has_table_of_static(functions: &str, ty: &str, call: &str) -> bool {
    let program = parse(&format!(
        r#"{}{functions}
@lazy = global {{ i64, ptr }} {{ i64 0, ptr @make }}
@other = private constant [1 x ptr] [ptr @make]
define internal void @thunk(ptr %x, i64 %n, ptr %r) {{
  %made = alloca [2 x i64]
  %f = load ptr, ptr getelementptr inbounds (i8, ptr @lazy, i64 8)
  %v = load double, ptr %x
  call {ty} %f({call})
  %y = load double, ptr %made
  %z = fmul double %y, %v
  store double %z, ptr %r
  ret void
}}"#,
        asking(SLICE_TO_VALUE.0, SLICE_TO_VALUE.1)
    ));
    build(program).module.function("ct.table.0").is_some()
}

#[test]
fn what_a_lazy_static_calls_makes_constants_and_needs_no_table() {
    let constant = "define void @make(ptr sret([2 x i64]) %made) {\n  store double 2.0, ptr %made\n  ret void\n}\n";
    assert!(!has_table_of_static(constant, "void", "ptr sret([2 x i64]) %made"));
    let handed = "define void @make(ptr %made) {\n  store double 2.0, ptr %made\n  ret void\n}\n";
    assert!(has_table_of_static(handed, "void", "ptr %made"), "what it is handed may be active");
}
