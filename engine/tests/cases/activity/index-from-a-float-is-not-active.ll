; test activity rd8,sd8,od8
; A float becomes an index: the conversion ends the derivative, the element that it picks has one.
define void @f(ptr %x, ptr %table, i64 %n, ptr %r) {
entry:
  %v = load double, ptr %x
  %scaled = fmul double %v, 10.0
  %i = fptoui double %scaled to i64
  %p = getelementptr inbounds double, ptr %table, i64 %i
  %y = load double, ptr %p
  store double %y, ptr %r
  ret void
}
; expect:
; active: %y
; active memory: *%x, *%table, *%r
; with shadow: %p
; shadowed memory: *%table
