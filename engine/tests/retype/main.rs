//! Passes on plain IR: moves of floats become moves of floats, reallocations are taken apart; and what they ask of numbers.
mod sizes;
mod words;

use cotangent_engine::analysis::memory::Summaries;
use cotangent_engine::analysis::widths::Widths;
use cotangent_engine::llvm::{Context, Module};
use cotangent_engine::load::{realloc, retype};
use cotangent_engine::rule::{Effect, EffectPattern, EffectRow, Family, Registry, Size};

const HEAD: &str = "target datalayout = \"e-m:e-i64:64-i128:128-n8:16:32:64-S128\"\n";

fn parse(text: &str) -> Module {
    let module = Context::new().parse_text(&format!("{HEAD}{text}"), "test").expect("the test's IR is IR");
    module.verify().expect("the test's IR is well formed");
    module
}

fn registry() -> Registry {
    let row = |name, effect| EffectRow { pattern: EffectPattern::Path(name), effect };
    let family = Family::Rust;
    let allocate = Effect::Allocate { size: Size::Operand(0), align: Some(1), zeroed: false, family };
    let grow = Effect::Reallocate { pointer: 0, old_size: Some(1), new_size: 3, align: Some(2), family };
    let c_grow = Effect::Reallocate { pointer: 0, old_size: None, new_size: 1, align: None, family: Family::C };
    let effects = vec![
        row("__rustc::__rust_alloc", allocate),
        EffectRow { pattern: EffectPattern::Symbol("__rust_alloc"), effect: allocate },
        row("__rustc::__rust_dealloc", Effect::Free { pointer: 0, size: Some(1), family }),
        row("__rustc::__rust_realloc", grow),
        EffectRow { pattern: EffectPattern::Symbol("realloc"), effect: c_grow },
    ];
    Registry::new(Vec::new(), effects)
}

/// The body of `@f` after the pass, without metadata, as one text with single spaces; and whether the pass says that it changed something.
fn retyped(text: &str, hints: &[u8]) -> (String, bool) {
    let module = parse(text);
    let registry = registry();
    let function = module.function("f").expect("the test has a function f");
    let summaries = Summaries::new(&registry);
    let changed = retype::moves(module, function, &registry, &summaries, hints, &mut Widths::of(module));
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    (module.to_string(), changed)
}

fn expect(text: &str, hints: &[u8], lines: &[&str], gone: &[&str]) {
    let (out, changed) = retyped(text, hints);
    assert!(changed, "nothing changed:\n{out}");
    for line in lines {
        assert!(out.contains(line), "`{line}` is not in:\n{out}");
    }
    for line in gone {
        assert!(!out.contains(line), "`{line}` is in:\n{out}");
    }
}

fn expect_unchanged(text: &str, hints: &[u8]) {
    let (out, changed) = retyped(text, hints);
    assert!(!changed, "changed:\n{out}");
}

#[test]
fn a_move_into_memory_of_floats_is_one_of_a_float() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a, align 4, !noundef !0
        store i64 %x, ptr %b, align 8
        ret void
    }
    !0 = !{}";
    let lines = ["%x = load double, ptr %a, align 4\n", "store double %x, ptr %b, align 8"];
    expect(text, &[8, 0], &lines, &["load i64", "store i64"]);
    expect(text, &[0, 8], &lines, &["load i64", "store i64"]);
    expect_unchanged(text, &[0, 0]);
    let lines = ["load float, ptr %a, align 4", "load float, ptr %1, align 4", "store float"];
    expect(text, &[4, 0], &lines, &["load i64", "store i64"]);
}

#[test]
fn other_accesses_of_the_same_place_tell_what_is_moved() {
    let text = "define double @f(ptr %a, ptr %b, i64 %n) {
        %p = getelementptr inbounds double, ptr %a, i64 %n
        %y = load double, ptr %p
        %q = getelementptr inbounds i8, ptr %a, i64 16
        %x = load i64, ptr %q
        store i64 %x, ptr %b
        %z = load i64, ptr %b
        %r = getelementptr inbounds i8, ptr %b, i64 24
        store i64 %z, ptr %r
        ret double %y
    }";
    expect(text, &[0, 0, 0], &["store double %x, ptr %b", "store double %z, ptr %r"], &["load i64", "store i64"]);
}

