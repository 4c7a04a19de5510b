; test error reverse md
; The callees move numbers; that there are floats in two fields of the argument is known from its type alone.
define void @f(ptr "ct-given"="f4:0+0 f4:4+0 f4:16+0 f4:20+0" %x) {
entry:
  %word = call i64 @get(ptr %x, i64 0)
  call void @put(ptr %x, i64 2, i64 %word)
  ret void
}
define i64 @get(ptr %from, i64 %i) noinline {
entry:
  %at = getelementptr i64, ptr %from, i64 %i
  %word = load volatile i64, ptr %at
  ret i64 %word
}
define void @put(ptr %to, i64 %i, i64 %word) noinline {
entry:
  %at = getelementptr i64, ptr %to, i64 %i
  store volatile i64 %word, ptr %at
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
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
