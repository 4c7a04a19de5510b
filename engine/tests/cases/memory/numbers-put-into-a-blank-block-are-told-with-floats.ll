; test memory rd8,md
; `@blank` makes a block of which nothing is known, and `@both` puts a number there: floats may lie between the numbers. So it is one with the block of a number and a float.
declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64)
define internal void @blank(ptr %out) noinline {
  %n = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 16, i64 8)
  store ptr %n, ptr %out
  ret void
}
define internal void @both(ptr %out, double %v) noinline {
  call void @blank(ptr %out)
  %n = load ptr, ptr %out
  store i64 7, ptr %n
  %d = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 16, i64 8)
  store i64 7, ptr %d
  %e = getelementptr i8, ptr %d, i64 8
  store double %v, ptr %e
  %q = getelementptr i8, ptr %out, i64 8
  store ptr %d, ptr %q
  ret void
}
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [16 x i8]
  %v = load double, ptr %x
  call void @both(ptr %a, double %v)
  %n = load ptr, ptr %a
  %b = getelementptr i8, ptr %a, i64 8
  %d = load ptr, ptr %b
  %e = getelementptr i8, ptr %d, i64 8
  %u = load double, ptr %e
  store double %u, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0
; stack %a: ptr at 0, ptr at 8 -> heap `call void @both(ptr %a, double %v)`
; heap `call void @both(ptr %a, double %v)`: f64 at 8
; %a -> stack %a
; %n -> heap `call void @both(ptr %a, double %v)`
; %b -> stack %a
; %d -> heap `call void @both(ptr %a, double %v)`
; %e -> heap `call void @both(ptr %a, double %v)`
