; test memory rd8,rd8,rc,od8
; A pointer that is decided by data points to both.
define void @f(ptr %x, ptr %y, ptr %which, ptr %r) {
entry:
  %w = load i8, ptr %which
  %c = icmp eq i8 %w, 0
  %p = select i1 %c, ptr %x, ptr %y
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%y: f64 at 0, f64 at 0+8k
; *%which: i8 at 0
; *%r: f64 at 0, f64 at 0+8k
; %p -> *%x, *%y
