; test cfg sd8,od8
; `for i in 0..n`, rotated: the last count is n - 1, and a value of the preheader.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %sum = phi double [ 0.0, %entry ], [ %t, %loop ]
  store double %sum, ptr %r
  ret void
}
; expect:
; loop %loop: preheader %loop.preheader latch %loop blocks %loop
;   last count: `%0 = add i64 %n, -1`
; %loop.preheader: after %entry, dominated by %entry
; %loop: after %loop.preheader %loop, dominated by %loop.preheader
; %exit.loopexit: after %loop, dominated by %loop
; %exit: after %entry %exit.loopexit, dominated by %entry, has a selector
