; test memory rd8,od
; The address of a block is left behind in the result: it escapes.
declare ptr @__rust_alloc(i64, i64)
define void @f(ptr %x, ptr %r) {
entry:
  %kept = call ptr @__rust_alloc(i64 8, i64 8)
  %v = load double, ptr %x
  store double %v, ptr %kept
  store ptr %kept, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: ptr at 0 -> **%r, heap %kept
; heap %kept: f64 at 0, escapes
; %kept -> heap %kept
