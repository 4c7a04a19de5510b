; test plan reverse sd8,od8
; `break` where a value says so: how often the loop ran must be kept, and where it was left.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 1.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add nuw i64 %i, 1
  %large = fcmp ogt double %t, 10.0
  br i1 %large, label %exit, label %head
exit:
  %product = phi double [ %s, %head ], [ %t, %body ]
  store double %product, ptr %r
  ret void
}
; expect:
; kept: %s (8 bytes in %head), %ct.from (4 bytes), trips of %head (8 bytes)
; computed again: %ct.i.0, %p, %v, shadow %p
; %entry: the end, nothing to do
; %head: back by the counter, as counted times
; %body: back to %head
; %exit: back to one of %head %body
