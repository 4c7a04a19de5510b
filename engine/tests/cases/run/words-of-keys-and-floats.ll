; test run sd8,od8
; Three numbers and three floats lie in one block and are moved to another, all as words: each float takes its adjoint with it.
; in %x = 1.5 -0.25 2
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %a = alloca [6 x i64]
  %b = alloca [6 x i64]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %key.at = getelementptr inbounds i64, ptr %a, i64 %i
  %key = add i64 %i, 4611686018427387904
  store i64 %key, ptr %key.at
  %value.from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %value.from
  %square = fmul double %v, %v
  %values = getelementptr inbounds i8, ptr %a, i64 24
  %value.at = getelementptr inbounds double, ptr %values, i64 %i
  store double %square, ptr %value.at
  %i.next = add nuw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 3
  br i1 %i.more, label %fill, label %move
move:
  %j = phi i64 [ 0, %fill ], [ %j.next, %move ]
  %to = getelementptr inbounds i64, ptr %b, i64 %j
  %back = sub i64 5, %j
  %from = getelementptr inbounds i64, ptr %a, i64 %back
  %word = load i64, ptr %from
  store i64 %word, ptr %to
  %j.next = add nuw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 6
  br i1 %j.more, label %move, label %sum
sum:
  %k = phi i64 [ 0, %move ], [ %k.next, %sum ]
  %s = phi double [ 0.0, %move ], [ %s.next, %sum ]
  %moved.at = getelementptr inbounds double, ptr %b, i64 %k
  %moved = load double, ptr %moved.at
  %keys = getelementptr inbounds i8, ptr %b, i64 24
  %number.at = getelementptr inbounds i64, ptr %keys, i64 %k
  %number = load i64, ptr %number.at
  %low = and i64 %number, 15
  %weight = uitofp i64 %low to double
  %more.weight = fadd double %weight, 1.0
  %term = fmul double %moved, %more.weight
  %s.next = fadd double %s, %term
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 3
  br i1 %k.more, label %sum, label %exit
exit:
  store double %s.next, ptr %r
  ret void
}
; expect:
; value of %r: 14.375
; adjoint of %x: 3 -1 12
