; test run md8,md8,od8
; Two `&mut` that feed each other, and a result beside them.
; in %a = 1.5
; in %b = -0.5
define void @f(ptr %a, ptr %b, ptr %r) {
entry:
  %v = load double, ptr %a
  %w = load double, ptr %b
  %p = fmul double %v, %w
  store double %p, ptr %a
  %q = fadd double %p, %w
  store double %q, ptr %b
  %again = load double, ptr %a
  %y = fmul double %again, %q
  store double %y, ptr %r
  ret void
}
; expect:
; value of %a: -0.75
; value of %b: -1.25
; value of %r: 0.9375
; adjoint of %a: -0.2922077922
; adjoint of %b: 1.175324675
