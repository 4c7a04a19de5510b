; test memory rd,od8
; A vector of floats and one of rows, behind one reference: the copy of the first leads to no pointers.
%model = type { ptr, ptr }
define void @f(ptr %m, ptr %r) {
entry:
  %weights = load ptr, ptr %m
  %field = getelementptr inbounds %model, ptr %m, i64 0, i32 1
  %rows = load ptr, ptr %field
  %place = getelementptr inbounds ptr, ptr %rows, i64 2
  %row = load ptr, ptr %place
  %w = load double, ptr %weights
  %v = load double, ptr %row
  %s = fmul double %v, %w
  store double %s, ptr %r
  ret void
}
; expect:
; *%m: ptr at 0, ptr at 8 -> **%m, *%m->0, *%m->8
; *%r: f64 at 0, f64 at 0+8k
; *%m->0: f64 at 0 -> *%m->0->0+1k, escapes
; *%m->0->0+1k:  -> *%m->0, *%m->0->0+1k, escapes
; *%m->8: ptr at 16 -> *%m->8->0+1k, *%m->8->16, escapes
; *%m->8->0+1k:  -> *%m->8, *%m->8->0+1k, *%m->8->16, escapes
; *%m->8->16: f64 at 0 -> *%m->8->0+1k, escapes
; %weights -> *%m->0
; %field -> *%m
; %rows -> *%m->8
; %place -> *%m->8
; %row -> *%m->8->16
; *%m->0 may overlap: *%m->0->0+1k, *%m->8, *%m->8->0+1k, *%m->8->16
; *%m->0->0+1k may overlap: *%m->8, *%m->8->0+1k, *%m->8->16
; *%m->8 may overlap: *%m->8->0+1k, *%m->8->16
; *%m->8->0+1k may overlap: *%m->8->16
