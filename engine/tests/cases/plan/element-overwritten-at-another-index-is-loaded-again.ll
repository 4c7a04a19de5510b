; test plan reverse td8
; `a[0] = a[1] * a[1]`: constants tell the places apart.
define void @f(ptr %a, i64 %n) {
entry:
  %p = getelementptr inbounds double, ptr %a, i64 1
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %a
  ret void
}
; expect:
; computed again: %p, %v, shadow %p
; %entry: the end
