; test error reverse md8,md,od8
; Numbers of a shadow are not written to, so an address that is kept among the user's numbers has none there.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %address = ptrtoint ptr %x to i64
  store i64 %address, ptr %m
  %place = getelementptr inbounds i8, ptr %m, i64 8
  %w = load double, ptr %place
  %i = fcmp ogt double %w, 0.0
  %step = zext i1 %i to i64
  %at = getelementptr inbounds [16 x i8], ptr %m, i64 %step
  %again = load i64, ptr %at
  %p = inttoptr i64 %again to ptr
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; error[CT0402]: the address of active memory is handed on or kept as a number here
;  --> src/f.rs:7:3
;   |
;   = note: a number has no shadow, so what is read or written there would have no derivative
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand on, and keep, a reference or a pointer
;   = note: for more, run `cargo cotangent explain CT0402`
