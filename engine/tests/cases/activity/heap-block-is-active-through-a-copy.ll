; test activity sd8,od8
; `to_vec`: the block's contents come by `memcpy`, so the block is active and has a shadow.
declare ptr @__rust_alloc(i64, i64)
declare void @__rust_dealloc(ptr, i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %bytes = shl nuw i64 %n, 3
  %block = call ptr @__rust_alloc(i64 %bytes, i64 8)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 %bytes, i1 false)
  %v = load double, ptr %block
  store double %v, ptr %r
  call void @__rust_dealloc(ptr %block, i64 %bytes, i64 8)
  ret void
}
; expect:
; active: %v
; active memory: *%x, *%r, heap %block
; with shadow: %block
; shadowed memory: heap %block
