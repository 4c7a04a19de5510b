; test emit reverse rd8,od8
; A call that is not inlined becomes two: the augmented primal keeps what the pullback needs on a tape of its own.
declare double @llvm.exp.f64(double)
define internal double @g(double %u) noinline {
  %e = call double @llvm.exp.f64(double %u)
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
;   %1 = call { double, ptr } @g.augmented(double %0)
;   %2 = extractvalue { double, ptr } %1, 0
;   %3 = extractvalue { double, ptr } %1, 1
;   store double %2, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %x, align 8
;   %6 = call { double } @g.pullback(double %5, double %4, ptr %3)
;   %7 = extractvalue { double } %6, 0
;   %8 = load double, ptr %dx, align 8
;   %9 = fadd reassoc nsz double %8, %7
;   store double %9, ptr %dx, align 8
;   ret void
; }
; define internal { double, ptr } @g.augmented(double %0) {
; entry:
;   %1 = call double @llvm.exp.f64(double %0)
;   %2 = call ptr @__ct_tape_alloc(i64 8)
;   store double %1, ptr %2, align 8
;   %3 = insertvalue { double, ptr } undef, double %1, 0
;   %4 = insertvalue { double, ptr } %3, ptr %2, 1
;   ret { double, ptr } %4
; }
; define internal { double } @g.pullback(double %0, double %1, ptr %2) {
; entry:
;   %3 = load double, ptr %2, align 8
;   %4 = fmul double %3, %1
;   %5 = insertvalue { double } undef, double %4, 0
;   ret { double } %5
; }
