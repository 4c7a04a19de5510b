; test plan reverse sd8,od8
; What is done with each maximum on the way has a derivative too: all choices are remembered.
declare double @llvm.maxnum.f64(double, double)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %high = phi double [ 0xFFF0000000000000, %entry ], [ %higher, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %higher = call double @llvm.maxnum.f64(double %high, double %v)
  %more = fadd double %sum, %higher
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %last = phi double [ %more, %loop ]
  store double %last, ptr %r
  ret void
}
; expect:
; kept: %high (8 bytes in %loop)
; computed again: `%0 = add i64 %n, -1`, %ct.i.0, %p, %v, shadow %p
; masked: %high, %v
; %entry: the end, nothing to do
; %loop: back by the counter, `%0 = add i64 %n, -1` + 1 times
; %end: back to %loop
