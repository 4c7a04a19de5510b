; test emit forward rd,od8
; What only chooses a number is no structure: the discriminant of an `Option<usize>` beside a vector is not compared.
define void @f(ptr %x, ptr %r) {
entry:
  %p = load ptr, ptr %x
  %v = load double, ptr %p
  %at = getelementptr i8, ptr %x, i64 8
  %tag = load i32, ptr %at, !llvm.preserve.access.index !0
  %is = trunc nuw i32 %tag to i1
  br i1 %is, label %some, label %end
some:
  %n = getelementptr i8, ptr %x, i64 24
  %k = load i32, ptr %n
  br label %end
end:
  %times = phi i32 [ 1, %entry ], [ %k, %some ]
  %factor = uitofp i32 %times to double
  %y = fmul double %v, %factor
  store double %y, ptr %r
  ret void
}
!0 = !{!"ct.direct"}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load ptr, ptr %x, align 8
;   %1 = load ptr, ptr %dx, align 8
;   %2 = load double, ptr %0, align 8
;   %3 = load double, ptr %1, align 8
;   %4 = getelementptr i8, ptr %x, i64 8
;   %5 = load i32, ptr %4, align 4, !llvm.preserve.access.index !1
;   %6 = trunc nuw i32 %5 to i1
;   br i1 %6, label %tangent.1, label %tangent.2
;
; tangent.1:                                        ; preds = %entry
;   %7 = getelementptr i8, ptr %x, i64 24
;   %8 = load i32, ptr %7, align 4
;   br label %tangent.2
;
; tangent.2:                                        ; preds = %tangent.1, %entry
;   %9 = phi i32 [ 1, %entry ], [ %8, %tangent.1 ]
;   %10 = uitofp i32 %9 to double
;   %11 = fmul double %2, %10
;   %12 = fmul double %10, %3
;   store double %11, ptr %r, align 8
;   store double %12, ptr %dr, align 8
;   ret void
; }
