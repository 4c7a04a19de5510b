; test run rd,od
; A struct of float, integer, float is copied as a whole: the integer between the floats comes through unharmed.
; in %x = 1.5 i64:3 2.5
; in %r = _ i64:0 _
%record = type { double, i64, double }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %r) {
entry:
  %local = alloca %record
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %x, i64 24, i1 false)
  %a = load double, ptr %local
  %k.at = getelementptr inbounds %record, ptr %local, i64 0, i32 1
  %k = load i64, ptr %k.at
  %weight = sitofp i64 %k to double
  %y = fmul double %a, %weight
  store double %y, ptr %local
  %b.at = getelementptr inbounds %record, ptr %local, i64 0, i32 2
  %b = load double, ptr %b.at
  %c = fmul double %b, %a
  store double %c, ptr %b.at
  call void @llvm.memcpy.p0.p0.i64(ptr %r, ptr %local, i64 24, i1 false)
  ret void
}
; expect:
; value of %r: 4.5 3.75
; adjoint of %x: 4.818181818 1.090909091
