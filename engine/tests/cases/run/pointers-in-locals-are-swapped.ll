; test run sd8,sd8,od8
; Two buffers take turns: the pointers to them are swapped in every step.
; in %x = 1.5 0.25
; in %y = -2 3
define void @f(ptr %x, i64 %n, ptr %y, i64 %m, ptr %r) {
entry:
  %current = alloca ptr
  %other = alloca ptr
  store ptr %x, ptr %current
  store ptr %y, ptr %other
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = load ptr, ptr %current
  %q = load ptr, ptr %other
  %at = getelementptr inbounds double, ptr %p, i64 1
  %v = load double, ptr %at
  %w = load double, ptr %q
  %a = fmul double %v, %s
  %t = fmul double %a, %w
  store ptr %q, ptr %current
  store ptr %p, ptr %other
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, 3
  br i1 %done, label %exit, label %loop
exit:
  store double %t, ptr %r
  ret void
}
; expect:
; value of %r: 1.125
; adjoint of %x: 0.75 9
; adjoint of %y: -1.125 0.375
