; test error reverse md8,od8
; A call that stays makes an address of the number that it is handed: its shadow stays behind.
define void @f(ptr %x, ptr %r) {
entry:
  %address = ptrtoint ptr %x to i64
  %v = call double @sum(i64 %address, i64 3)
  store double %v, ptr %r
  ret void
}
define double @sum(i64 %address, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  ret double 0.0
again:
  %p = inttoptr i64 %address to ptr
  %v = load double, ptr %p
  %next = add i64 %address, 8
  %less = sub i64 %n, 1
  %rest = call double @sum(i64 %next, i64 %less)
  %sum = fadd double %v, %rest
  ret double %sum
}
; expect:
; error[CT0402]: the address of active memory is handed on or kept as a number here
;  --> src/f.rs:7:3
;   |
;   = note: a number has no shadow, so what is read or written there would have no derivative
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand on, and keep, a reference or a pointer
;   = note: for more, run `cargo cotangent explain CT0402`
