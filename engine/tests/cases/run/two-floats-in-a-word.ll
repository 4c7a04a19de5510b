; test run sd4,od4
; All floats are of four bytes: a word of eight is two of them, a number, or a number beside a float. Each float takes its adjoint with it.
; in %x = 1.5 -0.25 2
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %a = alloca [3 x i64]
  %b = alloca [3 x i64]
  %number.at = getelementptr inbounds i8, ptr %a, i64 8
  store i64 4611686018427387911, ptr %number.at
  %count.at = getelementptr inbounds i8, ptr %a, i64 16
  store i32 5, ptr %count.at
  %x.1 = getelementptr inbounds float, ptr %x, i64 1
  %x.2 = getelementptr inbounds float, ptr %x, i64 2
  %v.0 = load float, ptr %x
  %v.1 = load float, ptr %x.1
  %v.2 = load float, ptr %x.2
  %s.0 = fmul float %v.0, %v.0
  %s.1 = fmul float %v.1, %v.1
  %s.2 = fmul float %v.2, %v.2
  %a.1 = getelementptr inbounds i8, ptr %a, i64 4
  %a.2 = getelementptr inbounds i8, ptr %a, i64 20
  store float %s.0, ptr %a
  store float %s.1, ptr %a.1
  store float %s.2, ptr %a.2
  br label %move
move:
  %j = phi i64 [ 0, %entry ], [ %j.next, %move ]
  %last = phi i64 [ 0, %entry ], [ %word, %move ]
  %to = getelementptr inbounds i64, ptr %b, i64 %j
  %back = sub i64 2, %j
  %from = getelementptr inbounds i64, ptr %a, i64 %back
  %word = load i64, ptr %from
  %never = icmp eq i64 %j, %n
  %chosen = select i1 %never, i64 %word, i64 %word
  store i64 %chosen, ptr %to
  %j.next = add nuw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 3
  br i1 %j.more, label %move, label %exit
exit:
  %c = load i32, ptr %b
  %count = uitofp i32 %c to float
  %b.2 = getelementptr inbounds i8, ptr %b, i64 4
  %b.0 = getelementptr inbounds i8, ptr %b, i64 16
  %b.1 = getelementptr inbounds i8, ptr %b, i64 20
  %m.2 = load float, ptr %b.2
  %m.0 = load float, ptr %b.0
  %m.1 = load float, ptr %b.1
  %moved.at = getelementptr inbounds i8, ptr %b, i64 8
  %number = load i64, ptr %moved.at
  %low = and i64 %number, 15
  %weight = uitofp i64 %low to float
  %t.0 = fmul float %m.0, %weight
  %t.1 = fmul float %m.1, %count
  %t.2 = fmul float %m.2, %m.0
  %sum = fadd float %t.0, %t.1
  %all = fadd float %sum, %t.2
  store float %all, ptr %r
  ret void
}
; expect:
; value of %r: 25.0625
; adjoint of %x: 33 -2.5 9
