; test memory rd8,md
; `@made` builds a struct of two pointers and copies it to where its caller wants it: each of them lies where it lay.
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64)
define internal void @made(ptr %out, double %v) noinline {
  %s = alloca [16 x i8]
  %n = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 8)
  store i64 7, ptr %n
  %d = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 8)
  store double %v, ptr %d
  store ptr %n, ptr %s
  %q = getelementptr i8, ptr %s, i64 8
  store ptr %d, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %s, i64 16, i1 false)
  ret void
}
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [24 x i8]
  %c = getelementptr i8, ptr %a, i64 8
  %v = load double, ptr %x
  call void @made(ptr %c, double %v)
  %n = load ptr, ptr %c
  %b = getelementptr i8, ptr %a, i64 16
  %d = load ptr, ptr %b
  %u = load double, ptr %d
  %i = load i64, ptr %n
  %j = add i64 %i, 1
  store i64 %j, ptr %n
  store double %u, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0
; stack %a: ptr at 8, ptr at 16 -> heap `call void @made(ptr %c, double %v)`, heap `call void @made(ptr %c, double %v)`
; heap `call void @made(ptr %c, double %v)`: i64 at 0
; heap `call void @made(ptr %c, double %v)`: f64 at 0
; %a -> stack %a
; %c -> stack %a
; %n -> heap `call void @made(ptr %c, double %v)`
; %b -> stack %a
; %d -> heap `call void @made(ptr %c, double %v)`
