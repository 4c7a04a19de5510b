; test run td8,od8
; `memmove` of one element, which the clean-up turns into a load and a store of an integer, between slices and locals.
; in %a = 1.5 2 -3 4
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %a, i64 %n, ptr %r) {
entry:
  %buffer = alloca [4 x double]
  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %a, i64 32, i1 false)
  %v = load double, ptr %a
  %scaled = fmul double %v, 2.0
  %bits = fptoui double %scaled to i64
  %i = and i64 %bits, 3
  %p = getelementptr inbounds double, ptr %buffer, i64 %i
  store double %scaled, ptr %p
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %buffer, i64 8, i1 false)
  %w = load double, ptr %a
  %y = fmul double %w, %w
  store double %y, ptr %r
  ret void
}
; expect:
; value of %a: 1.5 2 -3 4
; value of %r: 2.25
; adjoint of %a: 2.2 0.7272727273 0.5714285714 0.4705882353
