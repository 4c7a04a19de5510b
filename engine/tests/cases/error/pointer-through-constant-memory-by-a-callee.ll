; test error reverse md8,mc,od8
; A call that stays puts a pointer to active memory into memory without a shadow, where it is found again.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  call void @fill(ptr %x, ptr %m, i64 3)
  %p = load ptr, ptr %m
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
define void @fill(ptr %x, ptr %m, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  ret void
again:
  store ptr %x, ptr %m
  %next = getelementptr inbounds i8, ptr %m, i64 8
  %less = sub i64 %n, 1
  call void @fill(ptr %x, ptr %next, i64 %less)
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
