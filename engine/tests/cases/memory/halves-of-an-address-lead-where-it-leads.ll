; test memory rd,od8
; An address is moved from one local to another as two words of four bytes, and as two halves that are cut out of it.
declare noalias ptr @malloc(i64)

define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca ptr
  %b = alloca ptr
  %c = alloca ptr
  %floats = call ptr @malloc(i64 8)
  store ptr %floats, ptr %a
  %low = load i32, ptr %a, !llvm.preserve.access.index !0
  %a.high = getelementptr inbounds i8, ptr %a, i64 4
  %high = load i32, ptr %a.high, !llvm.preserve.access.index !0
  store i32 %low, ptr %b, !llvm.preserve.access.index !0
  %b.high = getelementptr inbounds i8, ptr %b, i64 4
  store i32 %high, ptr %b.high, !llvm.preserve.access.index !0
  %moved = load ptr, ptr %b
  %number = ptrtoint ptr %floats to i64
  %lower = trunc i64 %number to i32
  %shifted = lshr i64 %number, 32
  %upper = trunc i64 %shifted to i32
  store i32 %lower, ptr %c
  %c.high = getelementptr inbounds i8, ptr %c, i64 4
  store i32 %upper, ptr %c.high
  %cut = load ptr, ptr %c
  %p = load double, ptr %moved
  %q = load double, ptr %cut
  %s = fadd double %p, %q
  store double %s, ptr %r
  ret void
}

!0 = !{!"ct.word"}
; expect:
; *%r: f64 at 0, f64 at 0+8k
; stack %a: ptr or i32 at 0, i32 at 4 -> heap %floats
; stack %b: i32 or ptr at 0, i32 at 4 -> heap %floats
; stack %c: i32 or ptr at 0, i32 at 4 -> heap %floats
; heap %floats: f64 at 0
; %a -> stack %a
; %b -> stack %b
; %c -> stack %c
; %floats -> heap %floats
; %low -> heap %floats
; %a.high -> stack %a
; %high -> heap %floats
; %b.high -> stack %b
; %moved -> heap %floats
; %number -> heap %floats
; %lower -> heap %floats
; %shifted -> heap %floats
; %upper -> heap %floats
; %c.high -> stack %c
; %cut -> heap %floats
