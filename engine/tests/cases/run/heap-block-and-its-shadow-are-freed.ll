; test run sd8,od8
; `to_vec`, changed in place, read, freed: nothing leaks, nothing is used after it was freed.
; in %x = 1.5 -2 0.5
declare ptr @__rust_alloc(i64, i64)
declare void @__rust_dealloc(ptr, i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, i64 %n, ptr %r) {
entry:
  %bytes = shl nuw i64 %n, 3
  %block = call ptr @__rust_alloc(i64 %bytes, i64 8)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 %bytes, i1 false)
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi double [ 1.0, %entry ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %block, i64 %i
  %v = load double, ptr %p
  %square = fmul double %v, %v
  store double %square, ptr %p
  %first = load double, ptr %block
  %y = fmul double %first, %s
  %t = fadd double %y, %v
  %next = add nuw i64 %i, 1
  br label %head
exit:
  call void @__rust_dealloc(ptr %block, i64 %bytes, i64 8)
  store double %s, ptr %r
  ret void
}
; expect:
; value of %r: 14.984375
; adjoint of %x: 64.875 2.25 1
