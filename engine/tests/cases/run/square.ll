; test run rd8,od8
; The smallest derivative.
; in %x = 1.5
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %r
  ret void
}
; expect:
; value of %r: 2.25
; adjoint of %x: 3
