//! Pointers that are counted from others, and marks of loads that became one.

use crate::parse;
use cotangent_engine::load::{addresses, merged};

/// `@f` after a pass.
fn after(pass: fn(cotangent_engine::llvm::Function), body: &str) -> String {
    let module = parse(&format!(
        "define void @f(ptr %from, ptr %end, ptr %to, i64 %n) {{\n{body}\nret void\n}}\n!0 = !{{!\"ct.word\"}}\n!1 = !{{!\"number\"}}"
    ));
    pass(module.function("f").expect("the test has a function f"));
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    module.to_string()
}

const DISTANCE: &str = "%a = ptrtoint ptr %from to i64
  %b = ptrtoint ptr %end to i64
  %bytes = sub i64 %b, %a";

#[test]
fn what_is_counted_by_the_distance_to_another_is_that_one() {
    let bytes = format!(
        "{DISTANCE}
         %at = getelementptr inbounds i8, ptr %from, i64 %bytes
         store i64 %n, ptr %at"
    );
    assert!(after(addresses::take_ends, &bytes).contains("store i64 %n, ptr %end"));
    let records = format!(
        "{DISTANCE}
         %count = sdiv exact i64 %bytes, 24
         %at = getelementptr inbounds {{ i64, [2 x i64] }}, ptr %from, i64 %count
         store i64 %n, ptr %at"
    );
    assert!(after(addresses::take_ends, &records).contains("store i64 %n, ptr %end"));
}

#[test]
fn what_is_counted_by_more_or_less_is_left_alone() {
    for (index, step) in [
        ("%bytes = sub i64 %a, %b", "i8, ptr %from, i64 %bytes"),
        ("%bytes = sub i64 %b, %a", "i8, ptr %to, i64 %bytes"),
        ("%bytes = sub i64 %b, %a", "i16, ptr %from, i64 %bytes"),
        ("%part = sub i64 %b, %a\n%bytes = udiv i64 %part, 24", "{ i64, [2 x i64] }, ptr %from, i64 %bytes"),
        ("%part = sub i64 %b, %a\n%bytes = udiv exact i64 %part, 8", "{ i64, [2 x i64] }, ptr %from, i64 %bytes"),
        ("%part = sub i64 %b, %a\n%bytes = add i64 %part, 8", "i8, ptr %from, i64 %bytes"),
    ] {
        let out = after(
            addresses::take_ends,
            &format!(
                "%a = ptrtoint ptr %from to i64
                 %b = ptrtoint ptr %end to i64
                 {index}
                 %at = getelementptr inbounds {step}
                 store i64 %n, ptr %at"
            ),
        );
        assert!(out.contains("store i64 %n, ptr %at"), "{out}");
    }
}

/// Whether the load of `@f` is told to be a number of the source again, where it is used so.
fn is_told(uses: &str) -> bool {
    let out =
        after(merged::tell, &format!("%word = load i64, ptr %from, align 8, !llvm.preserve.access.index !0\n{uses}"));
    let load = out.lines().find(|line| line.contains("load i64")).expect("the load is there").to_owned();
    load.contains("!ct.word")
}

const NUMBER: &str = "align 8, !llvm.preserve.access.index !0, !ct.word !1";

#[test]
fn what_is_stored_as_a_number_of_the_source_is_one_where_it_is_loaded() {
    assert!(is_told(&format!("store i64 %word, ptr %to, {NUMBER}")));
    assert!(is_told(&format!(
        "%frozen = freeze i64 %word\n%is = icmp eq i64 %frozen, 7\nstore i64 %frozen, ptr %to, {NUMBER}"
    )));
}

#[test]
fn what_goes_anywhere_else_is_none() {
    assert!(!is_told("%is = icmp eq i64 %word, 7"));
    assert!(!is_told(&format!("store i64 %word, ptr %to, {NUMBER}\nstore i64 %word, ptr %end, align 8")));
    assert!(!is_told(&format!("store i64 %word, ptr %to, {NUMBER}\n%float = bitcast i64 %word to double")));
    assert!(!is_told(&format!("%more = add i64 %word, 1\nstore i64 %more, ptr %to, {NUMBER}")));
}
