; test plan reverse rd8,rc,od8
; A switch with one case leads to two blocks as a branch does, but its number is no condition: which way was taken is kept.
define void @f(ptr %x, ptr %kind, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load i16, ptr %kind
  switch i16 %k, label %other [
    i16 3, label %one
  ]
one:
  %y1 = fmul double %v, 3.0
  br label %join
other:
  %y2 = fneg double %v
  br label %join
join:
  %y = phi double [ %y1, %one ], [ %y2, %other ]
  store double %y, ptr %r
  ret void
}
; expect:
; kept: %ct.from (4 bytes)
; %entry: the end
; %one: back to %entry
; %other: back to %entry
; %join: back to one of %one %other
