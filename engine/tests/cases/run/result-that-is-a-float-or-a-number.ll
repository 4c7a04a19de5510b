; test run sd8,od8
; What is stored as the result is a float on one way and a number on the other: the seed, which is in the result's shadow from the start, survives the forward sweep.
; in %x = 1.5 -0.25
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %a = load double, ptr %x
  %square = fmul double %a, %a
  %is.small = fcmp olt double %square, 100.0
  br i1 %is.small, label %float, label %number
float:
  store double %square, ptr %r
  br label %exit
number:
  store i64 %n, ptr %r
  br label %exit
exit:
  ret void
}
; expect:
; value of %r: 2.25
; adjoint of %x: 3 0
