; test error reverse rd8,od8
; A call that stays hands out the bits of a float, turned round, of which a float is made again.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %turned = call i64 @bits_of(double %v, i64 3)
  %bits = call i64 @llvm.fshl.i64(i64 %turned, i64 %turned, i64 56)
  %y = bitcast i64 %bits to double
  store double %y, ptr %r
  ret void
}
define i64 @bits_of(double %v, i64 %n) {
entry:
  %at = alloca double
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  store volatile double %v, ptr %at
  %bits = load volatile i64, ptr %at
  %turned = call i64 @llvm.fshl.i64(i64 %bits, i64 %bits, i64 8)
  ret i64 %turned
again:
  %less = sub i64 %n, 1
  %double = fadd double %v, %v
  %others = call i64 @bits_of(double %double, i64 %less)
  ret i64 %others
}
declare i64 @llvm.fshl.i64(i64, i64, i64)
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
