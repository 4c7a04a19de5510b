; test activity sd8,sd8,od8
; A number and a float at places that an index does not tell apart: what is moved between them is a word, with a shadow and no type.
define void @f(ptr %x, i64 %i, ptr %y, i64 %j, ptr %r) {
entry:
  %node = alloca [8 x i64]
  %value = load double, ptr %x
  %at = getelementptr inbounds double, ptr %node, i64 %i
  store double %value, ptr %at
  %from = getelementptr inbounds i64, ptr %node, i64 %j
  %word = load i64, ptr %from
  %to = getelementptr inbounds i64, ptr %from, i64 1
  store i64 %word, ptr %to
  %result = load double, ptr %to
  store double %result, ptr %r
  ret void
}
; expect:
; active: %value, %result
; active memory: *%x, *%y, *%r, stack %node
; with shadow: %node, %at, %from, %word, %to
; shadowed memory: stack %node
