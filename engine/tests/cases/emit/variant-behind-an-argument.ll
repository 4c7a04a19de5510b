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
;   %0 = load i64, ptr %x, align 8, !llvm.preserve.access.index !0
;   %1 = load i64, ptr %dx, align 8, !llvm.preserve.access.index !0
;   %2 = icmp eq i64 %0, %1
;   br i1 %2, label %same.shape, label %other.shape
;
; forward.1:                                        ; preds = %same.shape
;   %3 = getelementptr i8, ptr %x, i64 8
;   %4 = load ptr, ptr %3, align 8
;   %5 = load double, ptr %4, align 8
;   br label %forward.2
;
; forward.2:                                        ; preds = %forward.1, %same.shape
;   %6 = phi double [ 1.000000e+00, %same.shape ], [ %5, %forward.1 ]
;   store double %6, ptr %r, align 8
;   %7 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %8 = load i64, ptr %x, align 8, !llvm.preserve.access.index !0
;   %9 = trunc nuw i64 %8 to i1
;   %10 = select i1 %9, i32 1, i32 0
;   %11 = icmp eq i32 %10, 0
;   br i1 %11, label %reverse.0, label %edge.1
;
; other.shape:                                      ; preds = %entry
;   call void @__ct_variant_mismatch(i64 %0, i64 %1)
;   unreachable
;
; same.shape:                                       ; preds = %entry
;   %12 = trunc nuw i64 %0 to i1
;   br i1 %12, label %forward.1, label %forward.2
;
; reverse.0:                                        ; preds = %forward.2, %edge.1
;   ret void
;
; edge.1:                                           ; preds = %forward.2
;   %13 = getelementptr i8, ptr %dx, i64 8
;   %14 = load ptr, ptr %13, align 8
;   %15 = load double, ptr %14, align 8
;   %16 = fadd reassoc nsz double %15, %7
;   store double %16, ptr %14, align 8
;   br label %reverse.0
; }
