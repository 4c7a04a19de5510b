; test run rd8,rc,od8
; `power(x, n) = x * power(x, n - 1)`, a call at each level: each has a tape of its own.
; in %x = 1.5
; in %n = i64:5
define internal double @power(double %b, i64 %n) noinline {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %one, label %more
one:
  br label %exit
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %b, i64 %m)
  %y = fmul double %b, %p
  br label %exit
exit:
  %result = phi double [ 1.0, %one ], [ %y, %more ]
  ret double %result
}
define void @f(ptr %x, ptr %n, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load i64, ptr %n
  %y = call double @power(double %v, i64 %k)
  store double %y, ptr %r
  ret void
}
; expect:
; value of %r: 7.59375
; adjoint of %x: 25.3125
