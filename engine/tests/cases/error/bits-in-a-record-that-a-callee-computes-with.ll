; test error reverse rd8,od8
; Records of bits, a pointer and a float: a function that sees no float in the first place of one changes the exponent there.
define void @f(ptr %x, ptr %r) {
entry:
  %s = alloca [4 x [24 x i8]]
  br label %make
make:
  %i = phi i64 [ 0, %entry ], [ %i.next, %make ]
  %from = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %from
  %record = getelementptr [24 x i8], ptr %s, i64 %i
  store double %v, ptr %record
  %text = getelementptr i8, ptr %record, i64 8
  store ptr %s, ptr %text
  %float = getelementptr i8, ptr %record, i64 16
  store double %v, ptr %float
  %i.next = add nuw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 4
  br i1 %i.more, label %make, label %made
made:
  call void @turn(ptr %s, i64 4)
  br label %sum
sum:
  %k = phi i64 [ 0, %made ], [ %k.next, %sum ]
  %t = phi double [ 0.0, %made ], [ %t.next, %sum ]
  %at = getelementptr [24 x i8], ptr %s, i64 %k
  %bits = load double, ptr %at
  %beside = getelementptr i8, ptr %at, i64 16
  %factor = load double, ptr %beside
  %product = fmul double %bits, %factor
  %t.next = fadd double %t, %product
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 4
  br i1 %k.more, label %sum, label %done
done:
  store double %t.next, ptr %r
  ret void
}
define void @turn(ptr %s, i64 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr [24 x i8], ptr %s, i64 %i
  %bits = load i64, ptr %at
  %turned = xor i64 %bits, 4503599627370496
  store i64 %turned, ptr %at
  %beside = getelementptr i8, ptr %at, i64 16
  %v = load double, ptr %beside
  %twice = fmul double %v, 2.0
  store double %twice, ptr %beside
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
; expect:
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
; error[CT0302]: bits of an active float are moved or computed with as an integer here
;  --> src/f.rs:7:3
;   |
;   = note: the value depends on an active argument, and the result depends on the integer
;   = note: somewhere in `f`, which is differentiated here
;   = note: active, since it depends on argument 1
;   = note: and the result depends on it
;   = note: the derivative of `f` is asked for at src/f.rs:7
;   = help: use float operations, or give the function a `#[custom_derivative]`
;   = note: for more, run `cargo cotangent explain CT0302`
