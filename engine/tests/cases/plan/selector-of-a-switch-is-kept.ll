; test plan reverse rd8,rc,od8
; Four ways into one join: the number of the one that was taken is kept.
define void @f(ptr %x, ptr %kind, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load i32, ptr %kind
  switch i32 %k, label %other [
    i32 0, label %one
    i32 1, label %two
  ]
one:
  %y1 = fmul double %v, 3.0
  br label %join
two:
  %y2 = fmul double %v, %v
  br label %join
other:
  %y3 = fneg double %v
  br label %join
join:
  %y = phi double [ %y1, %one ], [ %y2, %two ], [ %y3, %other ]
  store double %y, ptr %r
  ret void
}
; expect:
; kept: %ct.from (4 bytes)
; computed again: %v
; %entry: the end
; %two: back to %entry
; %one: back to %entry
; %other: back to %entry
; %join: back to one of %two %one %other
