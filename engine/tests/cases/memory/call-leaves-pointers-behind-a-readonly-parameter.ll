; test memory rd8,md,md,od8
; A callee may leave pointers wherever it may write: in what `%full` leads to and behind the `readonly` parameter, but not in that itself. (A vector
; whose elements are changed is itself only read.)
define internal double @look(ptr readonly captures(none) %t, ptr %u) noinline {
  %v = load double, ptr %t
  store double %v, ptr %u
  ret double %v
}
define void @f(ptr %x, ptr %table, ptr %full, ptr %r) {
entry:
  %v = call double @look(ptr %table, ptr %full)
  %p = load ptr, ptr %table
  %q = load ptr, ptr %full
  %w = load double, ptr %p
  %u = load double, ptr %q
  %s = fadd double %w, %u
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0+8k
; *%table: ptr at 0
; **%table: f64 at 0 -> **%table, *%full, **%full, heap %v, escapes
; *%full: ptr or f64 at 0 -> **%table, *%full, **%full, heap %v, escapes
; **%full: f64 at 0 -> **%table, *%full, **%full, heap %v, escapes
; *%r: f64 at 0, f64 at 0+8k
; heap %v: f64 at 0 -> **%table, *%full, **%full, heap %v, escapes
; %p -> **%table
; %q -> **%table, *%full, **%full, heap %v
