; test memory rd8,mc8,od8
; What the request says of Rust's references: `&f64`, `&mut f64` and the result are three objects that never meet.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %v = load double, ptr %x
  store double %v, ptr %m
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%m: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
