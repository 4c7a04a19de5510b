; test error reverse rd8,od8
; A static has no shadow: its derivative would be lost.
@LAST = global double 0.0
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  store double %v, ptr @LAST
  %y = load double, ptr @LAST
  store double %y, ptr %r
  ret void
}
; expect:
; error[CT0401]: an active value is stored into a static
;  --> src/f.rs:7:3
;   |
;   = note: a static has no shadow, so its derivative would be lost
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: pass the memory as an argument instead
;   = note: for more, run `cargo cotangent explain CT0401`
