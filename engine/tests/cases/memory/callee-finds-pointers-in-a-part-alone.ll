; test memory rd8,md
; `@move` is given the second of two fields: what the first one leads to is nothing to it.
define internal void @move(ptr %from, ptr %to) noinline {
  %p = load ptr, ptr %from
  %w = load ptr, ptr %p
  store ptr %w, ptr %to
  ret void
}
define void @f(ptr %x, ptr %r) {
entry:
  %one = alloca double
  %two = alloca ptr
  %three = alloca i64
  %both = alloca [16 x i8]
  %out = alloca ptr
  store ptr %one, ptr %both
  %second = getelementptr i8, ptr %both, i64 8
  store ptr %two, ptr %second
  store ptr %three, ptr %two
  call void @move(ptr %second, ptr %out)
  %w = load ptr, ptr %out
  store i64 1, ptr %w
  %v = load double, ptr %x
  store double %v, ptr %one
  %u = load double, ptr %one
  store double %u, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0
; stack %one: f64 at 0
; stack %two: ptr at 0 -> stack %three
; stack %three: i64 at 0
; stack %both: ptr at 0, ptr at 8 -> stack %one, stack %two
; stack %out: ptr at 0 -> stack %three
; %one -> stack %one
; %two -> stack %two
; %three -> stack %three
; %both -> stack %both
; %out -> stack %out
; %second -> stack %both
; %w -> stack %three
