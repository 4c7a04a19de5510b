; test run sd8,od8
; A local array of partial sums, indexed by what the data are compared with.
; in %x = 1.5 -2 0.5 -0.75
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %sums = alloca [2 x double]
  %second = getelementptr inbounds double, ptr %sums, i64 1
  store double 1.0, ptr %sums
  store double 2.0, ptr %second
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %negative = fcmp olt double %v, 0.0
  %bin = zext i1 %negative to i64
  %slot = getelementptr inbounds double, ptr %sums, i64 %bin
  %old = load double, ptr %slot
  %y = fmul double %old, %v
  store double %y, ptr %slot
  %next = add nuw i64 %i, 1
  br label %head
exit:
  %a = load double, ptr %sums
  %b = load double, ptr %second
  %c = fmul double %a, %b
  store double %c, ptr %r
  ret void
}
; expect:
; value of %r: 2.25
; adjoint of %x: 1.5 -1.125 4.5 -3
