//! What nothing tells is moved as words.
use crate::{parse, registry, retyped};
use cotangent_engine::load::{addresses, retype};

#[test]
fn records_that_nobody_looks_at_are_moved_as_words() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a, align 1
        %y = load i64, ptr %b, align 1
        store i64 %y, ptr %a, align 1
        store i64 %x, ptr %b, align 1
        ret void
    }
    define double @other(ptr %a) {
        %x = load double, ptr %a
        ret double %x
    }";
    let (out, changed) = retyped(text, &[]);
    assert!(changed, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 4, "{out}");
}

#[test]
fn two_singles_that_nobody_looks_at_are_moved_as_two_words() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        store i64 %x, ptr %b
        ret void
    }
    define float @other(ptr %a) {
        %x = load float, ptr %a
        ret float %x
    }";
    let (out, _) = retyped(text, &[]);
    assert_eq!(out.matches("load i32").count(), 2, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 4, "{out}");
}

#[test]
fn beside_floats_of_both_widths_what_nobody_looks_at_is_moved_by_halves() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        store i64 %x, ptr %b
        ret void
    }
    define double @other(ptr %a, ptr %b) {
        %x = load float, ptr %a
        %y = load double, ptr %b
        %wide = fpext float %x to double
        %sum = fadd double %wide, %y
        ret double %sum
    }";
    let (out, changed) = retyped(text, &[]);
    assert!(changed, "{out}");
    assert_eq!(out.matches("load i32").count(), 2, "{out}");
    assert!(out.contains("!{!\"either\"}"), "{out}");
}

#[test]
fn of_what_is_moved_by_halves_the_mark_is_no_word() {
    let text = "define i32 @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        store i64 %x, ptr %b
        %mark = load i32, ptr %b
        %more = add i32 %mark, 1
        ret i32 %more
    }
    define float @other(ptr %a) {
        %x = load float, ptr %a
        ret float %x
    }";
    let (out, _) = retyped(text, &[]);
    assert_eq!(out.matches("store i32").count(), 2, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 2, "{out}");
}

#[test]
fn what_a_callee_leaves_as_counts_is_moved_as_words_though_llvm_loads_floats_and_a_word_of_it() {
    let text = "define void @f(ptr %to) {
        %vector = alloca [16 x i8], align 8
        call void @made(ptr %vector)
        %low = load float, ptr %vector, align 8
        %high.at = getelementptr i8, ptr %vector, i64 4
        %high = load float, ptr %high.at, align 4
        %rest.at = getelementptr i8, ptr %vector, i64 8
        %rest = load i32, ptr %rest.at, align 8, !ct.word !0
        store float %low, ptr %to, align 8
        %high.to = getelementptr i8, ptr %to, i64 4
        store float %high, ptr %high.to, align 4
        %rest.to = getelementptr i8, ptr %to, i64 8
        store i32 %rest, ptr %rest.to, align 8, !ct.word !0
        ret void
    }
    define internal void @made(ptr %vector) noinline {
        store i64 3, ptr %vector, align 8
        %length = getelementptr i8, ptr %vector, i64 8
        store i64 3, ptr %length, align 8
        ret void
    }
    !0 = !{}";
    let (out, _) = retyped(text, &[]);
    assert!(!out.contains("store float"), "{out}");
    assert_eq!(out.matches("!{!\"firm\"}").count(), 1, "{out}");
}

#[test]
fn a_word_that_is_wider_than_all_floats_is_moved_as_two() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a, align 8, !ct.word !0
        store i64 %x, ptr %b, align 8, !ct.word !0
        ret void
    }
    define float @other(ptr %a) {
        %x = load float, ptr %a
        ret float %x
    }
    !0 = !{}";
    let (out, changed) = retyped(text, &[]);
    assert!(changed && !out.contains("i64 %x"), "{out}");
    assert_eq!(out.matches("store i32").count(), 2, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 4, "{out}");
}

#[test]
fn what_is_stored_as_one_number_of_the_source_was_loaded_as_one() {
    let text = "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a, align 8
        store i64 %x, ptr %b, align 8, !ct.word !0
        ret void
    }
    define float @other(ptr %a) {
        %x = load float, ptr %a
        ret float %x
    }
    !0 = !{!\"exact\"}";
    let (out, changed) = retyped(text, &[]);
    assert!(changed && out.contains("store i64 %x"), "{out}");
    assert_eq!(out.matches("!ct.word").count(), 2, "{out}");
}

#[test]
fn a_number_that_is_looked_at_is_no_word() {
    let text = "define i64 @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        store i64 %x, ptr %b
        %y = add i64 %x, 1
        ret i64 %y
    }
    define double @other(ptr %a) {
        %x = load double, ptr %a
        ret double %x
    }";
    let (out, _) = retyped(text, &[]);
    assert!(!out.contains("!ct.word"), "{out}");
}

#[test]
fn a_loaded_number_that_is_stored_as_a_pointer_is_stored_as_a_number() {
    let module = parse(
        "define void @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        %p = inttoptr i64 %x to ptr
        store ptr %p, ptr %b
        store ptr inttoptr (i64 4607182418800017408 to ptr), ptr %b
        store ptr inttoptr (i64 8 to ptr), ptr %b
        ret void
    }",
    );
    addresses::store_numbers(module.function("f").expect("the test has a function f"));
    let out = module.to_string();
    assert!(out.contains("store i64 %x, ptr %b"), "{out}");
    assert!(out.contains("store i64 4607182418800017408, ptr %b"), "{out}");
    assert!(out.contains("store ptr inttoptr (i64 8 to ptr), ptr %b"), "{out}");
}

