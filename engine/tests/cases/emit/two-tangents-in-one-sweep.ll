; test emit forward width=2 rd8,od8
; Width 2: the primal once, two tangents.
declare double @llvm.sin.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %w = call double @llvm.sin.f64(double %v)
  store double %w, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %dx1, ptr noalias %r, ptr noalias %dr, ptr noalias %dr2) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = load double, ptr %dx, align 8
;   %2 = load double, ptr %dx1, align 8
;   %3 = call double @llvm.sin.f64(double %0)
;   %4 = call double @llvm.cos.f64(double %0)
;   %5 = fmul double %4, %1
;   %6 = fmul double %4, %2
;   store double %3, ptr %r, align 8
;   store double %5, ptr %dr, align 8
;   store double %6, ptr %dr2, align 8
;   ret void
; }
