; test memory rd,rd,od8
; A row of pointers begins eight bytes behind another pointer. What is put into the row, or found walking through it, is not what lies before; an index that goes
; backwards may lead there.
declare noalias ptr @malloc(i64)

define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %all = call ptr @malloc(i64 64)
  %first = call ptr @malloc(i64 8)
  %other = call ptr @malloc(i64 8)
  %i = load i64, ptr %m
  %row = getelementptr inbounds nuw i8, ptr %all, i64 8
  %place = getelementptr inbounds nuw ptr, ptr %row, i64 %i
  store ptr %first, ptr %all
  store ptr %other, ptr %place
  %before = load ptr, ptr %all
  %back = getelementptr inbounds ptr, ptr %row, i64 %i
  %somewhere = load ptr, ptr %back
  %end = getelementptr inbounds nuw i8, ptr %all, i64 40
  br label %walk
walk:
  %at = phi ptr [ %row, %entry ], [ %next, %walk ]
  %found = load ptr, ptr %at
  %v = load double, ptr %found
  store double %v, ptr %r
  %next = getelementptr inbounds nuw i8, ptr %at, i64 8
  %is_end = icmp eq ptr %next, %end
  br i1 %is_end, label %down, label %walk
down:
  %behind = phi ptr [ %end, %walk ], [ %last, %down ]
  %last = getelementptr inbounds i8, ptr %behind, i64 -8
  %any = load ptr, ptr %last
  %w = load double, ptr %any
  store double %w, ptr %r
  %is_first = icmp eq ptr %last, %row
  br i1 %is_first, label %done, label %down
done:
  ret void
}
; expect:
; *%m: i64 at 0
; *%r: f64 at 0, f64 at 0+8k
; heap %all: ptr at 0, ptr at 0+8k -> heap %first, heap %other
; heap %first: f64 at 0
; heap %other: f64 at 0
; %all -> heap %all
; %first -> heap %first
; %other -> heap %other
; %row -> heap %all
; %place -> heap %all
; %before -> heap %first
; %back -> heap %all
; %somewhere -> heap %first, heap %other
; %end -> heap %all
; %at1 -> heap %all
; %found -> heap %other
; %next -> heap %all
; %behind2 -> heap %all
; %last -> heap %all
; %any -> heap %first, heap %other
; *%x may overlap: *%m
