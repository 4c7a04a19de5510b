; test emit reverse rd8,od8
; A heap block is given back after the reverse sweep, together with its shadow.
declare ptr @__rust_alloc(i64, i64)
declare void @__rust_dealloc(ptr, i64, i64)
define void @f(ptr %x, ptr %r) {
entry:
  %block = call ptr @__rust_alloc(i64 8, i64 8)
  %v = load double, ptr %x
  %u = fmul double %v, 3.0
  store double %u, ptr %block
  %w = load double, ptr %block
  %y = fmul double %w, %w
  store double %y, ptr %r
  call void @__rust_dealloc(ptr %block, i64 8, i64 8)
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = call ptr @__rust_alloc(i64 8, i64 8)
;   %1 = call ptr @__rust_alloc(i64 8, i64 8)
;   call void @llvm.memset.p0.i64(ptr align 1 %1, i8 0, i64 8, i1 false)
;   %2 = load double, ptr %x, align 8
;   %3 = fmul double %2, 3.000000e+00
;   store double %3, ptr %0, align 8
;   %4 = fmul double %3, %3
;   store double %4, ptr %r, align 8
;   %5 = icmp eq ptr %0, %1
;   %6 = select i1 %5, ptr null, ptr %1
;   call void @__ct_tape_defer(ptr @__rust_dealloc, ptr %0, i64 8, i64 8)
;   call void @__ct_tape_defer(ptr @__rust_dealloc, ptr %6, i64 8, i64 8)
;   %7 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %8 = load double, ptr %0, align 8
;   %9 = fmul double %8, %7
;   %10 = fadd reassoc nsz double %9, %9
;   %11 = load double, ptr %1, align 8
;   %12 = fadd reassoc nsz double %11, %10
;   store double 0.000000e+00, ptr %1, align 8
;   %13 = fmul double 3.000000e+00, %12
;   %14 = load double, ptr %dx, align 8
;   %15 = fadd reassoc nsz double %14, %13
;   store double %15, ptr %dx, align 8
;   ret void
; }
