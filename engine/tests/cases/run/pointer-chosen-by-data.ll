; test run sd8,sd8,od8
; Which of two slices an element comes from is decided by data; so is its adjoint's place.
; in %x = 1.5 -0.25 2
; in %y = -2 3 0.5
define void @f(ptr %x, i64 %n, ptr %y, i64 %m, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %s = phi double [ 1.0, %entry ], [ %t, %join ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %q = getelementptr inbounds double, ptr %y, i64 %i
  %v = load double, ptr %p
  %positive = fcmp ogt double %v, 0.0
  br i1 %positive, label %join, label %second
second:
  br label %join
join:
  %chosen = phi ptr [ %p, %body ], [ %q, %second ]
  %w = load double, ptr %chosen
  %a = fmul double %w, %s
  %t = fadd double %a, %v
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 19.5
; adjoint of %x: 12 2 9.75
; adjoint of %y: 0 6 0
