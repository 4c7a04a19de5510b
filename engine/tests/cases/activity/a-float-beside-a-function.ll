; test activity reverse rd8,od8
; A table of functions may have floats in it, and then it is its own shadow; what methods of objects have in front of them are none.
@both = constant <{ ptr, [8 x i8] }> <{ ptr @g, [8 x i8] c"\00\00\00\00\00\00\04@" }>
@methods = constant <{ [24 x i8], ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @g }>
declare double @g(double)
define void @f(ptr %x, ptr %r) {
entry:
  %w = load double, ptr %x
  %c = fcmp ogt double %w, 0.0
  %factor = getelementptr inbounds i8, ptr @both, i64 8
  %p = select i1 %c, ptr %x, ptr %factor
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; active: %v
; active memory: *%x, *%r
; with shadow: %factor, %p
; shadowed memory: *%x
