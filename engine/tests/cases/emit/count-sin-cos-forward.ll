; test count forward rd8,od8
; Forward mode of sin(x) cos(x): each of the two is called once, and serves both.
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
define void @f(ptr %x, ptr %r) {
  %u = load double, ptr %x
  %s = call double @llvm.sin.f64(double %u)
  %c = call double @llvm.cos.f64(double %u)
  %y = fmul double %s, %c
  store double %y, ptr %r
  ret void
}
define void @hand(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
  %u = load double, ptr %x
  %du = load double, ptr %dx
  %s = call double @llvm.sin.f64(double %u)
  %c = call double @llvm.cos.f64(double %u)
  %ds = fmul double %c, %du
  %s.du = fmul double %s, %du
  %dc = fneg double %s.du
  %y = fmul double %s, %c
  %one = fmul double %c, %ds
  %two = fmul double %s, %dc
  %dy = fadd double %one, %two
  store double %y, ptr %r
  store double %dy, ptr %dr
  ret void
}
; expect:
; derivative: 14 instructions: 1 fadd, 5 fmul, 1 fneg, 1 llvm.cos.f64, 1 llvm.sin.f64, 2 load, 1 ret, 2 store
; by hand: 14 instructions: 1 fadd, 5 fmul, 1 fneg, 1 llvm.cos.f64, 1 llvm.sin.f64, 2 load, 1 ret, 2 store
