; test emit reverse rd,od
; A copy of a struct with an integer between its floats: the adjoints of the two floats move, the integer's place has none.
%record = type { double, i64, double }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %r) {
entry:
  %k.at = getelementptr inbounds %record, ptr %x, i64 0, i32 1
  %k = load i64, ptr %k.at
  %weight = sitofp i64 %k to double
  %b.at = getelementptr inbounds %record, ptr %x, i64 0, i32 2
  %b = load double, ptr %b.at
  %y = fmul double %b, %weight
  call void @llvm.memcpy.p0.p0.i64(ptr %r, ptr %x, i64 24, i1 false)
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = getelementptr inbounds %record, ptr %x, i64 0, i32 1
;   %1 = load i64, ptr %0, align 8
;   %2 = sitofp i64 %1 to double
;   %3 = getelementptr inbounds %record, ptr %x, i64 0, i32 2
;   %4 = load double, ptr %3, align 8
;   %5 = fmul double %4, %2
;   call void @llvm.memcpy.p0.p0.i64(ptr %r, ptr %x, i64 24, i1 false)
;   store double %5, ptr %r, align 8
;   %6 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %7 = getelementptr inbounds i8, ptr %dr, i64 16
;   %8 = load double, ptr %7, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   store double 0.000000e+00, ptr %7, align 8
;   %9 = getelementptr inbounds i8, ptr %dx, i64 16
;   %10 = load double, ptr %9, align 8
;   %11 = fadd reassoc nsz double %10, %8
;   store double %11, ptr %9, align 8
;   %12 = load i64, ptr %0, align 8
;   %13 = sitofp i64 %12 to double
;   %14 = fmul double %13, %6
;   %15 = fadd reassoc nsz double %11, %14
;   store double %15, ptr %9, align 8
;   ret void
; }
