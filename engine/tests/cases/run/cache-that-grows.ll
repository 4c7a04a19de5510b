; test run rd8,od8
; Hundreds of trips that nobody knew of: the cache grows, in chunks.
; in %x = 1.01
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  br label %head
head:
  %s = phi double [ 1.0, %entry ], [ %t, %head ]
  %t = fmul double %s, %v
  %done = fcmp ogt double %t, 100.0
  br i1 %done, label %exit, label %head
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; value of %r: 100.183468
; adjoint of %x: 45925.6888
