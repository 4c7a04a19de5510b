; test activity rd8,od8
; A local that an active value goes through has a shadow; one that only holds constants has none.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [2 x double]
  %table = alloca [2 x double]
  store double 3.0, ptr %table
  %v = load double, ptr %x
  store double %v, ptr %a
  %u = load double, ptr %a
  %k = load double, ptr %table
  %y = fmul double %u, %k
  store double %y, ptr %r
  ret void
}
; expect:
; active: %v, %u, %y
; active memory: *%x, *%r, stack %a
; with shadow: %a
; shadowed memory: stack %a
