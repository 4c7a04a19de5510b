; test emit forward rd8,od8
; Forward mode: the callee with a tangent beside each float.
define internal double @g(double %u) noinline {
  %e = fmul double %u, %u
  ret double %e
}
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = call double @g(double %v)
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = load double, ptr %dx, align 8
;   %2 = call { double, double } @g.tangent(double %0, double %1)
;   %3 = extractvalue { double, double } %2, 0
;   %4 = extractvalue { double, double } %2, 1
;   store double %3, ptr %r, align 8
;   store double %4, ptr %dr, align 8
;   ret void
; }
; define internal { double, double } @g.tangent(double %0, double %1) {
; entry:
;   %2 = fmul double %0, %0
;   %3 = fmul double %0, %1
;   %4 = fadd double %3, %3
;   %5 = insertvalue { double, double } undef, double %2, 0
;   %6 = insertvalue { double, double } %5, double %4, 1
;   ret { double, double } %6
; }
