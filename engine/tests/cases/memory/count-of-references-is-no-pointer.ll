; test memory rd8,md,od8
; `Rc` counts beside pointers. A count that goes up by one is stored where pointers lie, and makes none of them point anywhere else.
define internal void @release(ptr %rc) noinline {
  %box = load ptr, ptr %rc
  %n = load i64, ptr %box
  %m = add i64 %n, -1
  store i64 %m, ptr %box
  ret void
}
define void @f(ptr %x, ptr %rc, ptr %r) {
entry:
  %a = alloca ptr
  %b = alloca { i64, ptr }
  store ptr %b, ptr %a
  %at = getelementptr i8, ptr %b, i64 8
  store ptr %x, ptr %at
  call void @release(ptr %a)
  %p = load ptr, ptr %at
  %u = load double, ptr %p
  store double %u, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; stack %a: ptr at 0 -> stack %b
; stack %b: ptr at 8 -> *%x
; %a -> stack %a
; %b -> stack %b
; %at -> stack %b
; %p -> *%x
