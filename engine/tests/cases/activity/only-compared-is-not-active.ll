; test activity rd8,rd8,od8
; `%y` is only compared: it decides, but carries no derivative, and the shadow of its memory is not touched.
define void @f(ptr %x, ptr %limit, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = load double, ptr %limit
  %c = fcmp ogt double %v, %y
  %d = fmul double %v, 2.0
  %z = select i1 %c, double %v, double %d
  store double %z, ptr %r
  ret void
}
; expect:
; active: %v, %d, %z
; active memory: *%x, *%limit, *%r
