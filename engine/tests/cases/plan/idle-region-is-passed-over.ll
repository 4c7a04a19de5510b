; test plan reverse rd8,mc8,od8
; A branch and a loop that only write a log: the reverse sweep goes straight past them, and keeps no count.
define void @f(ptr %x, ptr %log, ptr %r) {
entry:
  %v = load double, ptr %x
  %y = fmul double %v, %v
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %note, label %join
note:
  store double %v, ptr %log
  br label %join
join:
  br label %loop
loop:
  %w = load double, ptr %log
  %h = fmul double %w, 5.0e-1
  store double %h, ptr %log
  %small = fcmp olt double %h, 1.0
  br i1 %small, label %exit, label %loop
exit:
  store double %y, ptr %r
  ret void
}
; expect:
; computed again: %v
; %entry: the end
; %note: back to %entry, nothing to do
; %join: back to %entry, nothing to do
; %loop: back to %join, nothing to do
; %exit: back to %join
