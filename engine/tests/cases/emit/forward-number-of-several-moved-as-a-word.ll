; test emit forward md8,md,od8
; A constant float that is moved as a number, one of several: its tangent is zero, whatever way control came.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %w = load double, ptr %x
  %i = fcmp ogt double %w, 0.0
  %n = load i32, ptr %m
  %a = uitofp i32 %n to double
  %b = fmul double %a, 10.0
  br i1 %i, label %one, label %two
one:
  %u = bitcast double %a to i64
  br label %done
two:
  %v = bitcast double %b to i64
  br label %done
done:
  %bits = phi i64 [ %u, %one ], [ %v, %two ]
  %place = getelementptr inbounds i8, ptr %m, i64 8
  store i64 %bits, ptr %place
  %again = load double, ptr %place
  %s = fmul double %again, %w
  store double %s, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %m, ptr noalias %dm, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8
;   %1 = load double, ptr %dx, align 8
;   %2 = fcmp ogt double %0, 0.000000e+00
;   %3 = load i32, ptr %m, align 4
;   %4 = uitofp i32 %3 to double
;   %5 = fmul double %4, 1.000000e+01
;   %6 = bitcast double %4 to i64
;   %7 = bitcast double %5 to i64
;   %8 = select i1 %2, i64 %6, i64 %7
;   %9 = getelementptr inbounds i8, ptr %m, i64 8
;   %10 = getelementptr inbounds i8, ptr %dm, i64 8
;   store i64 %8, ptr %9, align 8
;   store i64 0, ptr %10, align 8
;   %11 = load double, ptr %9, align 8
;   %12 = load double, ptr %10, align 8
;   %13 = fmul double %11, %0
;   %14 = fmul double %0, %12
;   %15 = fmul double %11, %1
;   %16 = fadd double %14, %15
;   store double %13, ptr %r, align 8
;   store double %16, ptr %dr, align 8
;   ret void
; }
