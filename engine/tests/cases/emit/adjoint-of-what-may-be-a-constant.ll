; test emit reverse rd8,rc,od8
; The table has no shadow; a pointer that may lead there or to the argument has one, which is the table's own address.
@table = constant [2 x double] [double 0.5, double 1.25]
define void @f(ptr %x, ptr %which, ptr %r) {
entry:
  %w = load i8, ptr %which
  %first = icmp eq i8 %w, 0
  br i1 %first, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ @table, %entry ], [ %x, %then ]
  %v = load double, ptr %p
  store double %v, ptr %r
  ret void
}
; expect:
; define internal void @d.body(ptr noalias %x, ptr noalias %dx, ptr noalias %which, ptr noalias %r, ptr noalias %dr) {
; entry:
;   %0 = load i8, ptr %which, align 1
;   %1 = icmp eq i8 %0, 0
;   %2 = select i1 %1, ptr %x, ptr @table
;   %3 = select i1 %1, ptr %dx, ptr @table
;   %4 = load double, ptr %2, align 8
;   store double %4, ptr %r, align 8
;   %5 = load double, ptr %dr, align 8
;   store double 0.000000e+00, ptr %dr, align 8
;   %6 = icmp eq ptr %2, %3
;   br i1 %6, label %reverse.2.cont, label %reverse.2.else3
;
; reverse.2.else3:                                  ; preds = %entry
;   %.else.val = load double, ptr %3, align 8
;   %7 = fadd reassoc nsz double %.else.val, %5
;   store double %7, ptr %3, align 8
;   br label %reverse.2.cont
;
; reverse.2.cont:                                   ; preds = %entry, %reverse.2.else3
;   ret void
; }
