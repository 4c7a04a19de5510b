//! What vector units do with the bits of floats.

use crate::slice_thunk;

/// A thunk that reads four floats, adds 1 to each, and gives the first of what a few lines make of them as `%made`.
fn made_of_four(lines: &str) -> String {
    let made = slice_thunk(&format!(
        r#"
declare <4 x float> @llvm.x86.sse.min.ps(<4 x float>, <4 x float>)
declare <4 x float> @llvm.x86.sse.cmp.ps(<4 x float>, <4 x float>, i8 immarg)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {{
  %loaded = load <4 x float>, ptr %x, align 4
  %v = fadd <4 x float> %loaded, splat (float 1.0)
  %bits = bitcast <4 x float> %v to <4 x i32>
  %wide = bitcast <4 x float> %v to <2 x i64>
  {lines}
  store <4 x float> %made, ptr %r, align 4
  ret void
}}"#
    ));
    let lines = made.root.blocks().into_iter().flat_map(|b| b.instructions());
    lines.map(|i| format!("{i}\n")).collect()
}

/// Whether a text has all of these, and no operation on bits.
fn has(text: &str, all: &[&str]) -> bool {
    let bits = [" and <", " or <", " xor <", "bitcast"];
    all.iter().all(|part| text.contains(part)) && !bits.iter().any(|part| text.contains(part))
}

#[test]
fn signs_that_are_cleared_changed_or_copied_are_those_of_floats() {
    let cleared = made_of_four(
        "%b = and <2 x i64> %wide, splat (i64 9223372034707292159)\n  %made = bitcast <2 x i64> %b to <4 x float>",
    );
    assert!(has(&cleared, &["@llvm.fabs.v4f32"]), "{cleared}");
    let changed = made_of_four(
        "%b = xor <4 x i32> %bits, <i32 -2147483648, i32 0, i32 0, i32 -2147483648>\n  \
         %made = bitcast <4 x i32> %b to <4 x float>",
    );
    assert!(has(&changed, &["fneg", "select"]), "{changed}");
    let copied = made_of_four(
        "%b = and <4 x i32> %bits, splat (i32 -2147483648)\n  %c = or <4 x i32> %b, splat (i32 1065353216)\n  \
         %made = bitcast <4 x i32> %c to <4 x float>",
    );
    assert!(has(&copied, &["@llvm.copysign.v4f32"]), "{copied}");
}

#[test]
fn what_a_mask_lets_through_is_chosen() {
    let text = made_of_four(
        "%m = call <4 x float> @llvm.x86.sse.cmp.ps(<4 x float> %v, <4 x float> zeroinitializer, i8 1)\n  \
         %w = fmul <4 x float> %v, %v\n  %wb = bitcast <4 x float> %w to <4 x i32>\n  \
         %mb = bitcast <4 x float> %m to <4 x i32>\n  %not = xor <4 x i32> %mb, splat (i32 -1)\n  \
         %a = and <4 x i32> %mb, %wb\n  %b = and <4 x i32> %not, %bits\n  %c = or <4 x i32> %a, %b\n  \
         %made = bitcast <4 x i32> %c to <4 x float>",
    );
    assert!(has(&text, &["fcmp uge", "select", "<4 x float> %v, <4 x float> %w"]), "{text}");
}

#[test]
fn the_second_operand_of_a_minimum_is_the_answer_where_nothing_is_less() {
    let text =
        made_of_four("%made = call <4 x float> @llvm.x86.sse.min.ps(<4 x float> splat (float 1.0), <4 x float> %v)");
    assert!(has(&text, &["fcmp ogt <4 x float> %v", "splat (float 1.000000e+00), <4 x float> %v"]), "{text}");
}

#[test]
fn a_sum_with_a_number_without_fractions_less_that_number_is_a_rounding() {
    let of = |first: &str| {
        made_of_four(&format!(
            "%s = and <4 x i32> %bits, splat (i32 -2147483648)\n  %b = or <4 x i32> %s, splat (i32 {first})\n  \
             %m = bitcast <4 x i32> %b to <4 x float>\n  %sum = fadd <4 x float> %v, %m\n  \
             %made = fsub <4 x float> %sum, %m"
        ))
    };
    // 2^23, and 2.
    assert!(of("1258291200").contains("@llvm.rint.v4f32"), "{}", of("1258291200"));
    assert!(!of("1073741824").contains("@llvm.rint.v4f32"));
}

#[test]
fn bits_that_mean_no_float_stay_as_they_are() {
    let text =
        made_of_four("%b = and <4 x i32> %bits, splat (i32 2147418112)\n  %made = bitcast <4 x i32> %b to <4 x float>");
    assert!(text.contains("and <4 x i32>"), "{text}");
}
