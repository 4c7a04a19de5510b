; test emit reverse rd8,od8
; Straight-line code: the derivative is the primal, the seed, two products and a sum.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = fmul double %0, %0
;   store double %1, ptr %r, align 8
;   %2 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %3 = load double, ptr %x, align 8
;   %4 = fmul double %3, %2
;   %5 = fadd reassoc nsz double %4, %4
;   %6 = load double, ptr %dx, align 8
;   %7 = fadd reassoc nsz double %6, %5
;   store double %7, ptr %dx, align 8
;   ret void
; }
