; test activity reverse rd8,od8
; A word is moved from where a constant of the program may lie, too: its bits tell there what stands beside it, as of a caller's constant memory.
@table = constant [2 x double] [double 1.5, double 2.5]
define void @f(ptr %x, ptr %r) {
entry:
  %own = alloca double
  %w = load double, ptr %x
  %c = fcmp ogt double %w, 0.0
  %p = select i1 %c, ptr %x, ptr @table
  %word = load i64, ptr %p, !ct.word !0
  store i64 %word, ptr %own, !ct.word !0
  %v = load double, ptr %own
  store double %v, ptr %r
  ret void
}
!0 = !{}
; expect:
; active: %v
; active memory: *%x, *%r, stack %own
; with shadow: %own, %p, %word
; shadowed memory: *%x, stack %own
