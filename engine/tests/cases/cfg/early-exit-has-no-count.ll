; test cfg sd8,od8
; `break` where a value says so: how often the loop ran is only known after it has.
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
  %t = fadd double %s, %v
  %next = add nuw i64 %i, 1
  %large = fcmp ogt double %t, 10.0
  br i1 %large, label %exit, label %head
exit:
  %sum = phi double [ %s, %head ], [ %t, %body ]
  store double %sum, ptr %r
  ret void
}
; expect:
; loop %head: preheader %entry latch %body blocks %head %body
;   last count: only known after running
; %head: after %entry %body, dominated by %entry
; %body: after %head, dominated by %head
; %exit: after %head %body, dominated by %head, has a selector
