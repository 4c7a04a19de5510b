; test run rd8,rc,od8
; The count of the inner loop depends on the outer one, and the function returns in two places.
; in %x = 1.5 2 3
; in %n = i64:3
define void @f(ptr %x, ptr %n, ptr %r) {
entry:
  %m = load i64, ptr %n
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %outer, label %none
none:
  ret void
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t, %latch ]
  %count = sub i64 %m, %i
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %p = phi double [ %s, %outer ], [ %t, %inner ]
  %at = getelementptr double, ptr %x, i64 %j
  %v = load double, ptr %at
  %t = fmul double %p, %v
  %j.next = add nuw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %count
  br i1 %j.done, label %latch, label %inner
latch:
  %i.next = add nuw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %m
  br i1 %i.done, label %exit, label %outer
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; value of %r: 40.5
; adjoint of %x: 81 40.5 13.5
