; test plan reverse sd8,od8
; A bounds check: the way to the panic is not in the reverse sweep, and nothing is kept for it.
declare void @panic() cold noreturn
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %inside = icmp ugt i64 %n, 3
  br i1 %inside, label %body, label %out
body:
  %p = getelementptr inbounds double, ptr %x, i64 3
  %v = load double, ptr %p
  %y = fmul double %v, %v
  store double %y, ptr %r
  ret void
out:
  call void @panic()
  unreachable
}
; expect:
; computed again: %p, %v, shadow %p
; %entry: the end, nothing to do
; %out: not in the reverse sweep
; %body: back to %entry
