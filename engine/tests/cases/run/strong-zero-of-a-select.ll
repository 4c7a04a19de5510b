; test run kink rd8,od8
; At 0 the logarithm's partial is infinite, but its arm is not taken: the derivative is 0 and no NaN.
; in %x = 0
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
; value of %r: 0
; adjoint of %x: 0
