; test activity reverse rd8,od8
; Two numbers are moved that lie behind a pointer, in a program that may move pointers in halves.
define void @f(ptr %x, ptr %out) {
entry:
  %from = alloca [16 x i8]
  %to = alloca [16 x i8]
  store ptr %x, ptr %from
  %first.from = getelementptr i8, ptr %from, i64 8
  %second.from = getelementptr i8, ptr %from, i64 12
  store i32 3, ptr %first.from
  store i32 5, ptr %second.from
  %pointer = load ptr, ptr %from
  store ptr %pointer, ptr %to
  %first = load i32, ptr %first.from
  %second = load i32, ptr %second.from
  %first.to = getelementptr i8, ptr %to, i64 8
  %second.to = getelementptr i8, ptr %to, i64 12
  store i32 %first, ptr %first.to
  store i32 %second, ptr %second.to
  %found = load ptr, ptr %to
  %y = load double, ptr %found
  store double %y, ptr %out
  ret void
}
!ct.may.halve.pointers = !{!9}
!9 = !{}
; expect:
; active: %y
; active memory: *%x, *%out
; with shadow: %from, %to, %first.from, %second.from, %pointer, %first, %second, %first.to, %second.to, %found
; shadowed memory: *%x, stack %from, stack %to
