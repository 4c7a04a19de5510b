; test memory rd8,md
; `@inner` is given a local in which the argument of `@outer` lies, and looks anywhere in what that leads to: so does `@outer`.
define internal void @inner(ptr %env, ptr %to, i64 %i) noinline {
  %s = load ptr, ptr %env
  %q = getelementptr i8, ptr %s, i64 %i
  %p = load ptr, ptr %q
  store ptr %p, ptr %to
  ret void
}
define internal void @outer(ptr %a, ptr %to, i64 %i) noinline {
  %env = alloca ptr
  store ptr %a, ptr %env
  call void @inner(ptr %env, ptr %to, i64 %i)
  ret void
}
define void @f(ptr %x, ptr %r) {
entry:
  %one = alloca double
  %two = alloca double
  %both = alloca [16 x i8]
  %out = alloca ptr
  store ptr %one, ptr %both
  %second = getelementptr i8, ptr %both, i64 8
  store ptr %two, ptr %second
  %v = load double, ptr %x
  %i = fptosi double %v to i64
  call void @outer(ptr %both, ptr %out, i64 %i)
  %w = load ptr, ptr %out
  store double %v, ptr %one
  store double %v, ptr %two
  %u = load double, ptr %w
  store double %u, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0
; stack %one: f64 at 0
; stack %two: f64 at 0
; stack %both: ptr at 0, ptr at 8 -> stack %one, stack %two
; stack %out: ptr at 0 -> stack %one, stack %two
; %one -> stack %one
; %two -> stack %two
; %both -> stack %both
; %out -> stack %out
; %second -> stack %both
; %w -> stack %one, stack %two
