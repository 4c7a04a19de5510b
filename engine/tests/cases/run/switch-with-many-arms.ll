; test run sd8,sc,od8
; Each element goes through another arm.
; in %x = 1.5 2 -0.5 3
; in %kinds = i64:0 i64:1 i64:2 i64:7
declare double @llvm.exp.f64(double)
define void @f(ptr %x, i64 %n, ptr %kinds, i64 %m, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %s = phi double [ 1.0, %entry ], [ %t, %join ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr inbounds i64, ptr %kinds, i64 %i
  %k = load i64, ptr %q
  switch i64 %k, label %other [
    i64 0, label %join
    i64 1, label %one
    i64 2, label %two
  ]
one:
  %y1 = fmul double %v, %s
  br label %join
two:
  %y2 = call double @llvm.exp.f64(double %v)
  br label %join
other:
  %y3 = fdiv double %s, %v
  br label %join
join:
  %y = phi double [ %v, %body ], [ %y1, %one ], [ %y2, %two ], [ %y3, %other ]
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 10.80870755
; adjoint of %x: 4 3.333333333 0.8087075463 -0.9007256289
