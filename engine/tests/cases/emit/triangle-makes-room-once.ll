; test emit reverse rd8,rc,od8
; The inner count depends on the outer counter: room is made before both loops, for the larger of its counts at either end.
define void @f(ptr %x, ptr %n, ptr %r) {
entry:
  %m = load i64, ptr %n
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %outer, label %none
none:
  ret void
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t, %latch ]
  %count = sub i64 %m, %i
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %p = phi double [ %s, %outer ], [ %t, %inner ]
  %at = getelementptr double, ptr %x, i64 %j
  %v = load double, ptr %at
  %t = fmul double %p, %v
  %j.next = add nuw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %count
  br i1 %j.done, label %latch, label %inner
latch:
  %i.next = add nuw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %m
  br i1 %i.done, label %exit, label %outer
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load i64, ptr %n, align 8, !noalias !1
;   %1 = icmp sgt i64 %0, 0
;   br i1 %1, label %forward.2, label %reverse.7
;
; forward.2:                                        ; preds = %entry
;   %2 = add i64 %0, -1
;   %3 = mul i64 %2, -1
;   %4 = add i64 %2, %3
;   %5 = icmp sgt i64 %2, %4
;   %6 = select i1 %5, i64 %2, i64 %4
;   %7 = add i64 %6, 1
;   %8 = mul i64 %7, %0
;   %9 = icmp ule i64 %8, 4194304
;   %10 = select i1 %9, i64 %8, i64 0
;   %11 = icmp ugt i64 %10, 0
;   br i1 %11, label %grow, label %room
;
; forward.3:                                        ; preds = %forward.5, %room
;   %ct.capacity.0 = phi i64 [ %ct.capacity.1, %room ], [ %ct.capacity.2, %forward.5 ]
;   %ct.slot1.0 = phi ptr [ %ct.slot1.2, %room ], [ %ct.slot1.3, %forward.5 ]
;   %ct.slot.0 = phi i64 [ 0, %room ], [ %22, %forward.5 ]
;   %12 = phi i64 [ %29, %forward.5 ], [ 0, %room ]
;   %13 = phi double [ %26, %forward.5 ], [ 1.000000e+00, %room ]
;   %14 = mul i64 %12, -1
;   %15 = add i64 %2, %14
;   %16 = sub i64 %0, %12
;   %17 = add nuw nsw i64 %15, 1
;   %18 = add nuw nsw i64 %ct.slot.0, %17
;   %19 = icmp ugt i64 %18, %ct.capacity.0
;   br i1 %19, label %grow2, label %room3
;
; forward.4:                                        ; preds = %forward.4, %room3
;   %ct.slot.1 = phi i64 [ %ct.slot.0, %room3 ], [ %22, %forward.4 ]
;   %20 = phi i64 [ %27, %forward.4 ], [ 0, %room3 ]
;   %21 = phi double [ %13, %room3 ], [ %26, %forward.4 ]
;   %22 = add nuw nsw i64 %ct.slot.1, 1
;   %23 = getelementptr inbounds double, ptr %ct.slot1.3, i64 %ct.slot.1
;   store double %21, ptr %23, align 8, !alias.scope !1
;   %24 = getelementptr double, ptr %x, i64 %20
;   %25 = load double, ptr %24, align 8, !noalias !1
;   %26 = fmul double %21, %25
;   %27 = add nuw i64 %20, 1
;   %28 = icmp eq i64 %27, %16
;   br i1 %28, label %forward.5, label %forward.4
;
; forward.5:                                        ; preds = %forward.4
;   %29 = add nuw nsw i64 %12, 1
;   %30 = icmp eq i64 %29, %0
;   br i1 %30, label %forward.6, label %forward.3
;
; forward.6:                                        ; preds = %forward.5
;   store double %26, ptr %r, align 8, !noalias !1
;   br label %reverse.7
;
; grow:                                             ; preds = %forward.2
;   %31 = icmp ugt i64 64, %10
;   %32 = select i1 %31, i64 64, i64 %10
;   %33 = mul i64 %32, 8
;   %34 = call preserve_allcc ptr @ct.grow(ptr null, i64 0, i64 %33)
;   br label %room
;
; room:                                             ; preds = %grow, %forward.2
;   %ct.capacity.1 = phi i64 [ %32, %grow ], [ 0, %forward.2 ]
;   %ct.slot1.2 = phi ptr [ %34, %grow ], [ null, %forward.2 ]
;   br label %forward.3
;
; grow2:                                            ; preds = %forward.3
;   %35 = mul i64 %ct.capacity.0, 2
;   %36 = icmp ugt i64 %35, 64
;   %37 = select i1 %36, i64 %35, i64 64
;   %38 = icmp ugt i64 %37, %18
;   %39 = select i1 %38, i64 %37, i64 %18
;   %40 = mul i64 %ct.capacity.0, 8
;   %41 = mul i64 %39, 8
;   %42 = call preserve_allcc ptr @ct.grow(ptr %ct.slot1.0, i64 %40, i64 %41)
;   br label %room3
;
; room3:                                            ; preds = %grow2, %forward.3
;   %ct.capacity.2 = phi i64 [ %39, %grow2 ], [ %ct.capacity.0, %forward.3 ]
;   %ct.slot1.3 = phi ptr [ %42, %grow2 ], [ %ct.slot1.0, %forward.3 ]
;   br label %forward.4
;
; reverse.0:                                        ; preds = %leave, %reverse.7
;   ret void
;
; reverse.4:                                        ; preds = %back, %reverse.5
;   %ct.back4.0 = phi i64 [ %56, %reverse.5 ], [ %66, %back ]
;   %ct.adjoint6.0 = phi double [ %ct.adjoint5.0, %reverse.5 ], [ %47, %back ]
;   %ct.slot.3 = phi i64 [ %57, %reverse.5 ], [ %67, %back ]
;   %43 = getelementptr inbounds double, ptr %ct.slot1.1, i64 %ct.slot.3
;   %44 = load double, ptr %43, align 8, !alias.scope !1
;   %45 = getelementptr double, ptr %x, i64 %ct.back4.0
;   %46 = load double, ptr %45, align 8, !noalias !1
;   %47 = fmul double %46, %ct.adjoint6.0
;   %48 = fmul double %44, %ct.adjoint6.0
;   %49 = getelementptr double, ptr %dx, i64 %ct.back4.0
;   %50 = load double, ptr %49, align 8, !noalias !1
;   %51 = fadd reassoc nsz double %50, %48
;   store double %51, ptr %49, align 8, !noalias !1
;   %52 = icmp eq i64 %ct.back4.0, 0
;   br i1 %52, label %leave, label %back
;
; reverse.5:                                        ; preds = %back11, %edge.6
;   %ct.back.0 = phi i64 [ %64, %edge.6 ], [ %68, %back11 ]
;   %ct.adjoint5.0 = phi double [ %62, %edge.6 ], [ %47, %back11 ]
;   %ct.slot.4 = phi i64 [ %ct.slot.2, %edge.6 ], [ %ct.slot.3, %back11 ]
;   %53 = load i64, ptr %n, align 8, !noalias !1
;   %54 = add i64 %53, -1
;   %55 = mul i64 %ct.back.0, -1
;   %56 = add i64 %54, %55
;   %57 = sub i64 %ct.slot.4, 1
;   br label %reverse.4
;
; reverse.7:                                        ; preds = %forward.6, %entry
;   %ct.slot1.1 = phi ptr [ %ct.slot1.3, %forward.6 ], [ null, %entry ]
;   %ct.slot.2 = phi i64 [ %22, %forward.6 ], [ 0, %entry ]
;   %58 = load i64, ptr %n, align 8, !noalias !1
;   %59 = icmp sgt i64 %58, 0
;   %60 = select i1 %59, i32 1, i32 0
;   %61 = icmp eq i32 %60, 0
;   br i1 %61, label %reverse.0, label %edge.6
;
; edge.6:                                           ; preds = %reverse.7
;   %62 = load double, ptr %dr, align 8, !noalias !1
;   store double 0.000000e+00, ptr %dr, align 8, !noalias !1
;   %63 = load i64, ptr %n, align 8, !noalias !1
;   %64 = add i64 %63, -1
;   br label %reverse.5
;
; leave:                                            ; preds = %reverse.4
;   %65 = icmp eq i64 %ct.back.0, 0
;   br i1 %65, label %reverse.0, label %back11
;
; back:                                             ; preds = %reverse.4
;   %66 = sub i64 %ct.back4.0, 1
;   %67 = sub i64 %ct.slot.3, 1
;   br label %reverse.4
;
; back11:                                           ; preds = %leave
;   %68 = sub i64 %ct.back.0, 1
;   br label %reverse.5
; }
; ; Function Attrs: cold noinline nounwind
; define internal preserve_allcc noalias nonnull ptr @ct.grow(ptr %0, i64 %1, i64 %2) #1 {
; entry:
;   %3 = call ptr @__ct_tape_grow(ptr %0, i64 %1, i64 %2)
;   ret ptr %3
; }
