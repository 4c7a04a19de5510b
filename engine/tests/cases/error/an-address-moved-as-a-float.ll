; test error reverse as-it-is rd8,od8
; A float has an adjoint where a pointer has its shadow.
define void @f(ptr %x, ptr %out) {
entry:
  %v = load double, ptr %x
  %flag = fcmp ogt double %v, 1.0
  %place = alloca [8 x i8]
  %address = ptrtoint ptr %x to i64
  %bits = bitcast i64 %address to double
  %either = select i1 %flag, double %bits, double %v
  store double %either, ptr %place
  %float = load double, ptr %place
  %found = load ptr, ptr %place
  br i1 %flag, label %behind, label %itself
behind:
  %y = load double, ptr %found
  store double %y, ptr %out
  ret void
itself:
  store double %float, ptr %out
  ret void
}
; expect:
; error[CT0402]: the address of active memory is handed on or kept as a number here
;  --> src/f.rs:7:3
;   |
;   = note: a number has no shadow, so what is read or written there would have no derivative
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = help: hand on, and keep, a reference or a pointer
;   = note: for more, run `cargo cotangent explain CT0402`
;
