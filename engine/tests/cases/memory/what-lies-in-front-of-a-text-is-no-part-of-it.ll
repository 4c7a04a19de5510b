; test memory rd8,od8
; A pointer is that of a text or that of an entry of a table, which lies in front of it. What is read from an offset that may lie in both is one or the other.
declare noalias ptr @malloc(i64)

define void @f(ptr %x, ptr %r) {
entry:
  %text = call ptr @malloc(i64 16)
  %table = call ptr @malloc(i64 64)
  %behind = getelementptr i8, ptr %table, i64 32
  %within = getelementptr i8, ptr %text, i64 8
  %v = load double, ptr %x
  %is.text = fcmp olt double %v, 0.0
  br i1 %is.text, label %of.text, label %of.table
of.text:
  br label %both
of.table:
  br label %both
both:
  %pointer = phi ptr [ %text, %of.text ], [ %behind, %of.table ]
  %later = phi ptr [ %within, %of.text ], [ %behind, %of.table ]
  %in.front = getelementptr i8, ptr %pointer, i64 -8
  store double %v, ptr %in.front
  %at.the.start = getelementptr i8, ptr %later, i64 -8
  store double %v, ptr %at.the.start
  %further = getelementptr i8, ptr %pointer, i64 8
  %w = load double, ptr %further
  store double %w, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; heap %text: f64 at 0+24k, f64 at 8+32k
; heap %table: f64 at 0+24k, f64 at 8+32k, f64 at 24+32k
; %text -> heap %text
; %table -> heap %table
; %behind -> heap %table
; %within -> heap %text
; %pointer -> heap %text, heap %table
; %later -> heap %text, heap %table
; %in.front -> heap %table
; %at.the.start -> heap %text, heap %table
; %further -> heap %text, heap %table
