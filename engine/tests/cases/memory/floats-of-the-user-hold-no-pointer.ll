; test memory rd8,od8
; No pointer is found in what the request says to be floats, so that the memory of a vector that is filled from there leads nowhere.
declare ptr @__rust_alloc(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %r) {
entry:
  %block = call ptr @__rust_alloc(i64 8, i64 8)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 8, i1 false)
  %p = load ptr, ptr %block
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: ptr at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; heap %block: ptr at 0, f64 at 0+8k
; %block -> heap %block
