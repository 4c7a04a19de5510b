; test activity reverse rd8,od8
; Empty tables are one constant: that a pointer with a shadow may lead there gives none to the table of constants that a static has.
@empty = constant [16 x i8] c"\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF\FF"
@cache = global ptr @empty
declare noalias ptr @__rust_alloc(i64, i64)
define void @f(ptr %x, ptr %r) {
entry:
  %own = alloca ptr
  store ptr @empty, ptr %own
  %block = call ptr @__rust_alloc(i64 8, i64 8)
  %v = load double, ptr %x
  store double %v, ptr %block
  store ptr %block, ptr %own
  %kept = call ptr @__rust_alloc(i64 8, i64 8)
  store double 2.5, ptr %kept
  store ptr %kept, ptr @cache
  %table = load ptr, ptr %own
  %a = load double, ptr %table
  %constants = load ptr, ptr @cache
  %b = load double, ptr %constants
  %product = fmul double %a, %b
  store double %product, ptr %r
  ret void
}
; expect:
; active: %v, %a, %product
; active memory: *%x, *%r, heap %block
; with shadow: %own, %block, %table
; shadowed memory: stack %own, heap %block
