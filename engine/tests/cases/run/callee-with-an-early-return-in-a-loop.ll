; test run sd8,od8
; A call in a loop, whose callee loops itself until its value says so: a tape for each call, of another size each time.
; in %x = 1.5 8 0.5
define internal double @shrink(double %u) noinline {
entry:
  br label %head
head:
  %v = phi double [ %u, %entry ], [ %w, %body ]
  %small = fcmp olt double %v, 1.0
  br i1 %small, label %exit, label %body
body:
  %square = fmul double %v, %v
  %d = fadd double %square, 2.0
  %w = fdiv double %v, %d
  br label %head
exit:
  %y = fmul double %v, %v
  ret double %y
}
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
  %y = call double @shrink(double %v)
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 0.3892598524
; adjoint of %x: -0.009769997965 -0.003450482789 1
