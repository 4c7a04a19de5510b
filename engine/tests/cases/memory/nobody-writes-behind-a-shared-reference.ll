; test memory rd,rd,od8
; Two pointers lie in a row, so each may lead where the other does. What is stored through them is not stored in the text, to which nobody writes and in which no
; pointer lies.
declare noalias ptr @malloc(i64)

define void @f(ptr "ct-given"="frozen text" %text, ptr %x, ptr %r) {
entry:
  %node = call ptr @malloc(i64 16)
  %inner = call ptr @malloc(i64 8)
  %i = load i64, ptr %x
  %at = getelementptr inbounds ptr, ptr %node, i64 %i
  store ptr %text, ptr %at
  %other = getelementptr inbounds ptr, ptr %node, i64 1
  store ptr %inner, ptr %other
  %found = load ptr, ptr %other
  store ptr %x, ptr %found
  %next = load ptr, ptr %found
  %place = getelementptr inbounds i8, ptr %next, i64 8
  %v = load double, ptr %place
  store double %v, ptr %r
  ret void
}
; expect:
; *%text: ptr at 0
; *%x: i64 at 0, f64 at 8
; *%r: f64 at 0, f64 at 0+8k
; heap %node: ptr at 0+8k, ptr at 8 -> *%text, heap %inner
; heap %inner: ptr at 0 -> *%x
; %node -> heap %node
; %inner -> heap %inner
; %at -> heap %node
; %other -> heap %node
; %found -> *%text, heap %inner
; %next -> *%x
; %place -> *%x
; *%text may overlap: *%x
