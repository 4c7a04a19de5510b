; test error reverse md4,od4
; A callee lets others hand two floats of four bytes to each other as one number, from place to place of what its caller has: they stay whole, and lose
; their derivatives.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [4 x float], align 8
  %v = load float, ptr %x
  store float %v, ptr %a
  %a.1 = getelementptr i8, ptr %a, i64 4
  store float 2.0, ptr %a.1
  %a.2 = getelementptr i8, ptr %a, i64 8
  store float 3.0, ptr %a.2
  %a.3 = getelementptr i8, ptr %a, i64 12
  store float 4.0, ptr %a.3
  call void @move(ptr %a, i64 3)
  %read = load float, ptr %a.2
  store float %read, ptr %r
  ret void
}
define void @move(ptr %p, i64 %n) {
entry:
  %last = icmp eq i64 %n, 0
  br i1 %last, label %done, label %again
done:
  %both = call i64 @first(ptr %p, i64 3)
  %p.2 = getelementptr i8, ptr %p, i64 8
  call void @put(ptr %p.2, i64 %both, i64 3)
  ret void
again:
  %less = sub i64 %n, 1
  call void @move(ptr %p, i64 %less)
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
