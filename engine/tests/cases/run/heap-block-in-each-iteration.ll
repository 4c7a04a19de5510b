; test run sd8,od8
; A temporary of its own in each iteration, in both sweeps.
; in %x = 1.5 -2 0.5
declare ptr @malloc(i64)
declare void @free(ptr)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 1.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %block = call ptr @malloc(i64 16)
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  store double %v, ptr %block
  %second = getelementptr inbounds double, ptr %block, i64 1
  %u = fmul double %v, %s
  store double %u, ptr %second
  %a = load double, ptr %block
  %b = load double, ptr %second
  %y = fmul double %a, %b
  call void @free(ptr %block)
  %t = fadd double %y, %s
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 20.3125
; adjoint of %x: 18.75 -16.25 16.25
