; test error reverse as-it-is rd8,od8
; The same of a float that was put there as a number as wide as it is.
define void @f(ptr %in, ptr %out) {
entry:
  %x = load double, ptr %in
  %flag = fcmp ogt double %x, 1.0
  %from = alloca i64
  %to = alloca i64
  %bits = bitcast double %x to i64
  %word = select i1 %flag, i64 %bits, i64 0
  store i64 %word, ptr %from
  %low = load i32, ptr %from
  %high.from = getelementptr i8, ptr %from, i64 4
  %high = load i32, ptr %high.from
  store i32 %low, ptr %to
  %high.to = getelementptr i8, ptr %to, i64 4
  store i32 %high, ptr %high.to
  %y = load double, ptr %to
  store double %y, ptr %out
  ret void
}
!ct.may.halve.floats = !{!9}
!9 = !{}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:7:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
;
