; test emit reverse sd8,rc,od8
; A running product through two loops whose counts are known before: one array for the whole nest, filled by one cursor.
define void @f(ptr %x, i64 %n, ptr %rows, ptr %r) {
entry:
  %m = load i64, ptr %rows
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi double [ 1.0, %entry ], [ %s.inner, %outer.latch ]
  %i.more = icmp ult i64 %i, %m
  br i1 %i.more, label %inner, label %exit
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.body ]
  %s.inner = phi double [ %s, %outer ], [ %t, %inner.body ]
  %j.more = icmp ult i64 %j, %n
  br i1 %j.more, label %inner.body, label %outer.latch
inner.body:
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %t = fmul double %s.inner, %v
  %j.next = add nuw i64 %j, 1
  br label %inner
outer.latch:
  %i.next = add nuw i64 %i, 1
  br label %outer
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, i64 %n, ptr noalias %rows, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load i64, ptr %rows, align 8, !noalias !1
;   %1 = add nuw nsw i64 %n, 1
;   %2 = add nuw nsw i64 %0, 1
;   %3 = mul i64 %1, %2
;   %4 = mul i64 %3, 8
;   %5 = call ptr @__ct_tape_alloc(i64 %4)
;   br label %forward.1
;
; forward.1:                                        ; preds = %forward.5, %entry
;   %ct.slot.0 = phi i64 [ 0, %entry ], [ %13, %forward.5 ]
;   %6 = phi i64 [ %16, %forward.5 ], [ 0, %entry ]
;   %7 = phi double [ 1.000000e+00, %entry ], [ %12, %forward.5 ]
;   %8 = icmp ne i64 %6, %0
;   br i1 %8, label %forward.4, label %forward.2
;
; forward.2:                                        ; preds = %forward.1
;   store double %7, ptr %r, align 8, !noalias !1
;   %9 = load double, ptr %dr, align 8, !noalias !1
;   store double 0.000000e+00, ptr %dr, align 8, !noalias !1
;   %10 = load i64, ptr %rows, align 8, !noalias !1
;   br label %reverse.1
;
; forward.4:                                        ; preds = %forward.1, %forward.6
;   %ct.slot.1 = phi i64 [ %13, %forward.6 ], [ %ct.slot.0, %forward.1 ]
;   %11 = phi i64 [ %20, %forward.6 ], [ 0, %forward.1 ]
;   %12 = phi double [ %19, %forward.6 ], [ %7, %forward.1 ]
;   %13 = add nuw nsw i64 %ct.slot.1, 1
;   %14 = getelementptr inbounds double, ptr %5, i64 %ct.slot.1
;   store double %12, ptr %14, align 8, !alias.scope !1
;   %15 = icmp ne i64 %11, %n
;   br i1 %15, label %forward.6, label %forward.5
;
; forward.5:                                        ; preds = %forward.4
;   %16 = add nuw i64 %6, 1
;   br label %forward.1
;
; forward.6:                                        ; preds = %forward.4
;   %17 = getelementptr inbounds double, ptr %x, i64 %11
;   %18 = load double, ptr %17, align 8, !noalias !1
;   %19 = fmul double %12, %18
;   %20 = add nuw i64 %11, 1
;   br label %forward.4
;
; reverse.1:                                        ; preds = %reverse.4, %forward.2
;   %ct.back.0 = phi i64 [ %10, %forward.2 ], [ %34, %reverse.4 ]
;   %ct.adjoint6.0 = phi double [ %9, %forward.2 ], [ %ct.adjoint3.0, %reverse.4 ]
;   %ct.slot.2 = phi i64 [ %ct.slot.0, %forward.2 ], [ %ct.slot.3, %reverse.4 ]
;   %21 = icmp eq i64 %ct.back.0, 0
;   br i1 %21, label %leave8, label %back9
;
; reverse.4:                                        ; preds = %back9, %back
;   %ct.back2.0 = phi i64 [ %n, %back9 ], [ %23, %back ]
;   %ct.adjoint3.0 = phi double [ %ct.adjoint6.0, %back9 ], [ %29, %back ]
;   %ct.slot.3 = phi i64 [ %35, %back9 ], [ %24, %back ]
;   %22 = icmp eq i64 %ct.back2.0, 0
;   br i1 %22, label %reverse.1, label %back
;
; back:                                             ; preds = %reverse.4
;   %23 = sub i64 %ct.back2.0, 1
;   %24 = sub i64 %ct.slot.3, 1
;   %25 = getelementptr inbounds double, ptr %5, i64 %24
;   %26 = load double, ptr %25, align 8, !alias.scope !1
;   %27 = getelementptr inbounds double, ptr %x, i64 %23
;   %28 = load double, ptr %27, align 8, !noalias !1
;   %29 = fmul double %28, %ct.adjoint3.0
;   %30 = fmul double %26, %ct.adjoint3.0
;   %31 = getelementptr inbounds double, ptr %dx, i64 %23
;   %32 = load double, ptr %31, align 8, !noalias !1
;   %33 = fadd reassoc nsz double %32, %30
;   store double %33, ptr %31, align 8, !noalias !1
;   br label %reverse.4
;
; leave8:                                           ; preds = %reverse.1
;   ret void
;
; back9:                                            ; preds = %reverse.1
;   %34 = sub i64 %ct.back.0, 1
;   %35 = sub i64 %ct.slot.2, 1
;   br label %reverse.4
; }
