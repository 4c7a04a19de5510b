; test emit reverse rd8,od8
; How often this runs nobody knows before: the array grows out of line, and the trips are counted.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  br label %head
head:
  %s = phi double [ 1.0, %entry ], [ %t, %head ]
  %t = fmul double %s, %v
  %done = fcmp ogt double %t, 100.0
  br i1 %done, label %exit, label %head
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load double, ptr %x, align 8, !noalias !1
;   br label %forward.1
;
; forward.1:                                        ; preds = %room, %entry
;   %ct.capacity.0 = phi i64 [ 0, %entry ], [ %ct.capacity.1, %room ]
;   %ct.slot1.0 = phi ptr [ null, %entry ], [ %ct.slot1.1, %room ]
;   %ct.slot.0 = phi i64 [ 0, %entry ], [ %3, %room ]
;   %1 = phi i64 [ %17, %room ], [ 0, %entry ]
;   %2 = phi double [ 1.000000e+00, %entry ], [ %15, %room ]
;   %3 = add nuw nsw i64 %ct.slot.0, 1
;   %4 = icmp ugt i64 %3, %ct.capacity.0
;   br i1 %4, label %grow, label %room
;
; forward.2:                                        ; preds = %room
;   store double %15, ptr %r, align 8, !noalias !1
;   %5 = load double, ptr %dr, align 8, !noalias !1
;   store double 0.000000e+00, ptr %dr, align 8, !noalias !1
;   br label %reverse.1
;
; grow:                                             ; preds = %forward.1
;   %6 = mul i64 %ct.capacity.0, 2
;   %7 = icmp ugt i64 %6, 64
;   %8 = select i1 %7, i64 %6, i64 64
;   %9 = icmp ugt i64 %8, %3
;   %10 = select i1 %9, i64 %8, i64 %3
;   %11 = mul i64 %ct.capacity.0, 8
;   %12 = mul i64 %10, 8
;   %13 = call preserve_allcc ptr @ct.grow(ptr %ct.slot1.0, i64 %11, i64 %12)
;   br label %room
;
; room:                                             ; preds = %grow, %forward.1
;   %ct.capacity.1 = phi i64 [ %10, %grow ], [ %ct.capacity.0, %forward.1 ]
;   %ct.slot1.1 = phi ptr [ %13, %grow ], [ %ct.slot1.0, %forward.1 ]
;   %14 = getelementptr inbounds double, ptr %ct.slot1.1, i64 %ct.slot.0
;   store double %2, ptr %14, align 8, !alias.scope !1
;   %15 = fmul double %2, %0
;   %16 = fcmp ogt double %15, 1.000000e+02
;   %17 = add nuw nsw i64 %1, 1
;   br i1 %16, label %forward.2, label %forward.1
;
; reverse.1:                                        ; preds = %back, %forward.2
;   %ct.back.0 = phi i64 [ %1, %forward.2 ], [ %27, %back ]
;   %ct.adjoint3.0 = phi double [ %5, %forward.2 ], [ %21, %back ]
;   %ct.slot.1 = phi i64 [ %ct.slot.0, %forward.2 ], [ %28, %back ]
;   %ct.adjoint5.0 = phi double [ 0.000000e+00, %forward.2 ], [ %23, %back ]
;   %18 = getelementptr inbounds double, ptr %ct.slot1.1, i64 %ct.slot.1
;   %19 = load double, ptr %18, align 8, !alias.scope !1
;   %20 = load double, ptr %x, align 8, !noalias !1
;   %21 = fmul double %20, %ct.adjoint3.0
;   %22 = fmul double %19, %ct.adjoint3.0
;   %23 = fadd reassoc nsz double %ct.adjoint5.0, %22
;   %24 = icmp eq i64 %ct.back.0, 0
;   br i1 %24, label %leave, label %back
;
; leave:                                            ; preds = %reverse.1
;   %25 = load double, ptr %dx, align 8, !noalias !1
;   %26 = fadd reassoc nsz double %25, %23
;   store double %26, ptr %dx, align 8, !noalias !1
;   ret void
;
; back:                                             ; preds = %reverse.1
;   %27 = sub i64 %ct.back.0, 1
;   %28 = sub i64 %ct.slot.1, 1
;   br label %reverse.1
; }
; ; Function Attrs: cold noinline nounwind
; define internal preserve_allcc noalias nonnull ptr @ct.grow(ptr %0, i64 %1, i64 %2) #1 {
; entry:
;   %3 = call ptr @__ct_tape_grow(ptr %0, i64 %1, i64 %2)
;   ret ptr %3
; }
