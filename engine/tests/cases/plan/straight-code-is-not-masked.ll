; test plan reverse rd8,od8
; Without a select no partial is guarded.
declare double @llvm.log.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %l = call double @llvm.log.f64(double %v)
  %y = fmul double %l, 2.0
  store double %y, ptr %r
  ret void
}
; expect:
; computed again: %v
; %entry: the end
