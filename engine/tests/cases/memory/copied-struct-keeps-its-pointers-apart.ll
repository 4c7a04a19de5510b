; test memory rd,od8
; A struct is moved, with two pointers: each is found where it was.
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca double
  %b = alloca double
  %from = alloca { ptr, ptr }
  %to = alloca { ptr, ptr }
  store ptr %a, ptr %from
  %second = getelementptr inbounds i8, ptr %from, i64 8
  store ptr %b, ptr %second
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %there = getelementptr inbounds i8, ptr %to, i64 8
  %p = load ptr, ptr %there
  %v = load double, ptr %x
  store double %v, ptr %p
  ret void
}
; expect:
; *%x: f64 at 0
; *%r: f64 at 0+8k
; stack %b: f64 at 0
; stack %from: ptr at 0, ptr at 8 -> stack %a, stack %b
; stack %to: ptr at 0, ptr at 8 -> stack %a, stack %b
; %a -> stack %a
; %b -> stack %b
; %from -> stack %from
; %to -> stack %to
; %second -> stack %from
; %there -> stack %to
; %p -> stack %b
