; test activity rd8,rc8,od8
; The same function called twice: only the call with an active operand is.
define internal double @half(double %v) noinline {
  %h = fmul double %v, 5.0e-1
  ret double %h
}
define void @f(ptr %x, ptr %c, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load double, ptr %c
  %a = call double @half(double %v)
  %b = call double @half(double %k)
  %y = fmul double %a, %b
  store double %y, ptr %r
  ret void
}
; expect:
; active: %v, %a, %y
; active memory: *%x, *%r
