; test run sd8,od8
; Negative elements are skipped, by a second way back to the header.
; in %x = 1.5 -3 2 -1 0.25
declare double @llvm.sin.f64(double)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ], [ %next, %take ]
  %s = phi double [ 0.0, %entry ], [ %s, %body ], [ %t, %take ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %next = add nuw i64 %i, 1
  %negative = fcmp olt double %v, 0.0
  br i1 %negative, label %head, label %take
take:
  %y = call double @llvm.sin.f64(double %v)
  %z = fmul double %y, %s
  %u = fadd double %z, %y
  %t = fadd double %s, %u
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 3.757364236
; adjoint of %x: 0.1684723294 0 -1.036906063 0 3.695249858
