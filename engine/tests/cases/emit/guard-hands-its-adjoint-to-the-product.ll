; test emit reverse vd8,vd8,od8
; What an inner derivative has guarded is differentiated as the product that it is; the product's own contributions are guarded.
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
;   %1 = load double, ptr %p, align 8
;   %2 = fmul double %0, %1
;   %3 = call double @ct.guard.double.double(double %0, double %2)
;   store double %3, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %a, align 8
;   %6 = load double, ptr %p, align 8
;   %7 = fmul double %6, %4
;   %8 = fcmp oeq double %4, 0.000000e+00
;   %9 = select i1 %8, double 0.000000e+00, double %7
;   %10 = fmul double %5, %4
;   %11 = select i1 %8, double 0.000000e+00, double %10
;   %12 = load double, ptr %dp, align 8
;   %13 = fadd reassoc nsz double %12, %11
;   store double %13, ptr %dp, align 8
;   %14 = load double, ptr %da, align 8
;   %15 = fadd reassoc nsz double %14, %9
;   store double %15, ptr %da, align 8
;   ret void
; }
