; test error reverse rd4,od4
; Bits of four floats, one more in each exponent, stored as integers and read again as floats: twice the floats, which nobody sees here.
define void @f(ptr %x, ptr %r) {
entry:
  %lanes = alloca [4 x float], align 16
  %v = load <4 x float>, ptr %x, align 4
  %bits = bitcast <4 x float> %v to <4 x i32>
  %more = add <4 x i32> %bits, splat (i32 8388608)
  store <4 x i32> %more, ptr %lanes, align 16
  %y = load float, ptr %lanes, align 16
  store float %y, ptr %r
  ret void
}
; expect:
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
