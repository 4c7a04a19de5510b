; test cfg sd8,od8
; Two ways back to the header are joined into one latch, which has a selector; the count stays known.
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %negate ], [ %next, %take ]
  %s = phi double [ 0.0, %entry ], [ %u, %negate ], [ %t, %take ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %next = add nuw i64 %i, 1
  %negative = fcmp olt double %v, 0.0
  br i1 %negative, label %negate, label %take
negate:
  %u = fsub double %s, %v
  br label %head
take:
  %t = fadd double %s, %v
  br label %head
exit:
  store double %s, ptr %r
  ret void
}
; expect:
; loop %head: preheader %entry latch %head.backedge blocks %head %body %take %negate %head.backedge
;   last count: %n
; %head: after %entry %head.backedge, dominated by %entry
; %exit: after %head, dominated by %head
; %body: after %head, dominated by %head
; %take: after %body, dominated by %body
; %negate: after %body, dominated by %body
; %head.backedge: after %take %negate, dominated by %body, has a selector
