; test plan reverse md8
; `a = a * a` in place: the reverse sweep cannot load the old value again.
define void @f(ptr %a) {
entry:
  %v = load double, ptr %a
  %w = fmul double %v, %v
  store double %w, ptr %a
  ret void
}
; expect:
; kept: %v (8 bytes)
; %entry: the end
