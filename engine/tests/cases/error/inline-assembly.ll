; test error reverse rd8,od8
; Nobody knows what it does to the value.
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = call double asm "sqrtsd $1, $0", "=x,x"(double %v)
  store double %y, ptr %r
  ret void
}
; expect:
; error[CT0202]: an active value goes through inline assembly
;  --> src/f.rs:7:3
;   |
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: give the function that holds the assembly a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0202`
