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
;   %3 = load i64, ptr %x, align 8
;   %4 = sub i64 %3, 4294967296
;   %5 = icmp ult i64 %4, 36028792723996672
;   %6 = load i64, ptr %dx, align 8
;   %7 = sub i64 %6, 4294967296
;   %8 = icmp ult i64 %7, 36028792723996672
;   %9 = and i1 %5, %8
;   br i1 %9, label %in.doubt, label %told
;
; in.doubt:                                         ; preds = %entry
;   call void @__ct_refused(ptr @ct.message, i64 181)
;   unreachable
;
; told:                                             ; preds = %entry
;   %10 = icmp eq i32 %2, -2147483648
;   %11 = icmp ne i32 %1, -2147483648
;   %12 = and i1 %10, %11
;   %13 = lshr i32 %2, 23
;   %14 = and i32 %13, 255
;   %15 = add i32 %14, 1
;   %16 = and i32 %15, 254
;   %17 = icmp ne i32 %16, 0
;   %18 = and i32 %2, 4194303
;   %19 = icmp eq i32 %18, 0
;   %20 = icmp eq i32 %14, 255
;   %21 = and i1 %20, %19
;   %22 = or i1 %17, %21
;   %23 = select i1 %22, i32 0, i32 %2
;   %24 = select i1 %12, i32 0, i32 %23
;   %25 = getelementptr inbounds i8, ptr %x, i64 4
;   %26 = getelementptr inbounds i8, ptr %dx, i64 4
;   %27 = load i32, ptr %25, align 4
;   %28 = load i32, ptr %26, align 4
;   %29 = getelementptr inbounds i8, ptr %25, i64 -4
;   %30 = load i64, ptr %29, align 8
;   %31 = sub i64 %30, 4294967296
;   %32 = icmp ult i64 %31, 36028792723996672
;   %33 = getelementptr inbounds i8, ptr %26, i64 -4
;   %34 = load i64, ptr %33, align 8
;   %35 = sub i64 %34, 4294967296
;   %36 = icmp ult i64 %35, 36028792723996672
;   %37 = and i1 %32, %36
;   br i1 %37, label %in.doubt2, label %told3
;
; in.doubt2:                                        ; preds = %told
;   call void @__ct_refused(ptr @ct.message.1, i64 181)
;   unreachable
;
; told3:                                            ; preds = %told
;   %38 = icmp eq i32 %28, -2147483648
;   %39 = icmp ne i32 %27, -2147483648
;   %40 = and i1 %38, %39
;   %41 = lshr i32 %28, 23
;   %42 = and i32 %41, 255
;   %43 = add i32 %42, 1
;   %44 = and i32 %43, 254
;   %45 = icmp ne i32 %44, 0
;   %46 = and i32 %28, 4194303
;   %47 = icmp eq i32 %46, 0
;   %48 = icmp eq i32 %42, 255
;   %49 = and i1 %48, %47
;   %50 = or i1 %45, %49
;   %51 = select i1 %50, i32 0, i32 %28
;   %52 = select i1 %40, i32 0, i32 %51
;   store i32 %1, ptr %0, align 8
;   store i32 %24, ptr %ct.shadow, align 8
;   %53 = getelementptr inbounds i8, ptr %0, i64 4
;   %54 = getelementptr inbounds i8, ptr %ct.shadow, i64 4
;   store i32 %27, ptr %53, align 4
;   store i32 %52, ptr %54, align 4
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
;   %67 = icmp eq i32 %52, 0
;   %68 = load i32, ptr %54, align 4
;   %69 = and i32 %68, 2139095040
;   %70 = icmp eq i32 %69, 0
;   %71 = select i1 %70, i32 0, i32 %68
;   %72 = bitcast i32 %71 to float
;   %73 = select i1 %67, float %72, float 0.000000e+00
;   store float 0.000000e+00, ptr %54, align 4
;   %74 = icmp eq i32 %24, 0
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
