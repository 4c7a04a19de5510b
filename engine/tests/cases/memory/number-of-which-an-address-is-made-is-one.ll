; test memory rd,rd,od8
; The same where an address is made of a number somewhere: then it may be one.
define void @f(ptr %x, ptr %m, ptr %r) {
entry:
  %number = load i64, ptr %m, !llvm.preserve.access.index !0
  %place = getelementptr inbounds i8, ptr %m, i64 8
  %word = load i64, ptr %place
  %keep = alloca i64
  %other = alloca i64
  store i64 %number, ptr %keep
  store i64 %word, ptr %other
  %a = load ptr, ptr %keep
  %b = load ptr, ptr %other
  %c = load i64, ptr %keep, !llvm.preserve.access.index !0
  %d = inttoptr i64 %c to ptr
  %e = load double, ptr %d
  ret void
}
!0 = !{!"ct.told"}
; expect:
; *%m: i64 at 0, i64 at 8 -> **%m, *%m->0, *%m->8
; *%r: f64 at 0+8k
; stack %keep: i64 or ptr at 0 -> *%m->0
; stack %other: i64 or ptr at 0 -> *%m->8
; *%m->0: f64 at 0 -> *%m->0->0+1k, escapes
; *%m->0->0+1k:  -> *%m->0, *%m->0->0+1k, escapes
; *%m->8:  -> *%m->8->0+1k, escapes
; *%m->8->0+1k:  -> *%m->8, *%m->8->0+1k, escapes
; %number -> *%m->0
; %place -> *%m
; %word -> *%m->8
; %keep -> stack %keep
; %other -> stack %other
; %a -> *%m->0
; %b -> *%m->8
; %c -> *%m->0
; %d -> *%m->0
; *%x may overlap: *%m, *%m->0, *%m->0->0+1k, *%m->8, *%m->8->0+1k
; *%m->0 may overlap: *%m->0->0+1k, *%m->8, *%m->8->0+1k
; *%m->0->0+1k may overlap: *%m->8, *%m->8->0+1k
; *%m->8 may overlap: *%m->8->0+1k
