; test memory rd8,od8
; A reference is put down in a local and taken up again, as unoptimised Rust does.
define void @f(ptr %x, ptr %r) {
entry:
  %slot = alloca ptr
  store ptr %x, ptr %slot
  %p = load ptr, ptr %slot
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; stack %slot: ptr at 0 -> *%x
; %slot -> stack %slot
; %p -> *%x