#[test]
fn a_number_that_is_followed_as_a_pointer_stays_one() {
    let module = parse(
        "define double @f(ptr %a, ptr %b) {
        %x = load i64, ptr %a
        %p = inttoptr i64 %x to ptr
        store ptr %p, ptr %b
        %y = load double, ptr %p
        ret double %y
    }",
    );
    addresses::store_numbers(module.function("f").expect("the test has a function f"));
    assert!(module.to_string().contains("store ptr %p"), "{module}");
}

/// A function that joins what it loads from its caller's memory with a length, after the pass over all functions, and what is marked there.
fn handed_on(caller: &str) -> (String, bool) {
    let text = format!(
        "define double @g(ptr %x, ptr %names) {{
            %v = alloca [16 x i8], align 8
            call void @f(ptr %v, ptr %x, i1 true)
            {caller}
            ret double 0.0
        }}
        define void @f(ptr %v, ptr %x, i1 %c) {{
            br i1 %c, label %a, label %b
        a:
            %l = load i64, ptr %x
            br label %b
        b:
            %j = phi i64 [ 3, %0 ], [ %l, %a ]
            store i64 %j, ptr %v
            ret void
        }}"
    );
    let module = parse(&text);
    let root = module.function("g").expect("the test has a function g");
    let changed = retype::moves_unseen(module, root, &registry(), &[0, 0]);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    (module.to_string(), changed)
}

#[test]
fn a_float_of_a_caller_that_is_joined_with_a_length_is_moved_as_a_word() {
    let (out, changed) = handed_on("%y = load double, ptr %x");
    assert!(changed, "nothing changed:\n{out}");
    for access in ["%l = load i64, ptr %x", "store i64 %j, ptr %v"] {
        let line = out.lines().find(|line| line.contains(access)).expect("the access is there");
        assert!(line.contains("!ct.word"), "no word: {line}");
    }
}

#[test]
fn a_number_of_a_caller_that_is_joined_with_a_length_stays_one() {
    let (out, changed) = handed_on("%y = load i64, ptr %x");
    assert!(!changed, "changed:\n{out}");
}

#[test]
fn a_float_of_the_callers_other_memory_says_nothing() {
    let (out, changed) = handed_on("%y = load double, ptr %names");
    assert!(!changed, "changed:\n{out}");
}

#[test]
fn a_pointer_is_moved_as_a_word_where_a_caller_has_a_float() {
    let text = |follow: &str| {
        format!(
            "define double @g(ptr %x) {{
                %v = alloca [8 x i8], align 8
                call void @f(ptr %v, ptr %x)
                %y = load double, ptr %x
                ret double %y
            }}
            define void @f(ptr %v, ptr %x) {{
                %l = load ptr, ptr %x
                {follow}
                store ptr %l, ptr %v
                ret void
            }}"
        )
    };
    let made = |follow: &str| {
        let module = parse(&text(follow));
        let root = module.function("g").expect("the test has a function g");
        let changed = retype::moves_unseen(module, root, &registry(), &[0]);
        module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
        (module.to_string(), changed)
    };
    let (out, changed) = made("");
    assert!(changed && out.contains("load i64, ptr %x") && !out.contains("store ptr"), "{out}");
    // What is followed on the way there is a pointer.
    let (out, changed) = made("%n = load i8, ptr %l");
    assert!(!changed, "changed:\n{out}");
}

#[test]
fn what_a_swap_of_bytes_moves_beside_a_number_is_a_word_where_the_place_tells_that_floats_are_whole() {
    let text = "define void @f(i64 %n, i64 %i, i64 %j) {
        %block = call ptr @__rust_alloc(i64 %n, i64 8)
        call void @fill(ptr %block)
        %one = getelementptr { i32, float }, ptr %block, i64 %i
        %other = getelementptr { i32, float }, ptr %block, i64 %j
        %key = load i32, ptr %one, align 4
        %next = add i32 %key, 1
        store i32 %next, ptr %one, align 4
        %a = load i64, ptr %one, align 1
        %b = load i64, ptr %other, align 1
        store i64 %b, ptr %one, align 1
        store i64 %a, ptr %other, align 1
        ret void
    }
    define float @other(ptr %a) {
        %x = load float, ptr %a
        ret float %x
    }
    declare void @fill(ptr)
    declare ptr @__rust_alloc(i64, i64)";
    let (out, changed) = retyped(text, &[]);
    assert!(changed, "{out}");
    assert_eq!(out.matches("= load i64").count(), 0, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 4, "{out}");
    // In a block for what begins anywhere, a float may be in the middle of any eight bytes.
    let (out, _) = retyped(&text.replace("(i64 %n, i64 8)", "(i64 %n, i64 1)"), &[]);
    assert_eq!(out.matches("= load i64").count(), 2, "{out}");
}

#[test]
fn bytes_that_are_moved_one_by_one_where_floats_may_lie_are_words() {
    let text = "define void @f(ptr %to, ptr %from, i64 %i) {
        %to.at = getelementptr i8, ptr %to, i64 %i
        %from.at = getelementptr i8, ptr %from, i64 %i
        %byte = load i8, ptr %from.at
        store i8 %byte, ptr %to.at
        ret void
    }";
    let (out, changed) = retyped(text, &[]);
    assert!(changed, "{out}");
    assert_eq!(out.matches("!ct.word").count(), 2, "{out}");
    // A flag at the same place of each record is no piece of a float.
    let flags = text.replace("getelementptr i8,", "getelementptr { float, i8 },");
    assert!(!retyped(&flags, &[]).0.contains("!ct.word"), "a flag is a word");
}
