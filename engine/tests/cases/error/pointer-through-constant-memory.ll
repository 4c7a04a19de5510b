; test error reverse md8,mc,od8
; A pointer to active memory is put into memory without a shadow, and found there again.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %w = load double, ptr %x
  %i = fcmp ogt double %w, 0.0
  %step = zext i1 %i to i64
  %at = getelementptr inbounds ptr, ptr %m, i64 %step
  store ptr %x, ptr %at
  %p = load ptr, ptr %m
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; error[CT0402]: an active value, or a pointer to one, is stored into memory that was declared constant
;  --> src/f.rs:7:3
;   |
;   = note: it is read back later, and its derivative would be lost, since the memory has no shadow
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: declare the argument `Duplicated` (`Dual`), or use a local buffer; what a closure captures is constant
;   = note: for more, run `cargo cotangent explain CT0402`
