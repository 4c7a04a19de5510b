; test emit reverse rd4,od8
; A cast to a wider float: the adjoint is narrowed on its way back.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load float, ptr %x
  %wide = fpext float %v to double
  %y = fmul double %wide, %wide
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load float, ptr %x, align 4
;   %1 = fpext float %0 to double
;   %2 = fmul double %1, %1
;   store double %2, ptr %r, align 8
;   %3 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %4 = load float, ptr %x, align 4
;   %5 = fpext float %4 to double
;   %6 = fmul double %5, %3
;   %7 = fadd reassoc nsz double %6, %6
;   %8 = fptrunc double %7 to float
;   %9 = load float, ptr %dx, align 4
;   %10 = fadd reassoc nsz float %9, %8
;   store float %10, ptr %dx, align 4
;   ret void
; }
