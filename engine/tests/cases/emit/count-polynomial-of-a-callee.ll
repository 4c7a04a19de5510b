; test count reverse rd8,od8
; Horner's rule in a function of its own: it is inlined, and nothing of the call is left.
define internal double @horner(double %t) {
  %1 = fmul double %t, 3.0
  %2 = fadd double %1, 2.0
  %3 = fmul double %2, %t
  %4 = fadd double %3, 1.0
  ret double %4
}
define void @f(ptr %x, ptr %r) {
  %u = load double, ptr %x
  %y = call double @horner(double %u)
  store double %y, ptr %r
  ret void
}
define void @hand(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
  %u = load double, ptr %x
  %a = fmul double %u, 3.0
  %b = fadd double %a, 2.0
  %c = fmul double %b, %u
  %y = fadd double %c, 1.0
  store double %y, ptr %r
  %seed = load double, ptr %dr
  store double 0.0, ptr %dr
  %db = fmul double %u, %seed
  %da = fmul double %db, 3.0
  %du = fmul double %b, %seed
  %both = fadd double %da, %du
  %old.x = load double, ptr %dx
  %new.x = fadd double %old.x, %both
  store double %new.x, ptr %dx
  ret void
}
; expect:
; derivative: 16 instructions: 4 fadd, 5 fmul, 3 load, 1 ret, 3 store
; by hand: 16 instructions: 4 fadd, 5 fmul, 3 load, 1 ret, 3 store
