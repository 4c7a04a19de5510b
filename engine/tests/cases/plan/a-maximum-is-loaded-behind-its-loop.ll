; test plan reverse sd8,od8
; A running maximum is remembered as the number of one element: the loop has nothing to do backwards.
declare double @llvm.maxnum.f64(double, double)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %high = phi double [ 0xFFF0000000000000, %entry ], [ %higher, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %higher = call double @llvm.maxnum.f64(double %high, double %v)
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %last = phi double [ %higher, %loop ]
  store double %last, ptr %r
  ret void
}
; expect:
; kept: `%6 = phi i64 [ %3, %loop ]` (8 bytes)
; computed again: `%7 = icmp eq i64 %6, -1`, `%8 = select i1 %7, i64 0, i64 %6`, shadow `%9 = getelementptr inbounds double, ptr %x, i64 %8`
; masked: `%10 = load double, ptr %9, align 8`
; %entry: the end, nothing to do
; %loop: back to %entry, nothing to do
; %end: back to %entry
