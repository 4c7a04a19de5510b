; test run sd8,rd8,od8
; An empty slice: the loop's body never runs, in neither sweep.
; in %x =
; in %k = 3.5
define void @f(ptr %x, i64 %n, ptr %k, ptr %r) {
entry:
  %kv = load double, ptr %k
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ %kv, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 3.5
; adjoint of %x:
; adjoint of %k: 1
