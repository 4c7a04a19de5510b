; test emit forward vd8,vd8,od8
; What an inner derivative has guarded: where the factor is zero, the tangent is still there unless the factor's tangent is zero too.
declare double @ct.guard.double.double(double, double) memory(none)
define void @f(ptr %a, ptr %p, ptr %r) {
  %factor = load double, ptr %a
  %partial = load double, ptr %p
  %product = fmul double %factor, %partial
  %guarded = call double @ct.guard.double.double(double %factor, double %product)
  store double %guarded, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %a, ptr noalias %da, ptr noalias %p, ptr noalias %dp, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %a, align 8
;   %1 = load double, ptr %da, align 8
;   %2 = load double, ptr %p, align 8
;   %3 = load double, ptr %dp, align 8
;   %4 = fmul double %0, %2
;   %5 = fmul double %2, %1
;   %6 = fcmp oeq double %1, 0.000000e+00
;   %7 = select i1 %6, double 0.000000e+00, double %5
;   %8 = fmul double %0, %3
;   %9 = fcmp oeq double %3, 0.000000e+00
;   %10 = select i1 %9, double 0.000000e+00, double %8
;   %11 = fadd double %7, %10
;   %12 = call double @ct.guard.double.double(double %0, double %4)
;   %13 = select i1 %6, double 0.000000e+00, double %11
;   %14 = fcmp oeq double %0, 0.000000e+00
;   %15 = select i1 %14, double %13, double %11
;   store double %12, ptr %r, align 8
;   store double %15, ptr %dr, align 8
;   ret void
; }
