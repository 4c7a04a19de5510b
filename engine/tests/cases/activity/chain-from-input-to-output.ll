; test activity rd8,rc8,od8
; What depends on the active input and reaches the output is active; what depends on the constant alone is not.
define void @f(ptr %x, ptr %c, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load double, ptr %c
  %k2 = fmul double %k, %k
  %y = fmul double %v, %k2
  store double %y, ptr %r
  ret void
}
; expect:
; active: %v, %y
; active memory: *%x, *%r
