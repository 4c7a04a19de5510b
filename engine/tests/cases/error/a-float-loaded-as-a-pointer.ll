; test error reverse rd8,od8
; What is loaded as a pointer and cast to a float may be a float; where it cannot be loaded again as one, its derivative would be lost.
declare ptr @__rust_alloc(i64, i64)
define void @f(ptr %x, ptr %r) {
entry:
  %s = call ptr @__rust_alloc(i64 16, i64 8)
  %v = load double, ptr %x
  store double %v, ptr %s
  %p = load volatile ptr, ptr %s
  %i = ptrtoint ptr %p to i64
  %y = bitcast i64 %i to double
  %z = fadd double %y, 1.0
  store double %z, ptr %r
  ret void
}
; expect:
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
