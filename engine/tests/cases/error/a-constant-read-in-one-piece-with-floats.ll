; test error reverse as-it-is rd8,od8
; What is read may be a constant of the program, and the pair that it is read as has no bits that tell: the help says what to do with a constant.
@table = constant [2 x double] [double 1.5, double 2.5]
define void @f(ptr %x, ptr %r) {
entry:
  %w = load double, ptr %x
  %c = fcmp ogt double %w, 0.0
  %p = select i1 %c, ptr %x, ptr @table
  %pair = load { double, i64 }, ptr %p
  %v = extractvalue { double, i64 } %pair, 0
  store double %v, ptr %r
  ret void
}
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
