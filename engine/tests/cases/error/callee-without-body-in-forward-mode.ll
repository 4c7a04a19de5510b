; test error forward rd8,od8
; Forward mode refuses the same.
declare double @vendor_norm(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = call double @vendor_norm(double %v)
  store double %y, ptr %r
  ret void
}
; expect:
; error[CT0201]: cannot differentiate the call to `vendor_norm`
;  --> src/f.rs:7:3
;   |
;   = note: there is no body of this function, and no rule for forward mode; an active value goes in
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: give it a rule with `derivative_rule!`, or keep active values out of the call
;   = note: for more, run `cargo cotangent explain CT0201`
