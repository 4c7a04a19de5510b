; test memory sd,od8
; The pointer at 16 is one of those at every eighth byte: what it leads to, the walk may find as well.
define void @f(ptr %rows, i64 %k, ptr %r) {
entry:
  %third = getelementptr inbounds ptr, ptr %rows, i64 2
  %one = load ptr, ptr %third
  %place = getelementptr inbounds ptr, ptr %rows, i64 %k
  %any = load ptr, ptr %place
  %a = load double, ptr %one
  store double %a, ptr %any
  ret void
}
; expect:
; *%rows: ptr at 0+8k, ptr at 16 -> **%rows, *%rows->16, *%rows->0+8k
; *%r: f64 at 0+8k
; *%rows->16: f64 at 0 -> *%rows->16->0+1k, escapes
; *%rows->16->0+1k:  -> *%rows->16, *%rows->16->0+1k, escapes
; *%rows->0+8k: f64 at 0 -> *%rows->0+8k->0+1k, escapes
; *%rows->0+8k->0+1k:  -> *%rows->0+8k, *%rows->0+8k->0+1k, escapes
; %third -> *%rows
; %one -> *%rows->16, *%rows->0+8k
; %place -> *%rows
; %any -> *%rows->16, *%rows->0+8k
; *%rows->16 may overlap: *%rows->16->0+1k, *%rows->0+8k, *%rows->0+8k->0+1k
; *%rows->16->0+1k may overlap: *%rows->0+8k, *%rows->0+8k->0+1k
; *%rows->0+8k may overlap: *%rows->0+8k->0+1k