#[test]
fn what_lies_in_a_copy_lies_in_its_source() {
    let text = "define double @f(ptr %a, ptr %b) {
        %s = alloca [24 x i8], align 8
        call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s, ptr align 8 %a, i64 24, i1 false)
        %n = getelementptr inbounds i8, ptr %a, i64 16
        %m = load i64, ptr %n
        store i64 %m, ptr %b
        %p = getelementptr inbounds i8, ptr %s, i64 16
        %y = load double, ptr %p
        ret double %y
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)";
    expect(text, &[0, 0], &["%m = load double, ptr %n", "store double %m, ptr %b"], &[]);
    // What lies eight bytes before it says nothing of it; of the copy it says what that part of it moves.
    let beside = text.replace("getelementptr inbounds i8, ptr %s, i64 16", "getelementptr inbounds i8, ptr %s, i64 8");
    expect(&beside, &[0, 0], &["%m = load i64, ptr %n", "store i64 %m, ptr %b"], &["%m = load double"]);
}

#[test]
fn a_length_is_no_float() {
    // An array of floats lies in the same memory, as far as is known; the length is used as an address.
    expect_unchanged(
        "define double @f(ptr %v, ptr %o) {
            %n = getelementptr inbounds i8, ptr %v, i64 16
            %l = load i64, ptr %n
            %m = getelementptr inbounds i8, ptr %o, i64 16
            store i64 %l, ptr %m
            %p = getelementptr inbounds double, ptr %v, i64 %l
            %y = load double, ptr %p
            ret double %y
        }",
        &[0, 0],
    );
}

#[test]
fn a_pointer_moved_as_an_integer_is_no_float() {
    expect_unchanged(
        "define double @f(ptr %v, ptr %o, i64 %i) {
            %l = load i64, ptr %v
            store i64 %l, ptr %o
            %d = load ptr, ptr %o
            %y = load double, ptr %d
            %e = getelementptr inbounds double, ptr %v, i64 %i
            %z = load double, ptr %e
            ret double %y
        }",
        &[0, 0, 0],
    );
}

#[test]
fn an_array_that_is_counted_in_is_of_integers() {
    expect_unchanged(
        "define void @f(ptr %c, ptr %o, i64 %i) {
            %p = getelementptr inbounds i64, ptr %c, i64 %i
            %l = load i64, ptr %p
            %n = add i64 %l, 1
            store i64 %n, ptr %p
            %x = load i64, ptr %c
            store i64 %x, ptr %o
            ret void
        }",
        &[0, 0, 0],
    );
}

#[test]
fn phis_selects_and_freezes_move_too() {
    expect(
        "define void @f(ptr noalias %a, ptr %b, i1 %c) {
        entry:
            %x = load i64, ptr %a
            br label %loop
        loop:
            %t = phi i64 [ %x, %entry ], [ %s, %loop ]
            %p = getelementptr inbounds i8, ptr %a, i64 8
            %y = load i64, ptr %p
            %g = freeze i64 %y
            %s = select i1 %c, i64 %t, i64 %g
            br i1 %c, label %loop, label %end
        end:
            %k = phi i64 [ %s, %loop ]
            store i64 %k, ptr %b
            ret void
        }",
        &[8, 0, 0],
        &[
            "%t = phi double [ %x, %entry ], [ %s, %loop ]",
            "%g = freeze double %y",
            "%s = select i1 %c, double %t, double %g",
            "store double %k, ptr %b",
        ],
        &["i64 %"],
    );
}

#[test]
fn constants_that_are_stored_take_part() {
    expect(
        "define void @f(ptr %a) { store i64 4607182418800017408, ptr %a ret void }",
        &[8],
        &["store double 1.0"],
        &["store i64"],
    );
    expect_unchanged("define void @f(ptr %a) { store i64 0, ptr %a ret void }", &[0]);
}

#[test]
fn a_bit_cast_makes_certain() {
    expect(
        "define double @f(ptr %a, ptr %b) {
            %x = load i64, ptr %a
            store i64 %x, ptr %b
            %d = bitcast i64 %x to double
            %h = lshr i64 %x, 52
            %p = getelementptr i8, ptr %b, i64 %h
            store i8 0, ptr %p
            ret double %d
        }",
        &[0, 0],
        &["%x = load double, ptr %a", "store double %x, ptr %b", "ret double %x", "lshr i64"],
        &["load i64"],
    );
}

