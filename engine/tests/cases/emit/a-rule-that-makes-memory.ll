; test emit reverse rd8,od8
; A function with a rule returns a pointer to memory of its own: the shadow of what it returns is made there.
@ct.rule.thunks = constant [2 x ptr] [ptr @primal, ptr @shadow]
declare void @ct.rule(ptr, i64, i64) #0
declare void @primal(ptr)
declare void @shadow(ptr, ptr)
define void @f(ptr %x, ptr %r) {
  %place = alloca ptr
  call void @ct.rule(ptr %place, i64 8, i64 28)
  %made = load ptr, ptr %place
  %v = load double, ptr %x
  store double %v, ptr %made
  %w = load double, ptr %made
  %y = fmul double %w, %w
  store double %y, ptr %r
  ret void
}
attributes #0 = { "cotangent-rule"="ct1|rule|is|table|oc" "cotangent-facts"="28" }
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = alloca ptr, align 8
;   %ct.shadow = alloca ptr, align 8
;   call void @llvm.memset.p0.i64(ptr align 8 %ct.shadow, i8 0, i64 8, i1 false)
;   call void @ct.rule(ptr %0, i64 8, i64 28)
;   call void @shadow(ptr %0, ptr %ct.shadow)
;   %1 = load ptr, ptr %0, align 8
;   %2 = load ptr, ptr %ct.shadow, align 8
;   %3 = load double, ptr %x, align 8
;   store double %3, ptr %1, align 8
;   store double 0.000000e+00, ptr %2, align 8
;   %4 = load double, ptr %1, align 8
;   %5 = fmul double %4, %4
;   store double %5, ptr %r, align 8
;   %6 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %7 = load double, ptr %1, align 8
;   %8 = fmul double %7, %6
;   %9 = fadd reassoc nsz double %8, %8
;   %10 = load double, ptr %2, align 8
;   %11 = fadd reassoc nsz double %10, %9
;   store double 0.000000e+00, ptr %2, align 8
;   %12 = load double, ptr %dx, align 8
;   %13 = fadd reassoc nsz double %12, %11
;   store double %13, ptr %dx, align 8
;   call void @llvm.memset.p0.i64(ptr align 1 %ct.shadow, i8 0, i64 8, i1 false)
;   ret void
; }
