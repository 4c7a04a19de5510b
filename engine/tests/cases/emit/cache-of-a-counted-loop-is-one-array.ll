; test emit reverse wrapper sd8,od8
; A running product: its values are kept in one array of the loop's length, made before the loop. The wrapper gives it back, also when the
; derivative unwinds.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 1.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = add nuw nsw i64 %n, 1
;   %1 = mul i64 %0, 8
;   %2 = call ptr @__ct_tape_alloc(i64 %1)
;   br label %forward.1
;
; forward.1:                                        ; preds = %forward.3, %entry
;   %ct.slot.0 = phi i64 [ 0, %entry ], [ %5, %forward.3 ]
;   %3 = phi i64 [ %12, %forward.3 ], [ 0, %entry ]
;   %4 = phi double [ 1.000000e+00, %entry ], [ %11, %forward.3 ]
;   %5 = add nuw nsw i64 %ct.slot.0, 1
;   %6 = getelementptr inbounds double, ptr %2, i64 %ct.slot.0
;   store double %4, ptr %6, align 8, !alias.scope !1
;   %7 = icmp ne i64 %3, %n
;   br i1 %7, label %forward.3, label %forward.2
;
; forward.2:                                        ; preds = %forward.1
;   store double %4, ptr %r, align 8, !noalias !1
;   %8 = load double, ptr %dr, align 8, !noalias !1
;   store double 0.000000e+00, ptr %dr, align 8, !noalias !1
;   br label %reverse.1
;
; forward.3:                                        ; preds = %forward.1
;   %9 = getelementptr inbounds double, ptr %x, i64 %3
;   %10 = load double, ptr %9, align 8, !noalias !1
;   %11 = fmul double %4, %10
;   %12 = add nuw i64 %3, 1
;   br label %forward.1
;
; reverse.1:                                        ; preds = %forward.2, %back
;   %ct.back.0 = phi i64 [ %n, %forward.2 ], [ %14, %back ]
;   %ct.adjoint2.0 = phi double [ %8, %forward.2 ], [ %20, %back ]
;   %ct.slot.1 = phi i64 [ %ct.slot.0, %forward.2 ], [ %15, %back ]
;   %13 = icmp eq i64 %ct.back.0, 0
;   br i1 %13, label %leave, label %back
;
; leave:                                            ; preds = %reverse.1
;   ret void
;
; back:                                             ; preds = %reverse.1
;   %14 = sub i64 %ct.back.0, 1
;   %15 = sub i64 %ct.slot.1, 1
;   %16 = getelementptr inbounds double, ptr %2, i64 %15
;   %17 = load double, ptr %16, align 8, !alias.scope !1
;   %18 = getelementptr inbounds double, ptr %x, i64 %14
;   %19 = load double, ptr %18, align 8, !noalias !1
;   %20 = fmul double %19, %ct.adjoint2.0
;   %21 = fmul double %17, %ct.adjoint2.0
;   %22 = getelementptr inbounds double, ptr %dx, i64 %14
;   %23 = load double, ptr %22, align 8, !noalias !1
;   %24 = fadd reassoc nsz double %23, %21
;   store double %24, ptr %22, align 8, !noalias !1
;   br label %reverse.1
; }
; define void @d(ptr %0, ptr %1, i64 %2, ptr %3, ptr %4) personality ptr @rust_eh_personality {
; entry:
;   %5 = call i64 @__ct_tape_mark()
;   invoke void @d.body(ptr %0, ptr %1, i64 %2, ptr %3, ptr %4)
;           to label %normal unwind label %unwind
;
; normal:                                           ; preds = %entry
;   call void @__ct_tape_release(i64 %5)
;   ret void
;
; unwind:                                           ; preds = %entry
;   %6 = landingpad { ptr, i32 }
;           cleanup
;   call void @__ct_tape_release(i64 %5)
;   resume { ptr, i32 } %6
; }
