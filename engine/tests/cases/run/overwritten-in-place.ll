; test run td8
; `a[i] = a[i] * a[i] + a[i - 1]`, in place, each element from the one before.
; in %a = 0.5 1.5 -2 3
define void @f(ptr %a, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 1, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %p, i64 -1
  %v = load double, ptr %p
  %u = load double, ptr %q
  %square = fmul double %v, %v
  %w = fadd double %square, %u
  store double %w, ptr %p
  %next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}
; expect:
; value of %a: 0.5 2.75 6.75 15.75
; adjoint of %a: 2.769289534 5.307868602 -4.168067227 2.823529412
