; test plan reverse sd8,od8
; A running product through a nest: one value for each of the inner loop's iterations, the counts of both are at hand.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi double [ 1.0, %entry ], [ %s.inner, %outer.latch ]
  %i.more = icmp ult i64 %i, %n
  br i1 %i.more, label %inner, label %exit
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.body ]
  %s.inner = phi double [ %s, %outer ], [ %t, %inner.body ]
  %j.more = icmp ult i64 %j, %i
  br i1 %j.more, label %inner.body, label %outer.latch
inner.body:
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %t = fmul double %s.inner, %v
  %j.next = add nuw i64 %j, 1
  br label %inner
outer.latch:
  %i.next = add nuw i64 %i, 1
  br label %outer
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; kept: %s.inner (8 bytes in %inner)
; computed again: %ct.i.0, %ct.i.1, %p, %v, shadow %p
; %entry: the end, nothing to do
; %outer: back by the counter, %n + 1 times
; %exit: back to %outer
; %inner.preheader: back to %outer, nothing to do
; %inner: back by the counter, %ct.i.0 + 1 times
; %outer.latch: back to %inner
; %inner.body: back to %inner
