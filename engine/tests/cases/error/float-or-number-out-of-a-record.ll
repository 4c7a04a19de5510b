; test error reverse md8,md,od8
; A callee hands out a word from wherever in a record, which is the number there or the float: the number lies elsewhere than the float.
define void @f(ptr %x, ptr %at, ptr %r) {
entry:
  %a = alloca [2 x i64], align 8
  %b = alloca [2 x i64], align 8
  %k = load i64, ptr %at
  store i64 %k, ptr %a
  %v = load double, ptr %x
  %a.1 = getelementptr i8, ptr %a, i64 8
  store double %v, ptr %a.1
  %number = call i64 @first(ptr %a, i64 %k, i64 3)
  call void @put(ptr %b, i64 %k, i64 %number, i64 3)
  %b.1 = getelementptr i8, ptr %b, i64 8
  %read = load double, ptr %b.1
  store double %read, ptr %r
  ret void
}
define i64 @first(ptr %p, i64 %at, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  %here = getelementptr i8, ptr %p, i64 %at
  %v = load i64, ptr %here, align 1
  ret i64 %v
again:
  %less = sub i64 %n, 1
  %w = call i64 @first(ptr %p, i64 %at, i64 %less)
  ret i64 %w
}
define void @put(ptr %p, i64 %at, i64 %v, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  %here = getelementptr i8, ptr %p, i64 %at
  store i64 %v, ptr %here, align 1
  ret void
again:
  %less = sub i64 %n, 1
  call void @put(ptr %p, i64 %at, i64 %v, i64 %less)
  ret void
}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:7:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 2
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
