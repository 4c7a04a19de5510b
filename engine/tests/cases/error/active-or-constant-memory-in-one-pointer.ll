; test error reverse rd8,mc8,rc,od8
; Of the two places that the pointer may lead to, one has no shadow, and is written to: its own address cannot stand for a shadow.
define void @f(ptr %x, ptr %c, ptr %which, ptr %r) {
entry:
  %w = load i8, ptr %which
  %first = icmp eq i8 %w, 0
  br i1 %first, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ %c, %entry ], [ %x, %then ]
  store double 1.0, ptr %r
  br label %loop
loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %v = load double, ptr %p
  %s = load double, ptr %r
  store double 2.0, ptr %p
  %y = fmul double %s, %v
  store double %y, ptr %r
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
; expect:
; error[CT0402]: this pointer may lead to active memory or to constant memory
;  --> src/f.rs:7:3
;   |
;   = note: one of the places has a shadow and the other has none, which takes memory that is only read, float by float
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: pass constant memory as an argument of its own, not in one structure with active memory, or make it `Duplicated`
;   = note: for more, run `cargo cotangent explain CT0402`
