; test run sd8,od8
; Both loops are left from inside the inner one, at the third step of the second row.
; in %x = 1.5 0.5 2 1.25
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %s.inner, %latch ]
  %i.more = icmp ult i64 %i, %n
  br i1 %i.more, label %inner, label %exit
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %body ]
  %s.inner = phi double [ %s, %outer ], [ %t, %body ]
  %j.more = icmp ult i64 %j, %n
  br i1 %j.more, label %body, label %latch
body:
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %t = fmul double %s.inner, %v
  %j.next = add nuw i64 %j, 1
  %large = fcmp ogt double %t, 2.5
  br i1 %large, label %exit, label %inner
latch:
  %i.next = add nuw i64 %i, 1
  br label %outer
exit:
  %y = phi double [ %s, %outer ], [ %t, %body ]
  %square = fmul double %y, %y
  store double %square, ptr %r
  ret void
}
; expect:
; value of %r: 7.91015625
; adjoint of %x: 21.09375 31.640625 7.91015625 12.65625
