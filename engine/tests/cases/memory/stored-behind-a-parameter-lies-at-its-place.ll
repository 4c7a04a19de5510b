; test memory rd,od8
; A callee puts a block at one place behind its parameter's pointer, and hands on the block that it finds at the place beside that.
declare noalias ptr @malloc(i64)

define internal void @put(ptr %m) noinline {
entry:
  %rows = load ptr, ptr %m
  %new = call ptr @malloc(i64 8)
  store ptr %new, ptr %rows
  %field = getelementptr inbounds i8, ptr %rows, i64 8
  %other = load ptr, ptr %field
  %place = getelementptr inbounds i8, ptr %m, i64 8
  store ptr %other, ptr %place
  ret void
}

define void @f(ptr %x, ptr %r) {
entry:
  %local = alloca [16 x i8]
  %rows = call ptr @malloc(i64 16)
  %own = call ptr @malloc(i64 8)
  %field = getelementptr inbounds i8, ptr %rows, i64 8
  store ptr %own, ptr %field
  store ptr %rows, ptr %local
  call void @put(ptr %local)
  %place = getelementptr inbounds i8, ptr %local, i64 8
  %handed = load ptr, ptr %place
  %first = load ptr, ptr %rows
  %a = load double, ptr %handed
  %b = load double, ptr %first
  %c = fadd double %a, %b
  store double %c, ptr %r
  ret void
}
; expect:
; *%r: f64 at 0, f64 at 0+8k
; stack %local: ptr at 0, ptr at 8 -> heap %rows, heap %own
; heap %rows: ptr at 0, ptr at 8 -> heap %own, heap `call void @put(ptr %local)`
; heap %own: f64 at 0
; heap `call void @put(ptr %local)`: f64 at 0
; %local -> stack %local
; %rows -> heap %rows
; %own -> heap %own
; %field -> heap %rows
; %place -> stack %local
; %handed -> heap %own
; %first -> heap `call void @put(ptr %local)`
