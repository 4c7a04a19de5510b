; test plan reverse rd8,od8
; Nothing writes to a `&f64`: the reverse sweep loads it once more.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %r
  ret void
}
; expect:
; computed again: %v
; %entry: the end
