; test memory rd,rd,od8
; Of two `&T` with who knows what inside, either may be changed through the other.
define void @f(ptr %x, ptr %y, ptr %r) {
entry:
  %v = load double, ptr %x
  %w = load double, ptr %y
  %s = fadd double %v, %w
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0
; *%y: f64 at 0
; *%r: f64 at 0, f64 at 0+8k
; *%x may overlap: *%y
