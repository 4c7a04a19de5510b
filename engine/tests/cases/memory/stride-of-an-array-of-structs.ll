; test memory sd,od8
; Elements of sixteen bytes: floats lie at 0 and integers at 8 of each.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds { double, i64 }, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %k = load i64, ptr %q
  %weight = sitofp i64 %k to double
  %y = fmul double %v, %weight
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0+16k, i64 at 8+16k
; *%r: f64 at 0, f64 at 0+8k
; %p -> *%x
; %q -> *%x
