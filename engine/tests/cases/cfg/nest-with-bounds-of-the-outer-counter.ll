; test cfg sd8,od8
; `for i in 0..n { for j in 0..i`: two loops, one inside the other, the inner count in terms of the outer counter.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi double [ 0.0, %entry ], [ %s.inner, %outer.latch ]
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
  %t = fadd double %s.inner, %v
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
; loop %outer: preheader %entry latch %outer.latch blocks %outer %inner.preheader %inner %outer.latch %inner.body
;   last count: %n
; loop %inner in %outer: preheader %inner.preheader latch %inner.body blocks %inner %inner.body
;   last count: %ct.i.0
; %outer: after %entry %outer.latch, dominated by %entry
; %exit: after %outer, dominated by %outer
; %inner.preheader: after %outer, dominated by %outer
; %inner: after %inner.preheader %inner.body, dominated by %inner.preheader
; %outer.latch: after %inner, dominated by %inner
; %inner.body: after %inner, dominated by %inner
