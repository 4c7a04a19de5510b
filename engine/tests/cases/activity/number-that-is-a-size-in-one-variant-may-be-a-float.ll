; test activity sd8,sd8,od8
; The same loaded once for both variants: memory is asked for by it in one, in the other it is moved as the float that it is there.
declare ptr @__rust_alloc(i64, i64)
define void @f(ptr %x, i64 %i, ptr %y, i64 %j, ptr %r) {
entry:
  %held = alloca [24 x i8], align 8
  %clone = alloca [24 x i8], align 8
  %value = load double, ptr %x
  %held.at = getelementptr inbounds i8, ptr %held, i64 16
  store double %value, ptr %held.at
  %held.text = getelementptr inbounds i8, ptr %held, i64 8
  store ptr null, ptr %held.text
  %is.text = icmp eq i64 %i, 1
  %word = load i64, ptr %held.at
  %word.at = getelementptr inbounds i8, ptr %clone, i64 16
  br i1 %is.text, label %text, label %floats
text:
  %is.empty = icmp eq i64 %word, 0
  br i1 %is.empty, label %cloned, label %full
full:
  %block = call ptr @__rust_alloc(i64 %word, i64 1)
  br label %cloned
cloned:
  store i64 %word, ptr %word.at
  br label %done
floats:
  store i64 %word, ptr %word.at
  br label %done
done:
  %result = load double, ptr %word.at
  store double %result, ptr %r
  ret void
}
; expect:
; active: %value, %result
; active memory: *%x, *%y, *%r, stack %held, stack %clone
; with shadow: %held, %clone, %held.at, %held.text, %word, %word.at
; shadowed memory: stack %held, stack %clone
