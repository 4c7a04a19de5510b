; test activity rd8,mc,od8
; What a callee leaves in `%count` depends on a number there, and not on the floats that it reads; what it leaves in `%t` does.
define internal void @step(ptr %x, ptr %count, ptr %t) noinline {
  %c = load i64, ptr %count
  %next = add i64 %c, 1
  store i64 %next, ptr %count
  %v = load double, ptr %x
  store double %v, ptr %t
  ret void
}
define void @f(ptr %x, ptr %count, ptr %r) {
entry:
  %t = alloca double
  call void @step(ptr %x, ptr %count, ptr %t)
  %v = load double, ptr %t
  store double %v, ptr %r
  ret void
}
; expect:
; active: %v
; active memory: *%x, *%r, stack %t
; with shadow: %t
; shadowed memory: stack %t
