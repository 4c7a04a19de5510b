; test activity rd,od8
; Memory with floats at 0 and integers at 8: only what is loaded from the floats' place is active.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %q = getelementptr inbounds i8, ptr %x, i64 8
  %k = load i64, ptr %q
  %weight = sitofp i64 %k to double
  %y = fmul double %v, %weight
  store double %y, ptr %r
  ret void
}
; expect:
; active: %v, %y
; active memory: *%x, *%r
