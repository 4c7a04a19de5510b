; test error reverse md4,od4
; The bytes of a float, beside those of a number, are moved one by one, and turned round, to where no float lies, and a float is made of what is there.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [8 x i8], align 4
  %b = alloca [8 x i8], align 1
  store i32 7, ptr %a
  %a.1 = getelementptr i8, ptr %a, i64 4
  %v = load float, ptr %x
  store float %v, ptr %a.1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %a, i64 %i
  %byte = load i8, ptr %from
  %back = sub i64 7, %i
  %to = getelementptr i8, ptr %b, i64 %back
  store i8 %byte, ptr %to
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 8
  br i1 %done, label %exit, label %loop
exit:
  %low.at = getelementptr i8, ptr %b, i64 0
  %high.at = getelementptr i8, ptr %b, i64 2
  %low = load i16, ptr %low.at, align 1
  %high = load i16, ptr %high.at, align 1
  %low.wide = zext i16 %low to i32
  %high.wide = zext i16 %high to i32
  %high.up = shl i32 %high.wide, 16
  %bits = or i32 %high.up, %low.wide
  %w = bitcast i32 %bits to float
  store float %w, ptr %r
  ret void
}
; expect:
; error[CT0302]: a float is put together here from pieces of the bits of an active one
;  --> src/f.rs:7:3
;   |
;   = note: bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float
;   = note: somewhere in `f`, which is differentiated here
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: hand the float on as a float, or give the function that does this a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