#[test]
fn a_total_order_leaves_moves_of_floats() {
    expect(
        "define void @f(ptr %a) {
            %q = getelementptr inbounds i8, ptr %a, i64 8
            %x = load i64, ptr %a
            %y = load i64, ptr %q
            %x1 = ashr i64 %x, 63
            %x2 = lshr i64 %x1, 1
            %x3 = xor i64 %x2, %x
            %y1 = ashr i64 %y, 63
            %y2 = lshr i64 %y1, 1
            %y3 = xor i64 %y2, %y
            %c = icmp slt i64 %x3, %y3
            %low = select i1 %c, i64 %x, i64 %y
            %high = select i1 %c, i64 %y, i64 %x
            store i64 %low, ptr %a
            store i64 %high, ptr %q
            ret void
        }",
        &[8],
        &["%x = load double", "bitcast double %x to i64", "%low = select i1 %c, double %x, double %y", "icmp slt i64"],
        &["load i64", "store i64"],
    );
}

#[test]
fn two_floats_in_one_integer_are_two() {
    expect(
        "define void @f(ptr %a, ptr %b) {
            %x = load i64, ptr %a, align 8
            %y = call i64 @llvm.fshl.i64(i64 %x, i64 %x, i64 32)
            store i64 %y, ptr %b, align 8
            ret void
        }
        declare i64 @llvm.fshl.i64(i64, i64, i64)",
        &[4, 0],
        &["load float, ptr %a, align 8", "store float %2, ptr %b, align 8", "store float %x, ptr %3, align 4"],
        &["load i64", "store i64", "call i64"],
    );
}

#[test]
fn packing_and_unpacking_are_moves() {
    expect(
        "define double @f(double %u, double %v, i1 %c, ptr %o) {
        entry:
            %ui = bitcast double %u to i64
            %uw = zext i64 %ui to i128
            %vi = bitcast double %v to i64
            %vw = zext i64 %vi to i128
            %vs = shl nuw i128 %vw, 64
            %w = or disjoint i128 %vs, %uw
            br i1 %c, label %then, label %end
        then:
            br label %end
        end:
            %p = phi i128 [ %w, %entry ], [ 0, %then ]
            store i128 %p, ptr %o
            %h = lshr i128 %p, 64
            %t = trunc i128 %h to i64
            %d = bitcast i64 %t to double
            ret double %d
        }",
        &[0, 0, 0, 0],
        &["phi double [ %u, %entry ], [ 0.0", "phi double [ %v, %entry ], [ 0.0", "store double"],
        &["phi i128", "bitcast", "zext", "lshr"],
    );
}

#[test]
fn an_integer_beside_a_float_stays_one() {
    expect(
        "define void @f(ptr %a, ptr %b) {
            %x = load i64, ptr %a, align 8
            store i64 %x, ptr %b, align 8
            %y = load float, ptr %b
            %q = getelementptr inbounds i8, ptr %b, i64 4
            %t = load i8, ptr %q
            ret void
        }",
        &[0, 0],
        &["%x = load float, ptr %a, align 8", "= load i32, ptr", "store i32"],
        &["load i64", "store i64"],
    );
}

#[test]
fn vectors_of_integers_move_floats_too() {
    expect(
        "define void @f(ptr %a, ptr %b) {
            %x = load <2 x i64>, ptr %a, align 8
            %y = shufflevector <2 x i64> %x, <2 x i64> poison, <2 x i32> <i32 1, i32 0>
            store <2 x i64> %y, ptr %b, align 8
            ret void
        }",
        &[8, 0],
        &["load double, ptr %a", "store double %2, ptr %b, align 8", "store double %x, ptr"],
        &["<2 x i64>"],
    );
}

