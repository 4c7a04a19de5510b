; test emit reverse sd8,od8
; Two `noalias readonly` parameters of a callee: their shadows are written, and carry no `noalias`; that of the exclusive one does.
define internal double @g(ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %c) noinline {
  %v = load double, ptr %a
  %w = load double, ptr %b
  %y = fmul double %v, %w
  store double %y, ptr %c
  ret double %y
}
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %local = alloca double
  %second = getelementptr inbounds double, ptr %x, i64 1
  %y = call double @g(ptr %x, ptr %second, ptr %local)
  %z = load double, ptr %local
  %s = fadd double %y, %z
  store double %s, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = alloca double, align 8
;   %ct.shadow = alloca double, align 8
;   call void @llvm.memset.p0.i64(ptr align 8 %ct.shadow, i8 0, i64 8, i1 false)
;   %1 = getelementptr inbounds double, ptr %x, i64 1
;   %2 = getelementptr inbounds double, ptr %dx, i64 1
;   %3 = call { double, ptr } @g.augmented(ptr %x, ptr %1, ptr %0, ptr %dx, ptr %2, ptr %ct.shadow)
;   %4 = extractvalue { double, ptr } %3, 0
;   %5 = extractvalue { double, ptr } %3, 1
;   %6 = load double, ptr %0, align 8
;   %7 = fadd double %4, %6
;   store double %7, ptr %r, align 8
;   %8 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %9 = load double, ptr %ct.shadow, align 8
;   %10 = fadd reassoc nsz double %9, %8
;   store double %10, ptr %ct.shadow, align 8
;   %11 = call {} @g.pullback(ptr %x, ptr %1, ptr %0, ptr %dx, ptr %2, ptr %ct.shadow, double %8, ptr %5)
;   ret void
; }
; define internal { double, ptr } @g.augmented(ptr %0, ptr %1, ptr noalias %2, ptr %3, ptr %4, ptr noalias %5) {
; entry:
;   %6 = load double, ptr %0, align 8
;   %7 = load double, ptr %1, align 8
;   %8 = fmul double %6, %7
;   store double %8, ptr %2, align 8
;   %9 = insertvalue { double, ptr } undef, double %8, 0
;   %10 = insertvalue { double, ptr } %9, ptr null, 1
;   ret { double, ptr } %10
; }
; define internal {} @g.pullback(ptr %0, ptr %1, ptr noalias %2, ptr %3, ptr %4, ptr noalias %5, double %6, ptr %7) {
; entry:
;   %8 = load double, ptr %5, align 8
;   %9 = fadd reassoc nsz double %6, %8
;   store double 0.000000e+00, ptr %5, align 8
;   %10 = load double, ptr %0, align 8
;   %11 = load double, ptr %1, align 8
;   %12 = fmul double %11, %9
;   %13 = fmul double %10, %9
;   %14 = load double, ptr %4, align 8
;   %15 = fadd reassoc nsz double %14, %13
;   store double %15, ptr %4, align 8
;   %16 = load double, ptr %3, align 8
;   %17 = fadd reassoc nsz double %16, %12
;   store double %17, ptr %3, align 8
;   ret {} undef
; }
