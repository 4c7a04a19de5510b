//! Words that are joined in pieces.

use crate::parse;
use cotangent_engine::load::whole;

/// `@f` after the pass, without what nobody uses.
fn joined(text: &str) -> String {
    let module = parse(text);
    let function = module.function("f").expect("the test has a function f");
    whole::join(function);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    function.run_passes("adce").expect("LLVM knows the pass");
    module.to_string()
}

/// `@f` that joins the halves of a number with those of something else, which is in `other`, in what it does then.
fn joined_with(other: &str, then: &str) -> String {
    joined(&format!(
        "define void @f(ptr %from, ptr %to, ptr %text, i1 %c) {{
           br i1 %c, label %number, label %other
         number:
           %word = load i64, ptr %from
           %low = trunc i64 %word to i32
           %shifted = lshr i64 %word, 32
           %high = trunc i64 %shifted to i32
           br label %join
         other:
           {other}
           br label %join
         join:
           {then}
           ret void
         }}"
    ))
}

/// A float of one variant, and of another one a character in its lower half.
#[test]
fn halves_of_a_word_that_are_joined_with_a_character_are_joined_as_a_word() {
    let out = joined_with(
        "%char = load i32, ptr %from",
        "%l = phi i32 [ %low, %number ], [ %char, %other ]
           %h = phi i32 [ %high, %number ], [ undef, %other ]
           %lw = zext i32 %l to i64
           %hw = zext i32 %h to i64
           %hs = shl nuw i64 %hw, 32
           %again = or disjoint i64 %hs, %lw
           store i64 %again, ptr %to",
    );
    assert!(out.contains("phi i64 [ %word, %number ]"), "{out}");
    assert!(!out.contains("phi i32"), "{out}");
}

/// In a loop that keeps the pieces of the turn before, and with pieces of sixteen and forty-eight bits.
#[test]
fn pieces_that_a_loop_keeps_are_joined_as_a_word() {
    let out = joined(
        "define void @f(ptr %from, ptr %to, i64 %n) {
         start:
           %first = load i64, ptr %from
           %a = trunc i64 %first to i16
           %b = lshr i64 %first, 16
           br label %loop
         loop:
           %i = phi i64 [ 0, %start ], [ %next, %back ]
           %low = phi i16 [ %a, %start ], [ %low.next, %back ]
           %high = phi i64 [ %b, %start ], [ %high.next, %back ]
           %lw = zext i16 %low to i64
           %hs = shl i64 %high, 16
           %word = or disjoint i64 %hs, %lw
           %place = getelementptr i64, ptr %to, i64 %i
           store i64 %word, ptr %place
           %odd = trunc i64 %i to i1
           br i1 %odd, label %new, label %back
         new:
           %at = getelementptr i64, ptr %from, i64 %i
           %other = load i64, ptr %at
           %c = trunc i64 %other to i16
           %d = lshr i64 %other, 16
           br label %back
         back:
           %low.next = phi i16 [ %low, %loop ], [ %c, %new ]
           %high.next = phi i64 [ %high, %loop ], [ %d, %new ]
           %next = add i64 %i, 1
           %more = icmp ult i64 %next, %n
           br i1 %more, label %loop, label %end
         end:
           ret void
         }",
    );
    assert!(out.contains("[ %first, %start ]") && out.contains("[ %other, %new ]"), "{out}");
    assert!(!out.contains("phi i16"), "{out}");
}

#[test]
fn numbers_that_are_packed_stay_so() {
    let text = "define void @f(ptr %from, ptr %to, i1 %c) {
           %a = load i32, ptr %from
           br i1 %c, label %more, label %join
         more:
           %b = add i32 %a, 1
           br label %join
         join:
           %l = phi i32 [ %a, %0 ], [ %b, %more ]
           %lw = zext i32 %l to i64
           %hw = zext i32 %a to i64
           %hs = shl nuw i64 %hw, 32
           %again = or disjoint i64 %hs, %lw
           store i64 %again, ptr %to
           ret void
         }";
    let out = joined(text);
    assert!(out.contains("phi i32") && !out.contains("phi i64"), "{out}");
}

