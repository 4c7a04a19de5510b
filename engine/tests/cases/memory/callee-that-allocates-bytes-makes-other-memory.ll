; test memory rd,od8
; What a callee allocates for a text is no memory of what it allocates for floats.
declare noalias ptr @__rust_alloc(i64, i64)

define void @grow(ptr %m) noinline {
entry:
  %floats = call ptr @__rust_alloc(i64 16, i64 8)
  store double 1.0, ptr %floats
  store ptr %floats, ptr %m
  %text = call ptr @__rust_alloc(i64 16, i64 1)
  store i8 7, ptr %text
  %field = getelementptr inbounds i8, ptr %m, i64 8
  store ptr %text, ptr %field
  ret void
}

define void @f(ptr %m, ptr %r) {
entry:
  %local = alloca [16 x i8]
  call void @grow(ptr %local)
  %floats = load ptr, ptr %local
  %field = getelementptr inbounds i8, ptr %local, i64 8
  %text = load ptr, ptr %field
  %a = load double, ptr %floats
  %b = load i8, ptr %text
  store double %a, ptr %r
  ret void
}
; expect:
; *%r: f64 at 0, f64 at 0+8k
; stack %local: ptr at 0, ptr at 8 -> heap `call void @grow(ptr %local)`, heap `call void @grow(ptr %local)`
; heap `call void @grow(ptr %local)`: f64 at 0
; heap `call void @grow(ptr %local)`: i8 at 0
; %local -> stack %local
; %floats -> heap `call void @grow(ptr %local)`
; %field -> stack %local
; %text -> heap `call void @grow(ptr %local)`
