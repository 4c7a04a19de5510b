; test activity rd8,mc8,od8
; What goes into constant memory depends on the input, but no output depends on it.
define void @f(ptr %x, ptr %log, ptr %r) {
entry:
  %v = load double, ptr %x
  %noted = fmul double %v, 3.0
  store double %noted, ptr %log
  %y = fadd double %v, 1.0
  store double %y, ptr %r
  ret void
}
; expect:
; active: %v, %y
; active memory: *%x, *%r
