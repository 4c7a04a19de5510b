; test plan reverse td8
; `a[i] = a[i] * a[i]` in a loop: one value an iteration, in an array of the loop's length.
define void @f(ptr %a, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}
; expect:
; kept: %v (8 bytes in %head)
; computed again: %ct.i.0, shadow %p
; %entry: the end, nothing to do
; %head: back by the counter, %n + 1 times, nothing to do
; %exit: back to %head, nothing to do
; %body: back to %head
