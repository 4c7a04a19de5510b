; test emit reverse sd8,od8
; A bounds check panics where the primal would have; the reverse sweep does not check again.
declare void @panic() cold noreturn
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %inside = icmp ugt i64 %n, 3
  br i1 %inside, label %body, label %out
body:
  %p = getelementptr inbounds double, ptr %x, i64 3
  %v = load double, ptr %p
  %y = fmul double %v, %v
  store double %y, ptr %r
  ret void
out:
  call void @panic()
  unreachable
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = icmp ugt i64 %n, 3
;   br i1 %0, label %forward.2, label %forward.1
;
; forward.1:                                        ; preds = %entry
;   call void @panic()
;   unreachable
;
; forward.2:                                        ; preds = %entry
;   %1 = getelementptr inbounds double, ptr %x, i64 3
;   %2 = load double, ptr %1, align 8
;   %3 = fmul double %2, %2
;   store double %3, ptr %r, align 8
;   %4 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %5 = load double, ptr %1, align 8
;   %6 = fmul double %5, %4
;   %7 = fadd reassoc nsz double %6, %6
;   %8 = getelementptr inbounds double, ptr %dx, i64 3
;   %9 = load double, ptr %8, align 8
;   %10 = fadd reassoc nsz double %9, %7
;   store double %10, ptr %8, align 8
;   ret void
; }
