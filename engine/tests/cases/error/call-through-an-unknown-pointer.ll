; test error reverse rd8,rc,od8
; A function pointer from memory.
define void @f(ptr %x, ptr %table, ptr %r) {
entry:
  %v = load double, ptr %x
  %function = load ptr, ptr %table
  %y = call double %function(double %v)
  store double %y, ptr %r
  ret void
}
; expect:
; error[CT0203]: an active value goes into a call through a pointer that is not known when compiling
;  --> src/f.rs:7:3
;   |
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: call the function by name or through a generic parameter
;   = note: for more, run `cargo cotangent explain CT0203`
