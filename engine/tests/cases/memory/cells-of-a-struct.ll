; test memory rd,od8
; A struct of float, integer and pointer: what lies where, padding included.
%record = type { double, i32, ptr }
define void @f(ptr %x, ptr %r) {
entry:
  %v = load double, ptr %x
  %count = getelementptr inbounds %record, ptr %x, i64 0, i32 1
  %n = load i32, ptr %count
  %data = getelementptr inbounds %record, ptr %x, i64 0, i32 2
  %p = load ptr, ptr %data
  %w = load float, ptr %p
  %wide = fpext float %w to double
  %s = fadd double %v, %wide
  store double %s, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0, i32 at 8, ptr at 16 -> **%x, *%x->16
; *%r: f64 at 0, f64 at 0+8k
; *%x->16: f32 at 0 -> *%x->16->0+1k, escapes
; *%x->16->0+1k:  -> *%x->16, *%x->16->0+1k, escapes
; %count -> *%x
; %data -> *%x
; %p -> *%x->16
; *%x->16 may overlap: *%x->16->0+1k
