; test emit reverse rd8,od8
; `if v > 0 { ln v } else { 0 }` as a select: at v = 0 the partial of the arm not taken is infinite, its product with the zero adjoint must be zero.
declare double @llvm.log.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  %l = call double @llvm.log.f64(double %v)
  %y = select i1 %c, double %l, double 0.0
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = fcmp ogt double %0, 0.000000e+00
;   %2 = call double @llvm.log.f64(double %0)
;   %3 = select i1 %1, double %2, double 0.000000e+00
;   store double %3, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %x, align 8
;   %6 = fcmp ogt double %5, 0.000000e+00
;   %7 = select i1 %6, double %4, double 0.000000e+00
;   %8 = fdiv double 1.000000e+00, %5
;   %9 = fmul double %8, %7
;   %10 = fcmp oeq double %7, 0.000000e+00
;   %11 = select i1 %10, double 0.000000e+00, double %9
;   %12 = load double, ptr %dx, align 8
;   %13 = fadd reassoc nsz double %12, %11
;   store double %13, ptr %dx, align 8
;   ret void
; }
