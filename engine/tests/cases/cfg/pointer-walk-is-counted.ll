; test cfg sd8,od8
; A slice iterator: a pointer walks to the end. The count comes from the distance of the pointers.
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
  %t = fadd double %s, %v
  %q = getelementptr inbounds double, ptr %p, i64 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; loop %head: preheader %entry latch %body blocks %head %body
;   last count: `%1 = lshr i64 %0, 3`
; %head: after %entry %body, dominated by %entry
; %body: after %head, dominated by %head
; %exit: after %head, dominated by %head
