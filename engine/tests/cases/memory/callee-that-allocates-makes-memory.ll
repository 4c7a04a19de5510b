; test memory rd8,od8
; What a callee allocates and returns is one object of the call's; what it is given is no part of that.
declare noalias ptr @malloc(i64)
define internal ptr @make(ptr %x) noinline {
  %v = load double, ptr %x
  %p = call ptr @malloc(i64 8)
  store double %v, ptr %p
  ret ptr %p
}
define void @f(ptr %x, ptr %r) {
entry:
  %p = call ptr @make(ptr %x)
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; heap %p: f64 at 0
; %p -> heap %p
