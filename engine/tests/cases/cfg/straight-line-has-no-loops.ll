; test cfg rd8,od8
; A branch and its join: no loop, one selector.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %then, label %join
then:
  %d = fmul double %v, 2.0
  br label %join
join:
  %y = phi double [ %v, %entry ], [ %d, %then ]
  store double %y, ptr %r
  ret void
}
; expect:
; %then: after %entry, dominated by %entry
; %join: after %entry %then, dominated by %entry, has a selector
