; test plan reverse sd8,rd8,od8
; `exp(k)` is computed before the loop: it is kept once, not in each iteration.
declare double @llvm.exp.f64(double)
define void @f(ptr %x, i64 %n, ptr %k, ptr %r) {
entry:
  %kv = load double, ptr %k
  %e = call double @llvm.exp.f64(double %kv)
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 0.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %y = fmul double %v, %e
  %t = fadd double %s, %y
  %next = add nuw i64 %i, 1
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; kept: %e (8 bytes)
; computed again: %ct.i.0, %p, %v, shadow %p
; masked: %kv, %e
; %entry: the end
; %head: back by the counter, %n + 1 times
; %exit: back to %head
; %body: back to %head
