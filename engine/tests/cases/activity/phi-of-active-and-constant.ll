; test activity rd8,rc8,od8
; A join is active if one way into it is.
define void @f(ptr %x, ptr %c, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load double, ptr %c
  %positive = fcmp ogt double %k, 0.0
  br i1 %positive, label %then, label %join
then:
  %y = fmul double %k, 2.0
  br label %join
join:
  %z = phi double [ %v, %entry ], [ %y, %then ]
  store double %z, ptr %r
  ret void
}
; expect:
; active: %v, %z
; active memory: *%x, *%r