#[test]
fn operations_on_the_sign_bit_are_of_floats() {
    let text = |operation: &str| {
        format!(
            "define void @f(ptr %a, ptr %b) {{
                %x = load i64, ptr %a
                %b8 = getelementptr inbounds i8, ptr %a, i64 8
                %y = load i64, ptr %b8
                {operation}
                store i64 %r, ptr %b
                ret void
            }}"
        )
    };
    let max = i64::MAX;
    let min = i64::MIN;
    let check =
        |operation: &str, line: &str| expect(&text(operation), &[8, 0], &[line], &["%x = load i64", "store i64"]);
    check(&format!("%r = and i64 %x, {max}"), "%r = call double @llvm.fabs.f64(double %x)");
    check(&format!("%r = xor i64 %x, {min}"), "%r = fneg double %x");
    check(&format!("%r = or i64 %x, {min}"), "%r = fneg double %1");
    let copy = format!("%s = and i64 %y, {min}\n %m = and i64 %x, {max}\n %r = or i64 %m, %s");
    check(&copy, "%r = call double @llvm.copysign.f64(double %x, double %y)");
    let multiply = format!("%s = and i64 %y, {min}\n %r = xor i64 %s, %x");
    check(&multiply, "%r = fmul double %x,");
    let other = text("%r = and i64 %x, 4095");
    assert!(retyped(&other, &[0, 0]).0.contains("and i64 %x, 4095"));
}

const COPIES: &str = "
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)";

/// Fills records of an integer and a float at `%a`, and copies them in some way.
fn records(copy: &str) -> String {
    format!(
        "define void @f(ptr %a, ptr %b, i64 %n, i64 %i, double %v) {{
            %p = getelementptr inbounds {{ i64, double }}, ptr %a, i64 %i
            %t = add i64 %i, %n
            store i64 %t, ptr %p
            %q = getelementptr inbounds i8, ptr %p, i64 8
            store double %v, ptr %q
            {copy}
            ret void
        }}
        {COPIES}"
    )
}

#[test]
fn a_copy_of_a_record_is_written_out() {
    expect(
        &records("call void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 %p, i64 16, i1 false)"),
        &[],
        &["load i64, ptr %p, align 8", "load double, ptr", "store i64 %1, ptr %b, align 8", "store double %3, ptr"],
        &["call void"],
    );
}

#[test]
fn a_copy_of_many_records_is_a_loop_over_them() {
    let copy = "%s = shl nuw i64 %n, 4
        call void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 %a, i64 %s, i1 false)";
    let lines = ["udiv i64 %s, 16", "= load i64, ptr", "= load double, ptr", "getelementptr inbounds [16 x i8]"];
    expect(&records(copy), &[], &lines, &["call void", "select", "@ct.copy"]);
    // Of a move it is not known which way the places overlap.
    let moved = copy.replace("memcpy", "memmove");
    expect(&records(&moved), &[], &["icmp ugt ptr %b, %a", "select i1"], &["call void"]);
    // A number of bytes that is no multiple of the record's.
    let odd = copy.replace("shl nuw i64 %n, 4", "shl nuw i64 %n, 2");
    // Then the copy is one of pieces, of which a derivative sees to it that no float is among them.
    let pieces = ["getelementptr inbounds [4 x i8]", "= load i32, ptr", "!ct.word"];
    expect(&records(&odd), &[], &pieces, &["call void", "load double"]);
}

#[test]
fn a_copy_of_which_nothing_is_known_but_that_the_source_has_numbers_moves_numbers() {
    let copy = "%s = shl nuw i64 %n, 2
        call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 %s, i1 false) #9";
    let text = records(copy) + "\nattributes #9 = { \"ct-copies-numbers\"=\"4 i4x1@0\" }";
    let pieces = ["getelementptr inbounds [4 x i8]", "= load i32, ptr"];
    expect(&format!("{text}\n!ct.takes.no.bits = !{{!9}}\n!9 = !{{}}"), &[], &pieces, &["call void", "!ct.word"]);
    // They may be the bits of floats in a program that takes some.
    expect(&text, &[], &["= load i32, ptr", "!ct.word"], &["call void"]);
}

