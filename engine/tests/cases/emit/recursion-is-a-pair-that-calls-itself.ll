; test emit reverse rd8,rc,od8
; The augmented primal of a recursive function calls itself and keeps the inner tape on its own; the pullback calls itself with it.
define internal double @power(double %b, i64 %n) noinline {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %exit, label %more
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %b, i64 %m)
  %y = fmul double %b, %p
  br label %exit
exit:
  %result = phi double [ 1.0, %entry ], [ %y, %more ]
  ret double %result
}
define void @f(ptr %x, ptr %n, ptr %r) {
entry:
  %v = load double, ptr %x
  %k = load i64, ptr %n
  %y = call double @power(double %v, i64 %k)
  store double %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = load i64, ptr %n, align 8
;   %2 = call { double, ptr } @power.augmented(double %0, i64 %1)
;   %3 = extractvalue { double, ptr } %2, 0
;   %4 = extractvalue { double, ptr } %2, 1
;   store double %3, ptr %r, align 8
;   %5 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %6 = load double, ptr %x, align 8
;   %7 = load i64, ptr %n, align 8
;   %8 = call { double } @power.pullback(double %6, i64 %7, double %5, ptr %4)
;   %9 = extractvalue { double } %8, 0
;   %10 = load double, ptr %dx, align 8
;   %11 = fadd reassoc nsz double %10, %9
;   store double %11, ptr %dx, align 8
;   ret void
; }
; define internal { double, ptr } @power.augmented(double %0, i64 %1) {
; entry:
;   %2 = icmp eq i64 %1, 0
;   br i1 %2, label %forward.2, label %forward.1
;
; forward.1:                                        ; preds = %entry
;   %3 = sub i64 %1, 1
;   %4 = call { double, ptr } @power.augmented(double %0, i64 %3)
;   %5 = extractvalue { double, ptr } %4, 0
;   %6 = extractvalue { double, ptr } %4, 1
;   %7 = fmul double %0, %5
;   br label %forward.2
;
; forward.2:                                        ; preds = %forward.1, %entry
;   %ct.slot.0 = phi double [ undef, %entry ], [ %5, %forward.1 ]
;   %ct.slot1.0 = phi ptr [ undef, %entry ], [ %6, %forward.1 ]
;   %8 = phi double [ 1.000000e+00, %entry ], [ %7, %forward.1 ]
;   %9 = call ptr @__ct_tape_alloc(i64 16)
;   store double %ct.slot.0, ptr %9, align 8
;   %10 = getelementptr inbounds i8, ptr %9, i64 8
;   store ptr %ct.slot1.0, ptr %10, align 8
;   %11 = insertvalue { double, ptr } undef, double %8, 0
;   %12 = insertvalue { double, ptr } %11, ptr %9, 1
;   ret { double, ptr } %12
; }
; define internal { double } @power.pullback(double %0, i64 %1, double %2, ptr %3) {
; entry:
;   %4 = load double, ptr %3, align 8
;   %5 = getelementptr inbounds i8, ptr %3, i64 8
;   %6 = load ptr, ptr %5, align 8
;   %7 = icmp eq i64 %1, 0
;   br i1 %7, label %reverse.0, label %edge.1
;
; reverse.0:                                        ; preds = %entry, %edge.1
;   %ct.adjoint3.0 = phi double [ %14, %edge.1 ], [ 0.000000e+00, %entry ]
;   %8 = insertvalue { double } undef, double %ct.adjoint3.0, 0
;   ret { double } %8
;
; edge.1:                                           ; preds = %entry
;   %9 = fmul double %4, %2
;   %10 = fmul double %0, %2
;   %11 = sub i64 %1, 1
;   %12 = call { double } @power.pullback(double %0, i64 %11, double %10, ptr %6)
;   %13 = extractvalue { double } %12, 0
;   %14 = fadd reassoc nsz double %9, %13
;   br label %reverse.0
; }
