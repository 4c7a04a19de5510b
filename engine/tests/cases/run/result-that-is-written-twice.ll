; test run rd8,od8
; The first of two stores into the result has no derivative.
; in %x = 1.5
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  store double %v, ptr %r
  %old = load double, ptr %r
  %y = fmul double %old, %old
  store double %y, ptr %r
  ret void
}
; expect:
; value of %r: 2.25
; adjoint of %x: 3
