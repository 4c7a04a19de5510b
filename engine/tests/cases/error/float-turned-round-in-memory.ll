; test error forward rd8,od8
; The bytes of a float are turned round, put down and turned round again: `to_be_bytes` and `from_be_bytes` with a buffer between.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [16 x i8]
  %v = load i64, ptr %x
  %turned = call i64 @llvm.bswap.i64(i64 %v)
  store i64 %turned, ptr %a
  call void @touch(ptr %a)
  %w = load i64, ptr %a
  %again = call i64 @llvm.bswap.i64(i64 %w)
  %y = bitcast i64 %again to double
  %z = fmul double %y, 2.0
  store double %z, ptr %r
  ret void
}
define void @touch(ptr %p) noinline {
entry:
  %at = getelementptr i8, ptr %p, i64 8
  store volatile i8 1, ptr %at
  ret void
}
declare i64 @llvm.bswap.i64(i64)
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
