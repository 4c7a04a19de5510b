; test error reverse as-it-is rd8,od8
; A pointer that is moved as two numbers has no shadow where it arrives.
define void @f(ptr %x, ptr %out) {
entry:
  %v = load double, ptr %x
  %flag = fcmp ogt double %v, 1.0
  %from = alloca ptr
  %to = alloca ptr
  store ptr %x, ptr %from
  %first = load i32, ptr %from
  %high.from = getelementptr i8, ptr %from, i64 4
  %high = load i32, ptr %high.from
  %low = select i1 %flag, i32 3, i32 %first
  store i32 %low, ptr %to
  %high.to = getelementptr i8, ptr %to, i64 4
  store i32 %high, ptr %high.to
  %found = load ptr, ptr %to
  %y = load double, ptr %found
  store double %y, ptr %out
  ret void
}
!ct.may.halve.pointers = !{!9}
!9 = !{}
; expect:
; error[CT0402]: the address of active memory is handed on or kept as a number here
;  --> src/f.rs:7:3
;   |
;   = note: a number has no shadow, so what is read or written there would have no derivative
;   = note: somewhere in `f`, which is differentiated here
;   = help: hand on, and keep, a reference or a pointer
;   = note: for more, run `cargo cotangent explain CT0402`
;
; error[CT0402]: the address of active memory is handed on or kept as a number here
;  --> src/f.rs:7:3
;   |
;   = note: a number has no shadow, so what is read or written there would have no derivative
;   = note: somewhere in `f`, which is differentiated here
;   = help: hand on, and keep, a reference or a pointer
;   = note: for more, run `cargo cotangent explain CT0402`
;
