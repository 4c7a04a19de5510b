; test error reverse rd8,od8
; A call that stays, of a function that may also be called through a pointer, hands out the bits of a float as an integer, of which a float is made again.
@functions = constant [1 x ptr] [ptr @bits_of]
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %bits = call i64 @bits_of(double %v, i64 3)
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
  ret i64 %bits
again:
  %less = sub i64 %n, 1
  %others = call i64 @bits_of(double %v, i64 %less)
  %float = bitcast i64 %others to double
  %double = fadd double %float, %float
  %result = bitcast double %double to i64
  ret i64 %result
}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:8:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:8
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
