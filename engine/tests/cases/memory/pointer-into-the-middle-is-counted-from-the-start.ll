; test memory rd,od8
; The address of a field is kept in a local and read again: what is loaded through it lies in that field.
define void @f(ptr %m, ptr %r) {
entry:
  %local = alloca ptr
  %field = getelementptr inbounds i8, ptr %m, i64 8
  store ptr %field, ptr %local
  %first = load ptr, ptr %m
  %again = load ptr, ptr %local
  %second = load ptr, ptr %again
  %a = load double, ptr %first
  store double %a, ptr %second
  ret void
}
; expect:
; *%m: ptr at 0 -> **%m, *%m->0, *%m->8
; *%r: f64 at 0+8k
; stack %local: ptr at 0 -> *%m
; *%m->0: f64 at 0 -> *%m->0->0+1k, escapes
; *%m->0->0+1k:  -> *%m->0, *%m->0->0+1k, escapes
; *%m->8: f64 at 0 -> *%m->8->0+1k, escapes
; *%m->8->0+1k:  -> *%m->8, *%m->8->0+1k, escapes
; %local -> stack %local
; %field -> *%m
; %first -> *%m->0
; %again -> *%m
; %second -> *%m->8
; *%m->0 may overlap: *%m->0->0+1k, *%m->8, *%m->8->0+1k
; *%m->0->0+1k may overlap: *%m->8, *%m->8->0+1k
; *%m->8 may overlap: *%m->8->0+1k
