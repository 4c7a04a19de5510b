; test run md8,mc8,rc,od8
; Of the two places that the pointer may lead to, one has no shadow: what is written there, which depends on no input, takes the adjoint out of the shadow of the other.
; in %x = 1.25
; in %c = 1.5
; in %which = i8:0
define void @f(ptr %x, ptr %c, ptr %which, ptr %r) {
entry:
  %w = load i8, ptr %which
  %first = icmp eq i8 %w, 0
  br i1 %first, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ %c, %entry ], [ %x, %then ]
  store double 1.0, ptr %r
  br label %loop
loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %v = load double, ptr %p
  %s = load double, ptr %r
  store double 2.0, ptr %p
  %y = fmul double %s, %v
  store double %y, ptr %r
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 5
  br i1 %done, label %exit, label %loop
exit:
  %b = load double, ptr %x
  %t = load double, ptr %r
  %z = fmul double %t, %b
  store double %z, ptr %r
  ret void
}
; expect:
; value of %x: 2
; value of %c: 1.5
; value of %r: 40
; adjoint of %x: 23.27272727
