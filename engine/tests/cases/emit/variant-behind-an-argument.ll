; test emit reverse rd,od8
; An enum of the user's, `Nothing | Line(Box<f64>)`: the shadow's discriminant is compared before a pointer behind it is followed.
define void @f(ptr %x, ptr %r) {
entry:
  %tag = load i64, ptr %x, !llvm.preserve.access.index !0
  %is = trunc nuw i64 %tag to i1
  br i1 %is, label %line, label %end
line:
  %at = getelementptr i8, ptr %x, i64 8
  %p = load ptr, ptr %at
  %v = load double, ptr %p
  br label %end
end:
  %y = phi double [ 1.0, %entry ], [ %v, %line ]
  store double %y, ptr %r
  ret void
}
!0 = !{!"ct.direct"}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load i64, ptr %x, align 8, !llvm.preserve.access.index !1
;   %1 = load i64, ptr %dx, align 8, !llvm.preserve.access.index !1
;   %2 = icmp eq i64 %0, %1
;   br i1 %2, label %same.shape, label %other.shape
;
; forward.1:                                        ; preds = %same.shape
;   %3 = getelementptr i8, ptr %x, i64 8
;   %4 = getelementptr i8, ptr %dx, i64 8
;   %5 = load ptr, ptr %3, align 8
;   %6 = load ptr, ptr %4, align 8
;   %7 = ptrtoint ptr %5 to i64
;   %8 = icmp ne ptr %5, %6
;   %9 = icmp ult i64 %7, 4096
;   %10 = or i1 %8, %9
;   br i1 %10, label %same.shape2, label %other.shape1
;
; forward.2:                                        ; preds = %same.shape2, %same.shape
;   %11 = phi double [ 1.000000e+00, %same.shape ], [ %18, %same.shape2 ]
;   store double %11, ptr %r, align 8
;   %12 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %13 = load i64, ptr %x, align 8, !llvm.preserve.access.index !1
;   %14 = trunc nuw i64 %13 to i1
;   %15 = select i1 %14, i32 1, i32 0
;   %16 = icmp eq i32 %15, 0
;   br i1 %16, label %reverse.0, label %edge.1
;
; other.shape:                                      ; preds = %entry
;   call void @__ct_variant_mismatch(i64 %0, i64 %1)
;   unreachable
;
; same.shape:                                       ; preds = %entry
;   %17 = trunc nuw i64 %0 to i1
;   br i1 %17, label %forward.1, label %forward.2
;
; other.shape1:                                     ; preds = %forward.1
;   call void @__ct_shared_memory(i64 0, i64 0)
;   unreachable
;
; same.shape2:                                      ; preds = %forward.1
;   %18 = load double, ptr %5, align 8
;   br label %forward.2
;
; reverse.0:                                        ; preds = %forward.2, %edge.1
;   ret void
;
; edge.1:                                           ; preds = %forward.2
;   %19 = getelementptr i8, ptr %dx, i64 8
;   %20 = load ptr, ptr %19, align 8
;   %21 = load double, ptr %20, align 8
;   %22 = fadd reassoc nsz double %21, %12
;   store double %22, ptr %20, align 8
;   br label %reverse.0
; }
