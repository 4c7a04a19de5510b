; test count reverse rd8,rd8,od8
; (1 - x)^2 + 100 (y - x^2)^2: the optimised derivative against the gradient as one writes it by hand.
define void @f(ptr %x, ptr %y, ptr %r) {
  %u = load double, ptr %x
  %v = load double, ptr %y
  %a = fsub double 1.0, %u
  %a2 = fmul double %a, %a
  %u2 = fmul double %u, %u
  %b = fsub double %v, %u2
  %b2 = fmul double %b, %b
  %hundred = fmul double %b2, 100.0
  %s = fadd double %a2, %hundred
  store double %s, ptr %r
  ret void
}
define void @hand(ptr noalias %x, ptr noalias %dx, ptr noalias %y, ptr noalias %dy, ptr noalias %r, ptr noalias %dr) {
  %u = load double, ptr %x
  %v = load double, ptr %y
  %a = fsub double 1.0, %u
  %a2 = fmul double %a, %a
  %u2 = fmul double %u, %u
  %b = fsub double %v, %u2
  %b2 = fmul double %b, %b
  %hundred = fmul double %b2, 100.0
  %s = fadd double %a2, %hundred
  store double %s, ptr %r
  %seed = load double, ptr %dr
  store double 0.0, ptr %dr
  %da.half = fmul double %a, %seed
  %da = fadd double %da.half, %da.half
  %db2 = fmul double %seed, 100.0
  %db.half = fmul double %b, %db2
  %db = fadd double %db.half, %db.half
  %du.half = fmul double %u, %db
  %du2 = fadd double %du.half, %du.half
  %both = fadd double %da, %du2
  %old.y = load double, ptr %dy
  %new.y = fadd double %old.y, %db
  store double %new.y, ptr %dy
  %old.x = load double, ptr %dx
  %new.x = fsub double %old.x, %both
  store double %new.x, ptr %dx
  ret void
}
; expect:
; derivative: 27 instructions: 3 fadd, 10 fmul, 1 fneg, 3 fsub, 5 load, 1 ret, 4 store
; by hand: 27 instructions: 6 fadd, 8 fmul, 3 fsub, 5 load, 1 ret, 4 store
