//! Words that are loaded for their parts.

use crate::parse;
use cotangent_engine::load::halves;

/// What `@f` does with a word from its own stack, after the pass, where the program has floats of such a type.
fn split(float: &str, then: &str) -> String {
    let module = parse(&format!(
        "define void @f(ptr %to, {float} %x, i32 %n) {{
           %record = alloca [8 x i8], align 8
           store i32 %n, ptr %record
           %payload = getelementptr inbounds i8, ptr %record, i64 4
           store {float} %x, ptr %payload, align 4
           %word = load i64, ptr %record, align 8
           {then}
           ret void
         }}"
    ));
    halves::run(module);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    module.to_string()
}

const HALVES: &str = "%low = trunc i64 %word to i32
           %shifted = lshr i64 %word, 32
           %high = trunc i64 %shifted to i32
           store i32 %low, ptr %to
           %behind = getelementptr inbounds i8, ptr %to, i64 4
           store i32 %high, ptr %behind";

#[test]
fn halves_of_a_record_with_a_float_are_loaded_alone() {
    let out = split("float", HALVES);
    assert!(!out.contains("load i64") && !out.contains("lshr"), "{out}");
    assert_eq!(out.matches("load i32").count(), 2, "{out}");
    assert!(out.contains("load i32, ptr %record, align 8"), "{out}");
}

#[test]
fn a_byte_and_a_number_of_two_are_loaded_where_they_lie() {
    let out = split(
        "float",
        "%shifted = lshr i64 %word, 48
           %number = trunc i64 %shifted to i16
           store i16 %number, ptr %to
           %low = trunc i64 %word to i8
           store i8 %low, ptr %to",
    );
    assert!(out.contains("i64 6") && out.contains("load i16") && out.contains("align 2"), "{out}");
    assert!(out.contains("load i8, ptr %record"), "{out}");
}

#[test]
fn a_word_that_is_stored_as_well_stays_whole() {
    let out = split("float", &format!("{HALVES}\n           store i64 %word, ptr %to"));
    assert!(out.contains("load i64") && !out.contains("load i32"), "{out}");
}

#[test]
fn a_part_that_begins_within_a_byte_keeps_the_word_whole() {
    let out = split(
        "float",
        "%shifted = lshr i64 %word, 4
           %number = trunc i64 %shifted to i32
           store i32 %number, ptr %to",
    );
    assert!(out.contains("load i64"), "{out}");
}

#[test]
fn a_word_stays_whole_where_all_floats_are_as_wide() {
    let out = split("double", HALVES);
    assert!(out.contains("load i64"), "{out}");
}
