; test memory sd8,sd8,od8
; As a rotated slice is written: turns are counted, each of them so many records long. A product is a multiple of what each of its factors is one of.
define void @f(ptr %x, i64 %n, ptr %y, i64 %k, ptr %r) {
entry:
  %rows = alloca [96 x i8], align 8
  %bytes = mul i64 %n, -24
  %at = mul i64 %k, %bytes
  %row = getelementptr inbounds i8, ptr %rows, i64 %at
  %v = load double, ptr %x
  %place = getelementptr inbounds i8, ptr %row, i64 8
  store double %v, ptr %place
  %count = load i64, ptr %row
  %wide = uitofp i64 %count to double
  %again = load double, ptr %place
  %s = fmul double %again, %wide
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%y: f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; stack %rows: i64 at 0+24k, f64 at 8+24k
; %rows -> stack %rows
; %row -> stack %rows
; %place -> stack %rows
