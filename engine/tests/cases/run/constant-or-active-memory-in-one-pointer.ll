; test run rd8,rc8,rc,od8
; Of the two places that the pointer may lead to, one has no shadow: a pointer there is its own, and what is read through it has no adjoint.
; in %x = 1.25
; in %c = 1.5
; in %which = i8:0
@table = constant [2 x double] [double 0.5, double 1.25]
define void @f(ptr %x, ptr %c, ptr %which, ptr %r) {
entry:
  %middle = getelementptr double, ptr @table, i64 1
  %w = load i8, ptr %which
  %first = icmp eq i8 %w, 0
  br i1 %first, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ %middle, %entry ], [ %x, %then ]
  store double 1.0, ptr %r
  br label %loop
loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %q = load double, ptr %p
  %d = load double, ptr %x
  %v = fadd double %q, %d
  %s = load double, ptr %r
  %y = fmul double %s, %v
  store double %y, ptr %r
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 5
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
; expect:
; value of %r: 97.65625
; adjoint of %x: 390.625
