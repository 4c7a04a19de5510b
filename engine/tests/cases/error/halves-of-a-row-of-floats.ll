; test error reverse as-it-is rd8,od8
; Types of which one variant has floats where another has numbers of four bytes: what is moved as two of these may be a float, though it is known of no float for certain that
; it lies there.
define void @f(ptr %in, ptr %out) {
entry:
  %x = load double, ptr %in
  %length = load double, ptr %out
  %i = fptosi double %length to i64
  %row = alloca [4 x double]
  %copy = alloca [4 x double]
  %at = getelementptr double, ptr %row, i64 %i
  store double %x, ptr %at
  %behind = getelementptr i8, ptr %row, i64 24
  store i64 %i, ptr %behind
  %low.from = getelementptr i8, ptr %row, i64 8
  %low = load i32, ptr %low.from
  %high.from = getelementptr i8, ptr %row, i64 12
  %high = load i32, ptr %high.from
  %low.to = getelementptr i8, ptr %copy, i64 8
  store i32 %low, ptr %low.to
  %high.to = getelementptr i8, ptr %copy, i64 12
  store i32 %high, ptr %high.to
  %y = load double, ptr %low.to
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
