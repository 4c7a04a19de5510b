; test error reverse rd4,od4
; `enum Number { Int(i32), Float(f32) }`, handed over as one integer by a callee that only moves the float.
define void @f(ptr %x, ptr %r) {
entry:
  %made = call i64 @made(ptr %x, i32 3)
  %high = lshr i64 %made, 32
  %bits = trunc i64 %high to i32
  %y = bitcast i32 %bits to float
  store float %y, ptr %r
  ret void
}
define internal i64 @made(ptr %x, i32 %n) noinline {
entry:
  %last = icmp eq i32 %n, 0
  br i1 %last, label %float, label %deeper
deeper:
  %less = sub i32 %n, 1
  %again = call i64 @made(ptr %x, i32 %less)
  ret i64 %again
float:
  %v = load i32, ptr %x
  %wide = zext i32 %v to i64
  %up = shl nuw i64 %wide, 32
  %all = or i64 %up, 1
  ret i64 %all
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
