; test error reverse rd8,mc8,od8
; An active value is put into memory that was declared constant, and read back: its derivative would be lost there.
define void @f(ptr %x, ptr %buffer, ptr %r) {
entry:
  %v = load double, ptr %x
  store double %v, ptr %buffer
  call void @touch(ptr %buffer)
  %w = load double, ptr %buffer
  store double %w, ptr %r
  ret void
}
define internal void @touch(ptr %buffer) noinline {
  %v = load double, ptr %buffer
  %y = fmul double %v, 2.0
  store double %y, ptr %buffer
  ret void
}
; expect:
; error[CT0402]: an active value, or a pointer to one, is stored into memory that was declared constant
;  --> src/f.rs:7:3
;   |
;   = note: it is read back later, and its derivative would be lost, since the memory has no shadow
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: declare the argument `Duplicated` (`Dual`), or use a local buffer; what a closure captures is constant
;   = note: for more, run `cargo cotangent explain CT0402`
; error[CT0402]: an active value, or a pointer to one, is stored into memory that was declared constant
;  --> src/f.rs:7:3
;   |
;   = note: it is read back later, and its derivative would be lost, since the memory has no shadow
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: declare the argument `Duplicated` (`Dual`), or use a local buffer; what a closure captures is constant
;   = note: for more, run `cargo cotangent explain CT0402`
