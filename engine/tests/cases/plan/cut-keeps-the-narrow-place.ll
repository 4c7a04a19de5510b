; test plan reverse md8,od8
; Two dear values from one overwritten float: the float is kept (8 bytes), and the sums on the way are computed again, not kept beside it.
define void @f(ptr %a, ptr %r) {
entry:
  %v = load double, ptr %a
  store double 0.0, ptr %a
  %v1 = fadd double %v, 1.0
  %v2 = fadd double %v, 2.0
  %v3 = fadd double %v, 3.0
  %y = fmul double %v1, %v2
  %z = fmul double %y, %v3
  store double %z, ptr %r
  ret void
}
; expect:
; kept: %v (8 bytes)
; computed again: %v1, %v2, %v3, %y
; %entry: the end