/// A pointer whose halves are stored one beside the other, or the float of another variant.
#[test]
fn halves_that_are_stored_beside_each_other_are_stored_as_a_word() {
    let out = joined_with(
        "%address = ptrtoint ptr %text to i64
           %a = trunc i64 %address to i32
           %as = lshr i64 %address, 32
           %b = trunc i64 %as to i32",
        "%l = phi i32 [ %low, %number ], [ %a, %other ]
           %h = phi i32 [ %high, %number ], [ %b, %other ]
           %first = getelementptr i8, ptr %to, i64 8
           store i32 %l, ptr %first, align 8
           %second = getelementptr i8, ptr %to, i64 12
           store i32 %h, ptr %second, align 4
           store i64 7, ptr %to",
    );
    assert!(out.contains("phi i64 [ %word, %number ], [ %address, %other ]"), "{out}");
    assert!(out.contains("ptr %first, align 8") && !out.contains("store i32"), "{out}");
}

#[test]
fn halves_with_another_access_between_are_left() {
    let out = joined(
        "define void @f(ptr %from, ptr %to, ptr %other) {
           %word = load i64, ptr %from
           %low = trunc i64 %word to i32
           %shifted = lshr i64 %word, 32
           %high = trunc i64 %shifted to i32
           store i32 %low, ptr %to, align 8
           %seen = load i64, ptr %other
           %second = getelementptr i8, ptr %to, i64 4
           store i32 %high, ptr %second, align 4
           store i64 %seen, ptr %from
           ret void
         }",
    );
    assert!(out.contains("store i32 %low") && out.contains("store i32 %high"), "{out}");
}

/// Numbers of the source of which both halves are read at once.
#[test]
fn halves_that_are_numbers_of_the_source_are_left() {
    let out = joined(
        "define void @f(ptr %from, ptr %to) {
           %word = load i64, ptr %from
           %low = trunc i64 %word to i32
           %shifted = lshr i64 %word, 32
           %high = trunc i64 %shifted to i32
           store i32 %low, ptr %to, align 8, !llvm.preserve.access.index !0
           %second = getelementptr i8, ptr %to, i64 4
           store i32 %high, ptr %second, align 4, !llvm.preserve.access.index !0
           ret void
         }
         !0 = !{!\"ct.told\"}",
    );
    assert_eq!(out.matches("store i32").count(), 2, "{out}");
}

/// `@f` that stores the lowest byte of `%block` and beside it the rest of another pointer.
fn stored_with_rest_of(other: &str) -> String {
    joined(&format!(
        "define void @f(ptr %block, ptr %other, ptr %to) {{
           %word = ptrtoint ptr %block to i64
           %low = trunc i64 %word to i8
           %another = ptrtoint ptr %other to i64
           %shifted = lshr i64 {other}, 8
           %high = trunc i64 %shifted to i56
           store i8 %low, ptr %to, align 8
           %rest = getelementptr i8, ptr %to, i64 1
           store i56 %high, ptr %rest, align 1
           ret void
         }}"
    ))
}

/// The lowest byte is a flag in another variant, so LLVM stores it and the rest of a pointer one beside the other.
#[test]
fn a_byte_and_the_rest_of_a_pointer_are_stored_as_a_word() {
    let out = stored_with_rest_of("%word");
    assert!(out.contains("store i64 %word, ptr %to, align 8"), "{out}");
    assert_eq!(out.matches("store").count(), 1, "{out}");
}

#[test]
fn a_byte_and_the_rest_of_another_pointer_stay_apart() {
    let out = stored_with_rest_of("%another");
    assert_eq!(out.matches("store").count(), 2, "{out}");
}
