; test emit reverse rd8,od8
; The result does not depend on the input: the reverse sweep takes the seed and does nothing else.
define void @f(ptr %x, ptr %r) {
entry:
  store double 7.0, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %r, ptr noalias %dr) {
; entry:
;   store double 7.000000e+00, ptr %r, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   ret void
; }
