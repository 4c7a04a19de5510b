; test memory rd8,od8
; What a table of slices leads to is known from its initial value; texts and functions are left out.
@row = constant [2 x double] [double 0.5, double 1.25]
@text = constant [3 x i8] c"row", align 1
@table = constant { ptr, i64, ptr, ptr } { ptr @row, i64 2, ptr @text, ptr @f }
define void @f(ptr %x, ptr %r) {
entry:
  %row = load ptr, ptr @table
  %v = load double, ptr %row
  store double %v, ptr %r
  ret void
}
; expect:
; *%x: f64 at 0+8k
; *%r: f64 at 0, f64 at 0+8k
; @table: ptr at 0 -> @row
; @row: f64 at 0, escapes
; %row -> @row
; *%x may overlap: @table, @row
; *%r may overlap: @table, @row
