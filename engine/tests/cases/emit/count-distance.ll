; test count reverse rd8,rd8,od8
; sqrt(x^2 + y^2): the root is used again, and there is no branch.
declare double @llvm.sqrt.f64(double)
define void @f(ptr %x, ptr %y, ptr %r) {
  %u = load double, ptr %x
  %v = load double, ptr %y
  %u2 = fmul double %u, %u
  %v2 = fmul double %v, %v
  %s = fadd double %u2, %v2
  %d = call double @llvm.sqrt.f64(double %s)
  store double %d, ptr %r
  ret void
}
define void @hand(ptr noalias %x, ptr noalias %dx, ptr noalias %y, ptr noalias %dy, ptr noalias %r, ptr noalias %dr) {
  %u = load double, ptr %x
  %v = load double, ptr %y
  %u2 = fmul double %u, %u
  %v2 = fmul double %v, %v
  %s = fadd double %u2, %v2
  %d = call double @llvm.sqrt.f64(double %s)
  store double %d, ptr %r
  %seed = load double, ptr %dr
  store double 0.0, ptr %dr
  %inverse = fdiv double 5.0e-1, %d
  %ds = fmul double %inverse, %seed
  %dv.half = fmul double %v, %ds
  %dv = fadd double %dv.half, %dv.half
  %old.y = load double, ptr %dy
  %new.y = fadd double %old.y, %dv
  store double %new.y, ptr %dy
  %du.half = fmul double %u, %ds
  %du = fadd double %du.half, %du.half
  %old.x = load double, ptr %dx
  %new.x = fadd double %old.x, %du
  store double %new.x, ptr %dx
  ret void
}
; expect:
; derivative: 22 instructions: 3 fadd, 1 fdiv, 7 fmul, 1 llvm.sqrt.f64, 5 load, 1 ret, 4 store
; by hand: 22 instructions: 5 fadd, 1 fdiv, 5 fmul, 1 llvm.sqrt.f64, 5 load, 1 ret, 4 store
