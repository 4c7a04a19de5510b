; test memory rd8,md,od8
; A function that calls itself: what one call does, all do. `@walk` goes along a list and stores nothing.
define internal double @walk(ptr %p) noinline {
entry:
  %next = load ptr, ptr %p
  %end = icmp eq ptr %next, null
  br i1 %end, label %stop, label %on
on:
  %v = call double @walk(ptr %next)
  ret double %v
stop:
  %at = getelementptr i8, ptr %p, i64 8
  %w = load double, ptr %at
  ret double %w
}
define void @f(ptr %x, ptr %list, ptr %r) {
entry:
  %a = alloca ptr
  store ptr %x, ptr %a
  %v = call double @walk(ptr %list)
  %p = load ptr, ptr %a
  %u = load double, ptr %p
  %s = fadd double %u, %v
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%list: ptr at 0, f64 at 8 -> **%list, *%list->0
; *%r: f64 at 0, f64 at 0+8k
; stack %a: ptr at 0 -> *%x
; *%list->0:  -> *%list->0->0+1k, *%list->0->0, escapes
; *%list->0->0+1k:  -> *%list->0, *%list->0->0+1k, *%list->0->0, *%list->0->0->0, escapes
; *%list->0->0:  -> *%list->0->0+1k, *%list->0->0->0, escapes
; *%list->0->0->0:  -> *%list->0->0+1k, escapes
; %a -> stack %a
; %p -> *%x
; *%list->0 may overlap: *%list->0->0+1k, *%list->0->0, *%list->0->0->0
; *%list->0->0+1k may overlap: *%list->0->0, *%list->0->0->0
; *%list->0->0 may overlap: *%list->0->0->0
