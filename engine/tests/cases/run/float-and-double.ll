; test run rd4,rd4,od4
; `f32` in, `f64` in between, `f32` out.
; in %x = 1.5
; in %y = 0.75
define void @f(ptr %x, ptr %y, ptr %r) {
entry:
  %v = load float, ptr %x
  %w = load float, ptr %y
  %wide = fpext float %v to double
  %wide.w = fpext float %w to double
  %p = fmul double %wide, %wide.w
  %q = fdiv double %p, 3.0
  %narrow = fptrunc double %q to float
  %s = fmul float %narrow, %v
  store float %s, ptr %r
  ret void
}
; expect:
; value of %r: 0.5625
; adjoint of %x: 0.75
; adjoint of %y: 0.75
