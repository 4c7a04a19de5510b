; test emit reverse sd8,od8
; What is used on one way through a loop alone: nothing of its adjoint is carried round the loop.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %square = fmul double %v, %v
  %odd = trunc i64 %i to i1
  br i1 %odd, label %used, label %next
used:
  %sum = fadd double %s, %square
  br label %next
next:
  %s.next = phi double [ %s, %body ], [ %sum, %used ]
  %i.next = add nuw i64 %i, 1
  br label %loop
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   br label %forward.1
;
; forward.1:                                        ; preds = %forward.3, %entry
;   %0 = phi i64 [ %10, %forward.3 ], [ 0, %entry ]
;   %1 = phi double [ 0.000000e+00, %entry ], [ %9, %forward.3 ]
;   %2 = icmp ne i64 %0, %n
;   br i1 %2, label %forward.3, label %forward.2
;
; forward.2:                                        ; preds = %forward.1
;   store double %1, ptr %r, align 8
;   %3 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   br label %reverse.1
;
; forward.3:                                        ; preds = %forward.1
;   %4 = getelementptr inbounds double, ptr %x, i64 %0
;   %5 = load double, ptr %4, align 8
;   %6 = fmul double %5, %5
;   %7 = trunc i64 %0 to i1
;   %8 = fadd double %1, %6
;   %9 = select i1 %7, double %8, double %1
;   %10 = add nuw i64 %0, 1
;   br label %forward.1
;
; reverse.1:                                        ; preds = %forward.2, %back
;   %ct.back.0 = phi i64 [ %n, %forward.2 ], [ %12, %back ]
;   %11 = icmp eq i64 %ct.back.0, 0
;   br i1 %11, label %leave, label %back
;
; leave:                                            ; preds = %reverse.1
;   ret void
;
; back:                                             ; preds = %reverse.1
;   %12 = sub i64 %ct.back.0, 1
;   %13 = trunc i64 %12 to i1
;   %14 = select i1 %13, i32 1, i32 0
;   %15 = icmp eq i32 %14, 0
;   %spec.select = select i1 %15, double 0.000000e+00, double %3
;   %16 = getelementptr inbounds double, ptr %x, i64 %12
;   %17 = load double, ptr %16, align 8
;   %18 = fmul double %17, %spec.select
;   %19 = fcmp oeq double %spec.select, 0.000000e+00
;   %20 = select i1 %19, double 0.000000e+00, double %18
;   %21 = fadd reassoc nsz double %20, %20
;   %22 = getelementptr inbounds double, ptr %dx, i64 %12
;   %23 = load double, ptr %22, align 8
;   %24 = fadd reassoc nsz double %23, %21
;   store double %24, ptr %22, align 8
;   br label %reverse.1
; }
