; test plan reverse rd8,od8
; `exp` needs its result, which is dear and is kept; of a sum nothing is needed.
declare double @llvm.exp.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %e = call double @llvm.exp.f64(double %v)
  %s = fadd double %e, %v
  store double %s, ptr %r
  ret void
}
; expect:
; kept: %e (8 bytes)
; %entry: the end
