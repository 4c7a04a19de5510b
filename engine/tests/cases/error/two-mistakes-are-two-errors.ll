; test error reverse rd8,od8
; All of a function's mistakes at once.
@LAST = global double 0.0
declare double @vendor_norm(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = call double @vendor_norm(double %v)
  store double %v, ptr @LAST
  %z = load double, ptr @LAST
  %s = fadd double %y, %z
  store double %s, ptr %r
  ret void
}
; expect:
; error[CT0201]: cannot differentiate the call to `vendor_norm`
;  --> src/f.rs:7:3
;   |
;   = note: there is no body of this function, and no rule for reverse mode; an active value goes in
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: give it a rule with `derivative_rule!`, or keep active values out of the call
;   = note: for more, run `cargo cotangent explain CT0201`
; error[CT0401]: an active value is stored into a static
;  --> src/f.rs:7:3
;   |
;   = note: a static has no shadow, so its derivative would be lost
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: pass the memory as an argument instead
;   = note: for more, run `cargo cotangent explain CT0401`
