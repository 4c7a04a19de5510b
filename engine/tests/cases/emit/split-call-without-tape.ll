; test emit reverse rd8,od8
; The pullback of a product needs its arguments, which the caller has: nothing goes onto a tape.
define internal double @g(double %u, double %w) noinline {
  %e = fmul double %u, %w
  ret double %e
}
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = call double @g(double %v, double 3.0)
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = call { double, ptr } @g.augmented(double %0, double 3.000000e+00)
;   %2 = extractvalue { double, ptr } %1, 0
;   %3 = extractvalue { double, ptr } %1, 1
;   store double %2, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %x, align 8
;   %6 = call { double } @g.pullback(double %5, double 3.000000e+00, double %4, ptr %3)
;   %7 = extractvalue { double } %6, 0
;   %8 = load double, ptr %dx, align 8
;   %9 = fadd reassoc nsz double %8, %7
;   store double %9, ptr %dx, align 8
;   ret void
; }
; define internal { double, ptr } @g.augmented(double %0, double %1) {
; entry:
;   %2 = fmul double %0, %1
;   %3 = insertvalue { double, ptr } undef, double %2, 0
;   %4 = insertvalue { double, ptr } %3, ptr null, 1
;   ret { double, ptr } %4
; }
; define internal { double } @g.pullback(double %0, double %1, double %2, ptr %3) {
; entry:
;   %4 = fmul double %1, %2
;   %5 = insertvalue { double } undef, double %4, 0
;   ret { double } %5
; }
