; test error reverse rd8,od8
; A choice by the bits of floats, out of memory, that is made a float again: it would be zero, as what is computed with numbers is.
declare ptr @__rust_alloc(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
define void @f(ptr %x, ptr %r) {
entry:
  %s = call ptr @__rust_alloc(i64 16, i64 8)
  %v = load double, ptr %x
  %b = bitcast double %v to i64
  store i64 %b, ptr %s
  %t = getelementptr i64, ptr %s, i64 1
  %w = fmul double %v, %v
  %c = bitcast double %w to i64
  store i64 %c, ptr %t
  %p = load volatile i64, ptr %s
  %q = load volatile i64, ptr %t
  %least = call i64 @llvm.umin.i64(i64 %p, i64 %q)
  %y = bitcast i64 %least to double
  %z = fmul double %y, 2.0
  store double %z, ptr %r
  ret void
}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:7:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
