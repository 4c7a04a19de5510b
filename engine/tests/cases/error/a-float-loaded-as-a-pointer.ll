; test error reverse rd8,od8
; What is loaded as a pointer and cast to a float is a float that nobody has taken for one.
define void @f(ptr %x, ptr %r) {
entry:
  %s = alloca [2 x double]
  %v = load double, ptr %x
  store double %v, ptr %s
  %p = load ptr, ptr %s
  %i = ptrtoint ptr %p to i64
  %y = bitcast i64 %i to double
  store double %y, ptr %r
  ret void
}
; expect:
