; test emit reverse sd8,td8
; `memcpy` of floats: the destination's adjoint is added to the source's, and zeroed.
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, i64 %n, ptr %y, i64 %m) {
entry:
  %bytes = shl nuw i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 %bytes, i1 false)
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %y, ptr noalias %dy, i64 %m) {
; entry:
;   %0 = shl nuw i64 %n, 3
;   call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 %0, i1 false)
;   call void @ct.copy.adjoint.f64(ptr %dy, ptr %dx, i64 %0)
;   ret void
; }
; define internal void @ct.copy.adjoint.f64(ptr %0, ptr %1, i64 %2) {
; entry:
;   %3 = udiv i64 %2, 8
;   %4 = icmp uge ptr %0, %1
;   %5 = sub i64 %3, 1
;   br label %head
;
; head:                                             ; preds = %body, %entry
;   %6 = phi i64 [ 0, %entry ], [ %15, %body ]
;   %7 = icmp ult i64 %6, %3
;   br i1 %7, label %body, label %done
;
; body:                                             ; preds = %head
;   %8 = sub i64 %5, %6
;   %9 = select i1 %4, i64 %6, i64 %8
;   %10 = getelementptr inbounds double, ptr %1, i64 %9
;   %11 = getelementptr inbounds double, ptr %0, i64 %9
;   %12 = load double, ptr %11, align 8
;   store double 0.000000e+00, ptr %11, align 8
;   %13 = load double, ptr %10, align 8
;   %14 = fadd reassoc nsz double %13, %12
;   store double %14, ptr %10, align 8
;   %15 = add nuw nsw i64 %6, 1
;   br label %head
;
; done:                                             ; preds = %head
;   ret void
; }
