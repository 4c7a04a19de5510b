; test emit forward rd8,od8
; One tangent runs beside the primal.
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
;   %1 = load double, ptr %dx, align 8
;   %2 = fmul double %0, %0
;   %3 = fmul double %0, %1
;   %4 = fadd double %3, %3
;   store double %2, ptr %r, align 8
;   store double %4, ptr %dr, align 8
;   ret void
; }
