; test count reverse rd8,rd8,od8
; exp(-x^2 / s): one call of `exp`, whose value serves for the partial; the reciprocal that both partials of a
; quotient have is made once.
declare double @llvm.exp.f64(double)
define void @f(ptr %x, ptr %s, ptr %r) {
  %u = load double, ptr %x
  %w = load double, ptr %s
  %u2 = fmul double %u, %u
  %q = fdiv double %u2, %w
  %n = fneg double %q
  %e = call double @llvm.exp.f64(double %n)
  store double %e, ptr %r
  ret void
}
define void @hand(ptr noalias %x, ptr noalias %dx, ptr noalias %s, ptr noalias %ds, ptr noalias %r, ptr noalias %dr) {
  %u = load double, ptr %x
  %w = load double, ptr %s
  %u2 = fmul double %u, %u
  %q = fdiv double %u2, %w
  %n = fneg double %q
  %e = call double @llvm.exp.f64(double %n)
  store double %e, ptr %r
  %seed = load double, ptr %dr
  store double 0.0, ptr %dr
  %dn = fmul double %e, %seed
  %dq = fneg double %dn
  %inverse = fdiv double 1.0, %w
  %du2 = fmul double %dq, %inverse
  %dw = fmul double %q, %du2
  %old.s = load double, ptr %ds
  %new.s = fsub double %old.s, %dw
  store double %new.s, ptr %ds
  %du.half = fmul double %u, %du2
  %du = fadd double %du.half, %du.half
  %old.x = load double, ptr %dx
  %new.x = fadd double %old.x, %du
  store double %new.x, ptr %dx
  ret void
}
; expect:
; derivative: 22 instructions: 2 fdiv, 6 fmul, 1 fneg, 2 fsub, 1 llvm.exp.f64, 5 load, 1 ret, 4 store
; by hand: 23 instructions: 2 fadd, 2 fdiv, 5 fmul, 2 fneg, 1 fsub, 1 llvm.exp.f64, 5 load, 1 ret, 4 store
