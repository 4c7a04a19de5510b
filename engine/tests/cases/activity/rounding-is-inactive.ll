; test activity rd8,od8
; `floor` has a derivative of zero everywhere that it has one.
declare double @llvm.floor.f64(double)
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %whole = call double @llvm.floor.f64(double %v)
  %part = fsub double %v, %whole
  store double %part, ptr %r
  ret void
}
; expect:
; active: %v, %part
; active memory: *%x, *%r
