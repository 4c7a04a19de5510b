; test run td8
; `memmove` by one place inside a slice: the adjoints move the other way, in the right order.
; in %a = 1.5 2 -3 4
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %a, i64 %n) {
entry:
  %to = getelementptr inbounds double, ptr %a, i64 1
  %v = load double, ptr %a
  %square = fmul double %v, %v
  store double %square, ptr %a
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %a, i64 24, i1 false)
  %w = load double, ptr %to
  %cube = fmul double %w, %v
  store double %cube, ptr %a
  ret void
}
; expect:
; value of %a: 3.375 2.25 2 -3
; adjoint of %a: 8.931818182 0.5714285714 0.4705882353 0
