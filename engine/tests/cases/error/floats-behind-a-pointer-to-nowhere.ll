; test error reverse rd8,rd8
; What is stored through a pointer is lost, of which nothing shows where it leads: the constant holds none.
@nothing = internal constant [2 x ptr] zeroinitializer
define void @f(ptr %x, ptr %r) {
entry:
  %p = load volatile ptr, ptr @nothing
  %q = getelementptr i8, ptr %p, i64 8
  %w = load double, ptr %x
  store double %w, ptr %q
  %v = load double, ptr %q
  store double %v, ptr %r
  ret void
}
; expect:
; error[CT0301]: cannot tell which memory this pointer leads to
;  --> src/f.rs:7:3
;   |
;   = note: a float is read or written through it, and its derivative would be lost
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: pass the memory as an argument, or give the function that makes the pointer a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0301`
