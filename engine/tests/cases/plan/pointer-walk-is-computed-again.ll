; test plan reverse sd8,od8
; An iterator's pointer is its start and the loop's counter; so is its shadow.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %end = getelementptr inbounds double, ptr %x, i64 %n
  br label %head
head:
  %p = phi ptr [ %x, %entry ], [ %q, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body
body:
  %v = load double, ptr %p
  %square = fmul double %v, %v
  %t = fadd double %s, %square
  %q = getelementptr inbounds double, ptr %p, i64 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; computed again: `%0 = shl nsw i64 %n, 3`, `%1 = lshr i64 %0, 3`, %ct.i.0, %p1, %v, shadow %p1
; %entry: the end, nothing to do
; %head: back by the counter, `%1 = lshr i64 %0, 3` + 1 times
; %body: back to %head
; %exit: back to %head
