; test run rd8,od8
; Newton's square root until it no longer moves: the reverse loop runs as often as the primal's did.
; in %x = 7
declare double @llvm.fabs.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  br label %head
head:
  %g = phi double [ %v, %entry ], [ %better, %head ]
  %q = fdiv double %v, %g
  %sum = fadd double %g, %q
  %better = fmul double %sum, 5.0e-1
  %step = fsub double %better, %g
  %size = call double @llvm.fabs.f64(double %step)
  %done = fcmp olt double %size, 1.0e-12
  br i1 %done, label %exit, label %head
exit:
  store double %better, ptr %r
  ret void
}
; expect:
; value of %r: 2.645751311
; adjoint of %x: 0.1889822365
