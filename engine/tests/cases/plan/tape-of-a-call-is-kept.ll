; test plan reverse sd8,od8
; A call in a loop: its tape, one pointer an iteration.
define internal double @g(double %u) noinline {
  %e = fmul double %u, %u
  ret double %e
}
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %y = call double @g(double %v)
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; kept: tape of %y (8 bytes in %head)
; computed again: %ct.i.0, %p, %v, shadow %p
; masked: %v
; %entry: the end, nothing to do
; %head: back by the counter, %n + 1 times
; %exit: back to %head
; %body: back to %head
