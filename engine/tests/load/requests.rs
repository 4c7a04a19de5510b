//! What a request says and asks for, and where it stands.

use crate::{SLICE_TO_VALUE, asking, no_rules, parse};
use cotangent_engine::NoBodies;
use cotangent_engine::diag::{self, Code};
use cotangent_engine::llvm::Opcode;
use cotangent_engine::load::layout::Detail;
use cotangent_engine::load::survey::Survey;
use cotangent_engine::load::{requests, workshop};

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
    let made = workshop::build(&Survey::new(program, &no_rules()), &found[0], &mut NoBodies, 0, Detail::Plain).unwrap();
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
