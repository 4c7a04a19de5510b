; test activity sd4,sd4,od4
; A text is cloned out of an enum that holds three floats in another variant: memory is asked for by its length before that is stored, unless it is empty.
declare ptr @__rust_alloc(i64, i64)
define void @f(ptr %x, i64 %i, ptr %y, i64 %j, ptr %r) {
entry:
  %held = alloca [24 x i8], align 8
  %clone = alloca [24 x i8], align 8
  %value = load float, ptr %x
  %held.at = getelementptr inbounds i8, ptr %held, i64 16
  store float %value, ptr %held.at
  %is.text = icmp eq i64 %i, 1
  br i1 %is.text, label %text, label %floats
text:
  %length = load i64, ptr %held.at
  %is.empty = icmp eq i64 %length, 0
  br i1 %is.empty, label %cloned, label %full
full:
  %block = call ptr @__rust_alloc(i64 %length, i64 1)
  br label %cloned
cloned:
  %length.at = getelementptr inbounds i8, ptr %clone, i64 16
  store i64 %length, ptr %length.at
  br label %done
floats:
  %float = load float, ptr %held.at
  %float.at = getelementptr inbounds i8, ptr %clone, i64 16
  store float %float, ptr %float.at
  br label %done
done:
  %result.at = getelementptr inbounds i8, ptr %clone, i64 16
  %result = load float, ptr %result.at
  store float %result, ptr %r
  ret void
}
; expect:
; active: %value, %float, %result
; active memory: *%x, *%y, *%r, stack %held, stack %clone
; with shadow: %held, %clone, %held.at, %float.at, %length, %length.at, %result.at
; shadowed memory: stack %held, stack %clone
