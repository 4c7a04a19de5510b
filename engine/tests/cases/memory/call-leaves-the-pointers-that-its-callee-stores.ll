; test memory rd8,md,md,md,od8
; What a callee leaves where is found in its body: `@hang` stores a pointer from behind `%t` into `%u`, `@look` only reads through one. Nothing else is
; mixed with anything.
define internal void @hang(ptr %t, ptr %u) noinline {
  %p = load ptr, ptr %t
  store ptr %p, ptr %u
  ret void
}
define internal double @look(ptr %t) noinline {
  %p = load ptr, ptr %t
  %v = load double, ptr %p
  ret double %v
}
define void @f(ptr %x, ptr %table, ptr %full, ptr %seen, ptr %r) {
entry:
  call void @hang(ptr %table, ptr %full)
  %v = call double @look(ptr %seen)
  %q = load ptr, ptr %full
  %u = load double, ptr %q
  %s = fadd double %v, %u
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0+8k
; *%table: ptr at 0 -> **%table, *%table->0
; *%full: ptr at 0 -> **%full, *%table->0, *%full->0
; *%seen: ptr at 0 -> **%seen, *%seen->0
; *%r: f64 at 0, f64 at 0+8k
; *%table->0: f64 at 0 -> *%table->0->0+1k, escapes
; *%table->0->0+1k:  -> *%table->0, *%table->0->0+1k, escapes
; *%seen->0:  -> *%seen->0->0+1k, escapes
; *%seen->0->0+1k:  -> *%seen->0, *%seen->0->0+1k, escapes
; *%full->0: f64 at 0 -> *%full->0->0+1k, escapes
; *%full->0->0+1k:  -> *%full->0, *%full->0->0+1k, escapes
; %q -> *%table->0, *%full->0
; *%table->0 may overlap: *%table->0->0+1k
; *%seen->0 may overlap: *%seen->0->0+1k
; *%full->0 may overlap: *%full->0->0+1k
