; test error reverse md,od8
; The vector behind the argument is cut short; its shadow is the caller's and would have to be cut short too.
define void @f(ptr %v, ptr %r) {
entry:
  %place = getelementptr inbounds i8, ptr %v, i64 8
  %data = load ptr, ptr %place
  %first = load double, ptr %data
  %len = getelementptr inbounds i8, ptr %v, i64 16
  store i64 1, ptr %len
  store double %first, ptr %r
  ret void
}
; expect:
; error[CT0501]: the length or the place of a vector behind an argument is changed here
;  --> src/f.rs:7:3
;   |
;   = note: its shadow is the caller's, and would have to be another one after the call than before
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: work on a local copy of the vector, or write its elements in place
;   = note: for more, run `cargo cotangent explain CT0501`
