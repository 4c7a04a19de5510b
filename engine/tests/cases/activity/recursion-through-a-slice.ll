; test activity sd8,mc,od8
; `[first, rest @ ..] => first * depth(rest, count)`: each round over the recursion finds one more float, until they are told together; the count stays constant.
define internal double @depth(ptr %x, i64 %n, ptr %count) noinline {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %end, label %more
end:
  %c = load i64, ptr %count
  %next = add i64 %c, 1
  store i64 %next, ptr %count
  br label %out
more:
  %rest = getelementptr double, ptr %x, i64 1
  %left = sub i64 %n, 1
  %below = call double @depth(ptr %rest, i64 %left, ptr %count)
  %first = load double, ptr %x
  %product = fmul double %first, %below
  br label %out
out:
  %y = phi double [ 1.0, %end ], [ %product, %more ]
  ret double %y
}
define void @f(ptr %x, i64 %n, ptr %count, ptr %r) {
entry:
  %y = call double @depth(ptr %x, i64 %n, ptr %count)
  store double %y, ptr %r
  ret void
}
; expect:
; active: %y
; active memory: *%x, *%r
