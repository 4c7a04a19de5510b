; test error reverse rd8,od8
; The error stands at the user's line and column, not at the request's.
declare double @vendor_norm(double)
define void @f(ptr %x, ptr %r) !dbg !4 {
entry:
  %v = load double, ptr %x, !dbg !7
  %y = call double @vendor_norm(double %v), !dbg !8
  store double %y, ptr %r, !dbg !7
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, producer: "rustc", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "src/model.rs", directory: "/home/user/model")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 2, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 12, type: !5, scopeLine: 12, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 13, column: 9, scope: !4)
!8 = !DILocation(line: 14, column: 13, scope: !4)
; expect:
; error[CT0201]: cannot differentiate the call to `vendor_norm`
;   --> src/model.rs:14:13
;    |
;    = note: there is no body of this function, and no rule for reverse mode; an active value goes in
;    = note: active, since it depends on argument 1, by way of src/model.rs:13:9
;    = note: and the result depends on it, by way of src/model.rs:13:9
;    = note: the derivative of `f` is asked for at src/f.rs:7
;    = help: give it a rule with `derivative_rule!`, or keep active values out of the call
;    = note: for more, run `cargo cotangent explain CT0201`
