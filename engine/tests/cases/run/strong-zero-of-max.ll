; test run kink rd8,od8
; `sqrt(x).max(1)` at 0: the root's partial is infinite where `max` takes the other.
; in %x = 0
declare double @llvm.sqrt.f64(double)
declare double @llvm.maxnum.f64(double, double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %root = call double @llvm.sqrt.f64(double %v)
  %y = call double @llvm.maxnum.f64(double %root, double 1.0)
  store double %y, ptr %r
  ret void
}
; expect:
; value of %r: 1
; adjoint of %x: 0
