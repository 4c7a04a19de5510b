; test emit reverse rd,od4
; An enum of the user's that is a float or a pointer, moved by halves: where both halves are of addresses in the primal and in the shadow, the program ends with a
; message.
define void @f(ptr %x, ptr %r) {
entry:
  %copy = alloca [8 x i8], align 8
  %low = load i32, ptr %x, align 8
  %above = getelementptr inbounds i8, ptr %x, i64 4
  %high = load i32, ptr %above, align 4
  store i32 %low, ptr %copy, align 8
  %copy.above = getelementptr inbounds i8, ptr %copy, i64 4
  store i32 %high, ptr %copy.above, align 4
  %v = load float, ptr %copy, align 8
  %w = load float, ptr %copy.above, align 4
  %y = fmul float %v, %w
  store float %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = alloca [8 x i8], align 8
;   %ct.shadow = alloca [8 x i8], align 8
;   call void @llvm.memset.p0.i64(ptr align 8 %ct.shadow, i8 0, i64 8, i1 false)
;   %1 = load i32, ptr %x, align 8
;   %2 = load i32, ptr %dx, align 8
;   %3 = icmp eq i32 %2, -2147483648
;   %4 = icmp ne i32 %1, -2147483648
;   %5 = and i1 %3, %4
;   %6 = lshr i32 %2, 23
;   %7 = and i32 %6, 255
;   %8 = add i32 %7, 1
;   %9 = and i32 %8, 254
;   %10 = icmp ne i32 %9, 0
;   %11 = and i32 %2, 4194303
;   %12 = icmp eq i32 %11, 0
;   %13 = icmp eq i32 %7, 255
;   %14 = and i1 %13, %12
;   %15 = or i1 %10, %14
;   %16 = select i1 %15, i32 0, i32 %2
;   %17 = select i1 %5, i32 0, i32 %16
;   %18 = load i64, ptr %x, align 8
;   %19 = sub i64 %18, 4294967296
;   %20 = icmp ult i64 %19, 36028792723996672
;   %21 = load i64, ptr %dx, align 8
;   %22 = sub i64 %21, 4294967296
;   %23 = icmp ult i64 %22, 36028792723996672
;   %24 = and i1 %20, %23
;   br i1 %24, label %in.doubt, label %told
;
; in.doubt:                                         ; preds = %entry
;   call void @__ct_refused(ptr @ct.message, i64 181)
;   unreachable
;
; told:                                             ; preds = %entry
;   %25 = getelementptr inbounds i8, ptr %x, i64 4
;   %26 = getelementptr inbounds i8, ptr %dx, i64 4
;   %27 = load i32, ptr %25, align 4
;   %28 = load i32, ptr %26, align 4
;   %29 = icmp eq i32 %28, -2147483648
;   %30 = icmp ne i32 %27, -2147483648
;   %31 = and i1 %29, %30
;   %32 = lshr i32 %28, 23
;   %33 = and i32 %32, 255
;   %34 = add i32 %33, 1
;   %35 = and i32 %34, 254
;   %36 = icmp ne i32 %35, 0
;   %37 = and i32 %28, 4194303
;   %38 = icmp eq i32 %37, 0
;   %39 = icmp eq i32 %33, 255
;   %40 = and i1 %39, %38
;   %41 = or i1 %36, %40
;   %42 = select i1 %41, i32 0, i32 %28
;   %43 = select i1 %31, i32 0, i32 %42
;   %44 = getelementptr inbounds i8, ptr %25, i64 -4
;   %45 = load i64, ptr %44, align 8
;   %46 = sub i64 %45, 4294967296
;   %47 = icmp ult i64 %46, 36028792723996672
;   %48 = getelementptr inbounds i8, ptr %26, i64 -4
;   %49 = load i64, ptr %48, align 8
;   %50 = sub i64 %49, 4294967296
;   %51 = icmp ult i64 %50, 36028792723996672
;   %52 = and i1 %47, %51
;   br i1 %52, label %in.doubt2, label %told3
;
; in.doubt2:                                        ; preds = %told
;   call void @__ct_refused(ptr @ct.message.1, i64 181)
;   unreachable
;
; told3:                                            ; preds = %told
;   store i32 %1, ptr %0, align 8
;   store i32 %17, ptr %ct.shadow, align 8
;   %53 = getelementptr inbounds i8, ptr %0, i64 4
;   %54 = getelementptr inbounds i8, ptr %ct.shadow, i64 4
;   store i32 %27, ptr %53, align 4
;   store i32 %43, ptr %54, align 4
;   %55 = load float, ptr %0, align 8
;   %56 = load float, ptr %53, align 4
;   %57 = fmul float %55, %56
;   store float %57, ptr %r, align 4
;   %58 = load float, ptr %dr, align 4
;   store float 0.000000e+00, ptr %dr, align 4
;   %59 = load float, ptr %0, align 8
;   %60 = load float, ptr %53, align 4
;   %61 = fmul float %60, %58
;   %62 = fmul float %59, %58
;   %63 = load float, ptr %54, align 4
;   %64 = fadd reassoc nsz float %63, %62
;   store float %64, ptr %54, align 4
;   %65 = load float, ptr %ct.shadow, align 8
;   %66 = fadd reassoc nsz float %65, %61
;   store float %66, ptr %ct.shadow, align 8
;   %67 = icmp eq i32 %43, 0
;   %68 = load i32, ptr %54, align 4
;   %69 = and i32 %68, 2139095040
;   %70 = icmp eq i32 %69, 0
;   %71 = select i1 %70, i32 0, i32 %68
;   %72 = bitcast i32 %71 to float
;   %73 = select i1 %67, float %72, float 0.000000e+00
;   store float 0.000000e+00, ptr %54, align 4
;   %74 = icmp eq i32 %17, 0
;   %75 = load i32, ptr %ct.shadow, align 4
;   %76 = and i32 %75, 2139095040
;   %77 = icmp eq i32 %76, 0
;   %78 = select i1 %77, i32 0, i32 %75
;   %79 = bitcast i32 %78 to float
;   %80 = select i1 %74, float %79, float 0.000000e+00
;   store float 0.000000e+00, ptr %ct.shadow, align 8
;   br i1 %67, label %reverse.0.then14, label %reverse.0.cont13
;
; reverse.0.then14:                                 ; preds = %told3
;   %.then.val15 = load float, ptr %26, align 4
;   br label %reverse.0.cont13
;
; reverse.0.cont13:                                 ; preds = %told3, %reverse.0.then14
;   %81 = phi float [ %.then.val15, %reverse.0.then14 ], [ 0.000000e+00, %told3 ]
;   %82 = fadd reassoc nsz float %81, %73
;   br i1 %67, label %reverse.0.then11, label %reverse.0.cont10
;
; reverse.0.then11:                                 ; preds = %reverse.0.cont13
;   store float %82, ptr %26, align 4
;   br label %reverse.0.cont10
;
; reverse.0.cont10:                                 ; preds = %reverse.0.cont13, %reverse.0.then11
;   br i1 %74, label %reverse.0.then9, label %reverse.0.else.critedge
;
; reverse.0.then9:                                  ; preds = %reverse.0.cont10
;   %.then.val = load float, ptr %dx, align 4
;   %83 = fadd reassoc nsz float %.then.val, %80
;   store float %83, ptr %dx, align 4
;   br label %reverse.0.cont
;
; reverse.0.else.critedge:                          ; preds = %reverse.0.cont10
;   br label %reverse.0.cont
;
; reverse.0.cont:                                   ; preds = %reverse.0.else.critedge, %reverse.0.then9
;   ret void
; }
