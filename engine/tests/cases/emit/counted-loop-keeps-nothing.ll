; test emit reverse sd8,od8
; A sum of squares: the reverse loop counts down and loads the elements again. No tape.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %square = fmul double %v, %v
  %t = fadd double %s, %square
  %next = add nuw i64 %i, 1
  br label %head
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
;   %0 = phi i64 [ %8, %forward.3 ], [ 0, %entry ]
;   %1 = phi double [ 0.000000e+00, %entry ], [ %7, %forward.3 ]
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
;   %7 = fadd double %1, %6
;   %8 = add nuw i64 %0, 1
;   br label %forward.1
;
; reverse.1:                                        ; preds = %forward.2, %back
;   %ct.back.0 = phi i64 [ %n, %forward.2 ], [ %10, %back ]
;   %9 = icmp eq i64 %ct.back.0, 0
;   br i1 %9, label %leave, label %back
;
; leave:                                            ; preds = %reverse.1
;   ret void
;
; back:                                             ; preds = %reverse.1
;   %10 = sub i64 %ct.back.0, 1
;   %11 = getelementptr inbounds double, ptr %x, i64 %10
;   %12 = load double, ptr %11, align 8
;   %13 = fmul double %12, %3
;   %14 = fadd reassoc nsz double %13, %13
;   %15 = getelementptr inbounds double, ptr %dx, i64 %10
;   %16 = load double, ptr %15, align 8
;   %17 = fadd reassoc nsz double %16, %14
;   store double %17, ptr %15, align 8
;   br label %reverse.1
; }
