; test cfg rd8,rc,od8
; `match` with many arms: one join of four predecessors.
define void @f(ptr %x, ptr %kind, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load i32, ptr %kind
  switch i32 %k, label %other [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
zero:
  br label %join
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
  %y = phi double [ %v, %zero ], [ %y1, %one ], [ %y2, %two ], [ %y3, %other ]
  store double %y, ptr %r
  ret void
}
; expect:
; %two: after %entry, dominated by %entry
; %one: after %entry, dominated by %entry
; %zero: after %entry, dominated by %entry
; %other: after %entry, dominated by %entry
; %join: after %two %one %zero %other, dominated by %entry, has a selector
