; test emit reverse rd8,od8
; The reverse sweep branches where the primal joined, by the primal's condition.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %then, label %join
then:
  %d = fmul double %v, %v
  br label %join
join:
  %y = phi double [ %v, %entry ], [ %d, %then ]
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = fcmp ogt double %0, 0.000000e+00
;   %2 = fmul double %0, %0
;   %3 = select i1 %1, double %2, double %0
;   store double %3, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %x, align 8
;   %6 = fcmp ogt double %5, 0.000000e+00
;   %7 = select i1 %6, i32 1, i32 0
;   %8 = icmp eq i32 %7, 0
;   %9 = fmul double %5, %4
;   %10 = fadd reassoc nsz double %9, %9
;   %ct.adjoint1.0 = select i1 %8, double %4, double %10
;   %11 = load double, ptr %dx, align 8
;   %12 = fadd reassoc nsz double %11, %ct.adjoint1.0
;   store double %12, ptr %dx, align 8
;   ret void
; }
