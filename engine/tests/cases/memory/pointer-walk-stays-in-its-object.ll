; test memory sd8,od8
; A pointer phi that walks by eight bytes points to the slice, and to floats only.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %end = getelementptr inbounds double, ptr %x, i64 %n
  br label %head
head:
  %p = phi ptr [ %x, %entry ], [ %q, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body
body:
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %q = getelementptr inbounds double, ptr %p, i64 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; %end -> *%x
; %p1 -> *%x
