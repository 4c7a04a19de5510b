; test run vd8,od
; An aggregate goes through registers: `extractvalue` and `insertvalue`.
; in %x = 1.5 -0.5
; in %r = _ _
define internal { double, double } @turn({ double, double } %p) noinline {
entry:
  %a = extractvalue { double, double } %p, 0
  %b = extractvalue { double, double } %p, 1
  %ab = fmul double %a, %b
  %n = fneg double %a
  %first = insertvalue { double, double } poison, double %ab, 0
  %both = insertvalue { double, double } %first, double %n, 1
  ret { double, double } %both
}
define void @f(ptr %x, ptr %r) {
entry:
  %p = load { double, double }, ptr %x
  %q = call { double, double } @turn({ double, double } %p)
  store { double, double } %q, ptr %r
  ret void
}
; expect:
; value of %r: -0.75 -1.5
; adjoint of %x: -1.227272727 1.5
