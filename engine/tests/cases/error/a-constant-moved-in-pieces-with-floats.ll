; test error reverse as-it-is rd8,od8
; What is moved in pieces may be a constant of the program, where nothing tells a piece of a float: the help says what to do with a constant.
@table = constant [2 x double] [double 1.5, double 2.5]
define void @f(ptr %x, ptr %r) {
entry:
  %mine = alloca double
  %own = alloca double
  %w = load double, ptr %x
  store double %w, ptr %mine
  %c = fcmp ogt double %w, 0.0
  %p = select i1 %c, ptr %mine, ptr @table
  %low = load i32, ptr %p, !ct.word !0
  %at = getelementptr inbounds i8, ptr %p, i64 4
  %high = load i32, ptr %at, !ct.word !0
  store i32 %low, ptr %own, !ct.word !0
  %to = getelementptr inbounds i8, ptr %own, i64 4
  store i32 %high, ptr %to, !ct.word !0
  %v = load double, ptr %own
  store double %v, ptr %r
  ret void
}
!0 = !{}
; expect:
; error[CT0402]: this pointer may lead to active memory or to constant memory
;  --> src/f.rs:7:3
;   |
;   = note: one of the places has a shadow and the other has none, which takes memory that is accessed as floats, pointers or words
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = help: copy the static or constant into a local array or vector first, and refer to that where references to active memory are
;   = note: for more, run `cargo cotangent explain CT0402`
;
; error[CT0402]: this pointer may lead to active memory or to constant memory
;  --> src/f.rs:7:3
;   |
;   = note: one of the places has a shadow and the other has none, which takes memory that is accessed as floats, pointers or words
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = help: copy the static or constant into a local array or vector first, and refer to that where references to active memory are
;   = note: for more, run `cargo cotangent explain CT0402`
;
