; test run md8,od8
; An input that is overwritten by a constant before it is read again: what was there has the derivative of its first use alone.
; in %a = 1.5
define void @f(ptr %a, ptr %r) {
entry:
  %v = load double, ptr %a
  store double 3.0, ptr %a
  %w = load double, ptr %a
  %y = fmul double %v, %w
  store double %y, ptr %r
  ret void
}
; expect:
; value of %a: 3
; value of %r: 4.5
; adjoint of %a: 2.181818182