#[test]
fn what_nothing_tells_is_moved_in_words_of_the_floats() {
    let text = |key: &str| {
        format!(
            "define void @f(i64 %n, i64 %i, double %v) {{
                %a = alloca [30 x double], align 8
                %k = getelementptr inbounds i64, ptr %a, i64 %i
                {key}
                %x = getelementptr inbounds i8, ptr %a, i64 88
                %p = getelementptr inbounds double, ptr %x, i64 %i
                store double %v, ptr %p
                %q = getelementptr inbounds double, ptr %p, i64 1
                %s = shl nuw i64 %n, 3
                call void @llvm.memmove.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 %s, i1 false)
                ret void
            }}
            {COPIES}"
        )
    };
    // Keys before the floats, at places that an unknown index does not tell apart.
    let lines = ["getelementptr inbounds [8 x i8]", "= load i64, ptr", "!ct.word"];
    expect(&text("store i64 %i, ptr %k\n %l = add i64 %i, 1\n store i64 %l, ptr %k"), &[], &lines, &["call void"]);
    expect_unchanged(&text(""), &[]);
}

#[test]
fn a_copy_of_floats_alone_stays_one() {
    let text = format!(
        "define void @f(ptr %a, ptr %b, i64 %n) {{
            call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %n, i1 false)
            ret void
        }}
        {COPIES}"
    );
    expect_unchanged(&text, &[8, 8, 0]);
    expect_unchanged(&text, &[]);
}

#[test]
fn callers_tell_what_a_function_copies() {
    let text = |access: &str| {
        format!(
            "define double @g(ptr %x) {{
                %v = alloca [2 x ptr], align 8
                store ptr %x, ptr %v
                call void @f(ptr %v, i64 5)
                %d = load ptr, ptr %v
                {access}
                ret double 0.0
            }}
            define void @f(ptr %v, i64 %n) {{
                %d = load ptr, ptr %v
                %s = shl nuw i64 %n, 3
                %m = call ptr @__rust_alloc(i64 %s, i64 8)
                call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %d, i64 %s, i1 false)
                store ptr %m, ptr %v
                ret void
            }}
            declare noalias ptr @__rust_alloc(i64, i64)
            {COPIES}"
        )
    };
    expect(&text("%y = load double, ptr %d"), &[], &["load double, ptr %6"], &["call void @llvm"]);
    expect_unchanged(&text("%y = load i8, ptr %d"), &[]);
}

#[test]
fn places_are_known_through_joins_and_products() {
    // Two walks over records of 24 bytes, from both ends; the float is the second field.
    expect(
        "define void @f(ptr %a, ptr %b, i64 %n, i64 %k, i1 %c, double %v) {
        entry:
            %o = mul i64 %k, 24
            %p = getelementptr inbounds i8, ptr %a, i64 %o
            %pf = getelementptr inbounds i8, ptr %p, i64 8
            store double %v, ptr %pf
            br label %loop
        loop:
            %w = phi ptr [ %p, %entry ], [ %next, %loop ]
            %next = getelementptr inbounds i8, ptr %w, i64 -24
            %s = select i1 %c, ptr %w, ptr %a
            %q = getelementptr inbounds i8, ptr %s, i64 8
            %x = load i64, ptr %q
            %r = getelementptr inbounds i8, ptr %next, i64 16
            %y = load i64, ptr %r
            store i64 %x, ptr %q
            store i64 %y, ptr %b
            br i1 %c, label %loop, label %end
        end:
            ret void
        }",
        &[],
        &["%x = load double, ptr %q", "store double %x, ptr %q", "%y = load i64", "store i64 %y"],
        &[],
    );
}

#[test]
fn a_reallocation_becomes_allocation_copy_and_release() {
    let module = parse(
        "define ptr @f(ptr %old, i64 %n, i64 %m) {
            %new = call ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr %old, i64 %n, i64 8, i64 %m)
            ret ptr %new
        }
        define ptr @c(ptr %old, i64 %m) {
            %new = call ptr @realloc(ptr %old, i64 %m)
            ret ptr %new
        }
        declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr, i64, i64, i64) \"alloc-family\"=\"__rust_alloc\"
        declare ptr @realloc(ptr, i64)",
    );
    assert!(realloc::split(module, &registry()));
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let out = module.to_string();
    for line in [
        "%new = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 %m, i64 8)",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %new, ptr align 8 %old, i64",
        "call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %old, i64 %n, i64 8)",
        "ret ptr %new",
        "call ptr @realloc(ptr %old, i64 %m)",
        "\"alloc-family\"=\"__rust_alloc\"",
    ] {
        assert!(out.contains(line), "`{line}` is not in:\n{out}");
    }
    assert!(!out.contains("call ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc"), "{out}");
    assert!(!realloc::split(module, &registry()));
}
