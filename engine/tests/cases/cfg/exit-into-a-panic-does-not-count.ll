; test cfg sd8,od8
; A bounds check inside a counted loop: its exit never returns, so the count stays known, and the panic has no part in the reverse sweep.
declare void @panic() cold noreturn
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, 8
  br i1 %more, label %check, label %exit
check:
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %out
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %next = add nuw i64 %i, 1
  br label %head
out:
  call void @panic()
  unreachable
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; loop %head: preheader %entry latch %body blocks %head %check %body
;   last count: i64 8
; %head: after %entry %body, dominated by %entry
; %exit: after %head, dominated by %head
; %check: after %head, dominated by %head
; %out: after %check, dominated by %check, never returns
; %body: after %check, dominated by %check
