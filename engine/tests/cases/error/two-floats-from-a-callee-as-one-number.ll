; test error reverse md4,od4
; Two floats of four bytes that a call that stays hands out as one number of eight.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [2 x float], align 8
  %b = alloca [2 x float], align 8
  %v = load float, ptr %x
  store float %v, ptr %a
  %a.next = getelementptr i8, ptr %a, i64 4
  store float 2.0, ptr %a.next
  %both = call i64 @first(ptr %a, i64 3)
  call void @put(ptr %b, i64 %both, i64 3)
  %read = load float, ptr %b
  store float %read, ptr %r
  ret void
}
define i64 @first(ptr %p, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  %v = load i64, ptr %p, align 8
  ret i64 %v
again:
  %less = sub i64 %n, 1
  %w = call i64 @first(ptr %p, i64 %less)
  ret i64 %w
}
define void @put(ptr %p, i64 %v, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  store i64 %v, ptr %p, align 8
  ret void
again:
  %less = sub i64 %n, 1
  call void @put(ptr %p, i64 %v, i64 %less)
  ret void
}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:7:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
