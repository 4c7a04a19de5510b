; test plan reverse rd8,od8
; Which way control came is decided by one condition: it is computed again, and no selector is kept.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %then, label %else
then:
  %a = fmul double %v, %v
  br label %join
else:
  %b = fneg double %v
  br label %join
join:
  %y = phi double [ %a, %then ], [ %b, %else ]
  store double %y, ptr %r
  ret void
}
; expect:
; computed again: %v, %c, %ct.from
; %entry: the end
; %else: back to %entry
; %then: back to %entry
; %join: back to one of %else %then
