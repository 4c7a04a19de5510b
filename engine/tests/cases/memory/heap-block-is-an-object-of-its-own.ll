; test memory rd8,od8
; What an allocator returns overlaps with nothing; a copy makes cells known on both sides.
declare ptr @__rust_alloc(i64, i64)
declare void @__rust_dealloc(ptr, i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %r) {
entry:
  %block = call ptr @__rust_alloc(i64 8, i64 8)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 8, i1 false)
  %v = load double, ptr %block
  store double %v, ptr %r
  call void @__rust_dealloc(ptr %block, i64 8, i64 8)
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; heap %block: f64 at 0, f64 at 0+8k
; %block -> heap %block
