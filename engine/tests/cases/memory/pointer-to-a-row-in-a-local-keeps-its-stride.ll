; test memory rd,od8
; The address of a row of two pointers is kept in a local: what is stored through it into one field is not read from the other.
declare noalias ptr @malloc(i64)

define void @f(ptr %m, ptr %r) {
entry:
  %local = alloca ptr
  %rows = call ptr @malloc(i64 64)
  %floats = call ptr @malloc(i64 8)
  %others = call ptr @malloc(i64 8)
  %i = load i64, ptr %m
  %row = getelementptr inbounds [16 x i8], ptr %rows, i64 %i
  store ptr %row, ptr %local
  %again = load ptr, ptr %local
  %field = getelementptr inbounds i8, ptr %again, i64 8
  store ptr %floats, ptr %again
  store ptr %others, ptr %field
  %first = load ptr, ptr %rows
  %a = load double, ptr %first
  store double %a, ptr %r
  ret void
}
; expect:
; *%m: i64 at 0
; *%r: f64 at 0, f64 at 0+8k
; stack %local: ptr at 0 -> heap %rows
; heap %rows: ptr at 0, ptr at 8 -> heap %floats, heap %others
; heap %floats: f64 at 0
; %local -> stack %local
; %rows -> heap %rows
; %floats -> heap %floats
; %others -> heap %others
; %row -> heap %rows
; %again -> heap %rows
; %field -> heap %rows
; %first -> heap %floats
