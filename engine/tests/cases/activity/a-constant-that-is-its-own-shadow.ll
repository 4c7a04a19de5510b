; test activity reverse rd8,rc,od8
; The table has no shadow; a pointer that may lead there or to the argument has one, which is the table's own address.
@table = constant [2 x double] [double 0.5, double 1.25]
define void @f(ptr %x, ptr %which, ptr %r) {
entry:
  %w = load i8, ptr %which
  %first = icmp eq i8 %w, 0
  br i1 %first, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ @table, %entry ], [ %x, %then ]
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; active: %v
; active memory: *%x, *%r
; with shadow: %p
; shadowed memory: *%x
