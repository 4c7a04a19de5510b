; test memory rd8,md
; `@both` makes a block of numbers and one of floats: its caller has two blocks, and finds no float in the first.
declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64)
define internal void @both(ptr %out, double %v) noinline {
  %n = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 8)
  store i64 7, ptr %n
  %d = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 8)
  store double %v, ptr %d
  store ptr %n, ptr %out
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
; stack %a: ptr at 0, ptr at 8 -> heap `call void @both(ptr %a, double %v)`, heap `call void @both(ptr %a, double %v)`
; heap `call void @both(ptr %a, double %v)`: i64 at 0
; heap `call void @both(ptr %a, double %v)`: f64 at 0
; %a -> stack %a
; %n -> heap `call void @both(ptr %a, double %v)`
; %b -> stack %a
; %d -> heap `call void @both(ptr %a, double %v)`
