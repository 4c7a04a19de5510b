; test run sd4,od4
; Rows of an address and a float, then addresses alone in the same block, one after the other: the second address lies where the first float was. What is left of it
; is no adjoint. The place to write to is loaded, as `collect` does where it reuses the memory of its source.
; in %x = 1.5 -0.25
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %rows = alloca [4 x i64]
  %here = alloca ptr
  %second = getelementptr inbounds float, ptr %x, i64 1
  store ptr %x, ptr %rows
  %float = getelementptr inbounds i8, ptr %rows, i64 8
  %a = load float, ptr %x
  %b = load float, ptr %second
  store float %a, ptr %float
  %other = getelementptr inbounds i8, ptr %rows, i64 16
  store ptr %second, ptr %other
  %there = load float, ptr %float
  %square = fmul float %there, %there
  store ptr %rows, ptr %here
  br label %move
move:
  %i = phi i64 [ 0, %entry ], [ %next, %move ]
  %row = getelementptr inbounds [2 x i64], ptr %rows, i64 %i
  %moved = load ptr, ptr %row
  %to = load ptr, ptr %here
  store ptr %moved, ptr %to
  %after = getelementptr inbounds i8, ptr %to, i64 8
  store ptr %after, ptr %here
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, 2
  br i1 %more, label %move, label %exit
exit:
  %last = getelementptr inbounds i8, ptr %rows, i64 8
  %p = load ptr, ptr %last
  %v = load float, ptr %p
  %product = fmul float %v, %b
  %sum = fadd float %square, %product
  store float %sum, ptr %r
  ret void
}
; expect:
; value of %r: 2.3125
; adjoint of %x: 3 -0.5
