; test activity rd8,od8
; A pointer to active memory is put down in a local: the local's shadow holds the pointer's shadow.
define void @f(ptr %x, ptr %r) {
entry:
  %slot = alloca ptr
  %unused = alloca ptr
  store ptr %x, ptr %slot
  store ptr %r, ptr %unused
  %p = load ptr, ptr %slot
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; active: %v
; active memory: *%x, *%r
; with shadow: %slot, %p
; shadowed memory: *%x, stack %slot
