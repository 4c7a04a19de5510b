; test emit reverse sd8,td8
; `memset` writes a constant: the adjoint of what was there before is zero.
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %x, i64 %n, ptr %y, i64 %m) {
entry:
  %bytes = shl nuw i64 %m, 3
  call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 %bytes, i1 false)
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %y, ptr noalias %dy, i64 %m) {
; entry:
;   %0 = shl nuw i64 %m, 3
;   call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 %0, i1 false)
;   %1 = load double, ptr %x, align 8
;   store double %1, ptr %y, align 8
;   %2 = load double, ptr %dy, align 8
;   store double 0.000000e+00, ptr %dy, align 8
;   %3 = load double, ptr %dx, align 8
;   %4 = fadd reassoc nsz double %3, %2
;   store double %4, ptr %dx, align 8
;   call void @llvm.memset.p0.i64(ptr align 1 %dy, i8 0, i64 %0, i1 false)
;   ret void
; }
