; test error reverse rd,od8
; The same bytes are read as an `f64` and as an `f32`: half of a float's bits have no adjoint.
define void @f(ptr %x, ptr %r) {
entry:
  %wide = load double, ptr %x
  %narrow = load float, ptr %x
  %n = fpext float %narrow to double
  %s = fadd double %wide, %n
  store double %s, ptr %r
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
