; test plan reverse rd8,od8
; `max` chooses like a select does.
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
; computed again: %v, %root
; masked: %v, %root
; %entry: the end
