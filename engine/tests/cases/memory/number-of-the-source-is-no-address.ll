; test memory rd,rd,od8
; Where the source has a number, the function makes no address of it; what nothing is known of may be one.
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
  ret void
}
!0 = !{!"ct.told"}
; expect:
; *%m: i64 at 0, i64 at 8 -> **%m, *%m->8
; *%r: f64 at 0+8k
; stack %keep: i64 or ptr at 0
; stack %other: i64 or ptr at 0 -> *%m->8
; *%m->8:  -> *%m->8->0+1k, escapes
; *%m->8->0+1k:  -> *%m->8, *%m->8->0+1k, escapes
; %place -> *%m
; %word -> *%m->8
; %keep -> stack %keep
; %other -> stack %other
; %b -> *%m->8
; *%x may overlap: *%m, *%m->8, *%m->8->0+1k
; *%m->8 may overlap: *%m->8->0+1k
