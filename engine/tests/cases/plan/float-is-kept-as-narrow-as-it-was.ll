; test plan reverse md4,od8
; An `f32` that is widened costs four bytes.
define void @f(ptr %a, ptr %r) {
entry:
  %v = load float, ptr %a
  store float 0.0, ptr %a
  %wide = fpext float %v to double
  %y = fmul double %wide, %wide
  store double %y, ptr %r
  ret void
}
; expect:
; kept: %v (4 bytes)
; computed again: %wide
; %entry: the end
