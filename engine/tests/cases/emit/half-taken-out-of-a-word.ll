; test emit reverse rd,rc,od4
; A float, a number and a flag in one word that is taken apart: of the half that is the float it is checked that it is none, for itself. (In the word as a whole the
; number would pass for structure.)
define void @f(ptr %x, ptr %n, ptr %r) {
entry:
  %record = alloca [8 x i8], align 8
  %rows = alloca [8 x i8], align 8
  %v = load float, ptr %x
  store float %v, ptr %record, align 8
  %number.at = getelementptr inbounds i8, ptr %record, i64 4
  %number.given = load i16, ptr %n
  store i16 %number.given, ptr %number.at, align 4
  %flag.at = getelementptr inbounds i8, ptr %record, i64 6
  store i8 1, ptr %flag.at, align 2
  %word = load i64, ptr %record, align 8
  %low = trunc i64 %word to i32
  %above = lshr i64 %word, 32
  %number = trunc i64 %above to i16
  store i32 %low, ptr %rows, align 4
  %row.number = getelementptr inbounds i8, ptr %rows, i64 4
  store i16 %number, ptr %row.number, align 4
  %w = load float, ptr %rows, align 8
  %y = fmul float %w, %w
  store float %y, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %n, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = alloca [8 x i8], align 8
;   %ct.shadow = alloca [8 x i8], align 8
;   call void @llvm.memset.p0.i64(ptr align 8 %ct.shadow, i8 0, i64 8, i1 false)
;   %1 = alloca [8 x i8], align 8
;   %ct.shadow1 = alloca [8 x i8], align 8
;   call void @llvm.memset.p0.i64(ptr align 8 %ct.shadow1, i8 0, i64 8, i1 false)
;   %2 = load float, ptr %x, align 4
;   store float %2, ptr %0, align 8
;   store float 0.000000e+00, ptr %ct.shadow, align 8
;   %3 = getelementptr inbounds i8, ptr %0, i64 4
;   %4 = getelementptr inbounds i8, ptr %ct.shadow, i64 4
;   %5 = load i16, ptr %n, align 2
;   store i16 %5, ptr %3, align 4
;   store i16 %5, ptr %4, align 4
;   %6 = getelementptr inbounds i8, ptr %0, i64 6
;   %7 = getelementptr inbounds i8, ptr %ct.shadow, i64 6
;   store i8 1, ptr %6, align 2
;   store i8 1, ptr %7, align 2
;   %8 = load i64, ptr %0, align 8
;   %9 = load i64, ptr %ct.shadow, align 8
;   %10 = and i64 %8, 4294967295
;   %11 = and i64 %9, 4294967295
;   %12 = icmp ne i64 %10, 0
;   %13 = icmp eq i64 %11, 0
;   %14 = and i1 %12, %13
;   %15 = icmp eq i1 %14, false
;   br i1 %15, label %structure, label %float.bits
;
; float.bits:                                       ; preds = %entry
;   call void @__ct_refused(ptr @ct.message, i64 168)
;   unreachable
;
; structure:                                        ; preds = %entry
;   %16 = trunc i64 %8 to i32
;   %17 = lshr i64 %8, 32
;   %18 = trunc i64 %17 to i16
;   store i32 %16, ptr %1, align 4
;   store i32 %16, ptr %ct.shadow1, align 4
;   %19 = getelementptr inbounds i8, ptr %1, i64 4
;   store i16 %18, ptr %19, align 4
;   %20 = load float, ptr %1, align 8
;   %21 = fmul float %20, %20
;   store float %21, ptr %r, align 4
;   %22 = load float, ptr %dr, align 4
;   store float 0.000000e+00, ptr %dr, align 4
;   %23 = load float, ptr %1, align 8
;   %24 = fmul float %23, %22
;   %25 = fadd reassoc nsz float %24, %24
;   %26 = load float, ptr %ct.shadow1, align 8
;   %27 = fadd reassoc nsz float %26, %25
;   store float %27, ptr %ct.shadow1, align 8
;   store i32 0, ptr %ct.shadow1, align 4
;   %28 = trunc i64 %9 to i32
;   %29 = icmp eq i32 %28, 0
;   %30 = lshr i64 %9, 32
;   %31 = trunc i64 %30 to i32
;   %32 = icmp eq i32 %31, 0
;   %.sroa.speculate.load.true8 = load float, ptr %ct.shadow, align 4
;   %.sroa.speculated10 = select i1 %29, float %.sroa.speculate.load.true8, float 0.000000e+00
;   %spec.store.select = select i1 %29, float %.sroa.speculated10, float %.sroa.speculate.load.true8
;   store float %spec.store.select, ptr %ct.shadow, align 4
;   %spec.select = select i1 %29, float 0.000000e+00, float %.sroa.speculated10
;   %.sroa.speculate.load.true = load float, ptr %4, align 4
;   %.sroa.speculated = select i1 %32, float %.sroa.speculate.load.true, float %spec.select
;   br i1 %32, label %reverse.0.then, label %reverse.0.cont
;
; reverse.0.then:                                   ; preds = %structure
;   store float %.sroa.speculated, ptr %4, align 4
;   br label %reverse.0.cont
;
; reverse.0.cont:                                   ; preds = %structure, %reverse.0.then
;   %33 = load float, ptr %ct.shadow, align 8
;   store float 0.000000e+00, ptr %ct.shadow, align 8
;   %34 = load float, ptr %dx, align 4
;   %35 = fadd reassoc nsz float %34, %33
;   store float %35, ptr %dx, align 4
;   ret void
; }
