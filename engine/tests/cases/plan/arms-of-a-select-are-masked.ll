; test plan reverse rd8,od8
; What only one arm of a select uses may have an infinite partial where the other arm is taken; the argument's own chain is masked with it.
declare double @llvm.log.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %u = fsub double %v, 1.0
  %c = fcmp ogt double %u, 0.0
  %l = call double @llvm.log.f64(double %u)
  %y = select i1 %c, double %l, double 0.0
  store double %y, ptr %r
  ret void
}
; expect:
; computed again: %v, %u, %c
; masked: %v, %u, %l
; %entry: the end
