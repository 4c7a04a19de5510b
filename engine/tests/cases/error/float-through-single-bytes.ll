; test error reverse rd8,od8
; The bytes of a float go one by one, and in the other order, through memory: nothing says of which float they are.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca [8 x i8]
  %b = alloca [8 x i8]
  %v = load double, ptr %x
  store double %v, ptr %a
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
  %w = load double, ptr %b
  store double %w, ptr %r
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
