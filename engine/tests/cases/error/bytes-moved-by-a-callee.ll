; test error reverse rd8,od8
; The bytes of a float are moved one by one in a function that knows nothing of floats.
define void @f(ptr %x, ptr %r) {
entry:
  %b = alloca [8 x i8]
  call void @turn(ptr %x, ptr %b)
  call void @turn(ptr %b, ptr %b)
  %w = load double, ptr %b
  store double %w, ptr %r
  ret void
}
define void @turn(ptr %from, ptr %to) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %here = getelementptr i8, ptr %from, i64 %i
  %byte = load volatile i8, ptr %here
  %back = sub i64 7, %i
  %there = getelementptr i8, ptr %to, i64 %back
  store volatile i8 %byte, ptr %there
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 8
  br i1 %done, label %exit, label %loop
exit:
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
