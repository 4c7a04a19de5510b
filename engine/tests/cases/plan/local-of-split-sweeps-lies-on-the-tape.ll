; test plan reverse split rd8,od8
; Of a function whose sweeps are two functions: a local outlives the first on the tape, so its address is kept and what it holds is loaded again.
define void @f(ptr %x, ptr %r) {
entry:
  %a = alloca double
  %v = load double, ptr %x
  %u = fadd double %v, 1.0
  store double %u, ptr %a
  %w = load double, ptr %a
  %y = fmul double %w, %w
  store double %y, ptr %r
  ret void
}
; expect:
; kept: %a (8 bytes), shadow %a (8 bytes)
; computed again: %w
; masked: %v, %u
; %entry: the end
