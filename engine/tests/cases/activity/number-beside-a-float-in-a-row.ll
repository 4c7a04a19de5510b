; test activity sd4,sd4,od4
; Records of an index, a float and a count, moved word by word: the place of the count is not that of the float, so it is no bits of one.
define void @f(ptr %x, i64 %i, ptr %y, i64 %j, ptr %r) {
entry:
  %rows = alloca [96 x i8], align 8
  %value = load float, ptr %x
  %row = getelementptr inbounds { i32, float, i64 }, ptr %rows, i64 %i
  %float.at = getelementptr inbounds i8, ptr %row, i64 4
  store float %value, ptr %float.at
  %other = getelementptr inbounds { i32, float, i64 }, ptr %rows, i64 %j
  %count.at = getelementptr inbounds i8, ptr %other, i64 8
  %count = load i64, ptr %count.at, !ct.word !0
  %more = add i64 %count, 1
  store i64 %more, ptr %count.at
  %read.at = getelementptr inbounds i8, ptr %other, i64 4
  %read = load float, ptr %read.at
  %wide = uitofp i64 %count to float
  %result = fmul float %read, %wide
  store float %result, ptr %r
  ret void
}
!0 = !{!"exact"}
; expect:
; active: %value, %read, %result
; active memory: *%x, *%y, *%r, stack %rows
; with shadow: %rows, %row, %float.at, %other, %read.at
; shadowed memory: stack %rows
