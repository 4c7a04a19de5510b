; test run md8,rc,od8
; Two functions call each other and change memory in place on the way down and on the way up.
; in %a = 1.25
; in %n = i64:3
declare double @llvm.sin.f64(double)
define internal double @even(ptr noalias %a, i64 %n) noinline {
entry:
  %v = load double, ptr %a
  %square = fmul double %v, %v
  store double %square, ptr %a
  %end = icmp eq i64 %n, 0
  br i1 %end, label %exit, label %more
more:
  %m = sub i64 %n, 1
  %p = call double @odd(ptr %a, i64 %m)
  %w = load double, ptr %a
  %y = fmul double %w, %p
  br label %exit
exit:
  %result = phi double [ %v, %entry ], [ %y, %more ]
  ret double %result
}
define internal double @odd(ptr noalias %a, i64 %n) noinline {
entry:
  %v = load double, ptr %a
  %s = call double @llvm.sin.f64(double %v)
  store double %s, ptr %a
  %end = icmp eq i64 %n, 0
  br i1 %end, label %exit, label %more
more:
  %m = sub i64 %n, 1
  %p = call double @even(ptr %a, i64 %m)
  %y = fadd double %s, %p
  br label %exit
exit:
  %result = phi double [ %v, %entry ], [ %y, %more ]
  ret double %result
}
define void @f(ptr %a, ptr %n, ptr %r) {
entry:
  %k = load i64, ptr %n
  %y = call double @even(ptr %a, i64 %k)
  store double %y, ptr %r
  ret void
}
; expect:
; value of %a: 0.8414337952
; value of %r: 1.549366939
; adjoint of %a: 0.1001960616
