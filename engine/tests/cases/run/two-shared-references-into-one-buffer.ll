; test run sd8,od8
; `corr(&x[..n-1], &x[1..])` in a function that is not inlined: the shadows of its read-only, `noalias` parameters overlap.
; in %x = 1.5 -2 0.5 3
define internal double @corr(ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) noinline {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %v = load double, ptr %p
  %w = load double, ptr %q
  %y = fmul double %v, %w
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret double %s
}
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %m = sub i64 %n, 1
  %second = getelementptr inbounds double, ptr %x, i64 1
  %y = call double @corr(ptr %x, ptr %second, i64 %m)
  store double %y, ptr %r
  ret void
}
; expect:
; value of %r: -2.5
; adjoint of %x: -2 2 1 0.5
