; test run sd8,od8
; `for i in (0..n).rev().step_by(2)`: induction variables that are no counters.
; in %x = 1.5 -2 0.5 3 0.25
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %first = sub i64 %n, 1
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = sub i64 %i, 2
  %done = icmp slt i64 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; value of %r: 0.1875
; adjoint of %x: 0.125 0 0.375 0 0.75
