; test memory rd
; What lies in a record, in rows behind it and in rows of records there is known from types of the source, whatever is moved.
define void @f(ptr "ct-given"="f4:16+0 f8:0+8@0+0 f4:8+16@8+0 f8:0+8@8+0@0+16" %x) {
entry:
  %row = load ptr, ptr %x
  %i = load i64, ptr %row
  %at = getelementptr i8, ptr %x, i64 8
  %records = load ptr, ptr %at
  %record = getelementptr i8, ptr %records, i64 16
  %inner = load ptr, ptr %record
  store i64 %i, ptr %inner
  ret void
}
; expect:
; *%x: ptr at 0, ptr at 8, f32 at 16 -> **%x, *%x->0, *%x->8
; *%x->0: i64 at 0, f64 at 0+8k -> *%x->0->0+1k, escapes
; *%x->0->0+1k: i64 at 0 -> *%x->0, *%x->0->0+1k, escapes
; *%x->8: f32 at 8+16k, ptr at 16 -> *%x->0->0+1k, *%x->8->0+1k, *%x->8->16, escapes
; *%x->8->0+1k:  -> *%x->0->0+1k, *%x->8, *%x->8->0+1k, *%x->8->16, escapes
; *%x->8->16: i64 at 0, f64 at 0+8k -> *%x->0->0+1k, *%x->8->0+1k, escapes
; %row -> *%x->0
; %i -> *%x->0->0+1k
; %at -> *%x
; %records -> *%x->8
; %record -> *%x->8
; %inner -> *%x->0->0+1k, *%x->8->16
; *%x->0 may overlap: *%x->0->0+1k, *%x->8, *%x->8->0+1k, *%x->8->16
; *%x->0->0+1k may overlap: *%x->8, *%x->8->0+1k, *%x->8->16
; *%x->8 may overlap: *%x->8->0+1k, *%x->8->16
; *%x->8->0+1k may overlap: *%x->8->16
