; test memory rd8,md,od8
; `@renew` hangs a new block into the second place of a struct: what the first place leads to stays what it was.
declare noalias ptr @malloc(i64)
%pair = type { ptr, ptr }
define internal void @renew(ptr %t, ptr %x) noinline {
  %m = call ptr @malloc(i64 8)
  %v = load double, ptr %x
  store double %v, ptr %m
  %place = getelementptr inbounds %pair, ptr %t, i64 0, i32 1
  store ptr %m, ptr %place
  ret void
}
define void @f(ptr %x, ptr %t, ptr %r) {
entry:
  call void @renew(ptr %t, ptr %x)
  %p = load ptr, ptr %t
  %place = getelementptr inbounds %pair, ptr %t, i64 0, i32 1
  %q = load ptr, ptr %place
  %v = load double, ptr %p
  %w = load double, ptr %q
  %s = fadd double %v, %w
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, f64 at 0+8k
; *%t: ptr at 0, ptr at 8 -> **%t, heap `call void @renew(ptr %t, ptr %x)`, *%t->0, *%t->8
; *%r: f64 at 0, f64 at 0+8k
; heap `call void @renew(ptr %t, ptr %x)`: f64 at 0, escapes
; *%t->0: f64 at 0 -> *%t->0->0+1k, escapes
; *%t->0->0+1k:  -> *%t->0, *%t->0->0+1k, escapes
; *%t->8: f64 at 0 -> *%t->8->0+1k, escapes
; *%t->8->0+1k:  -> *%t->8, *%t->8->0+1k, escapes
; %p -> *%t->0
; %place -> *%t
; %q -> heap `call void @renew(ptr %t, ptr %x)`, *%t->8
; *%t->0 may overlap: *%t->0->0+1k, *%t->8, *%t->8->0+1k
; *%t->0->0+1k may overlap: *%t->8, *%t->8->0+1k
; *%t->8 may overlap: *%t->8->0+1k
