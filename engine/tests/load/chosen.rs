//! Choices within an arm of the same choice.

use crate::parse;
use cotangent_engine::load::chosen;

fn settled(body: &str) -> String {
    let module = parse(&format!(
        "@other = constant double 5.0
         define double @f(ptr %from, i1 %c, i1 %d) {{
           {body}
           ret double %read
         }}"
    ));
    let function = module.function("f").expect("the test has a function f");
    chosen::settle(function);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    function.run_passes("adce").expect("LLVM knows the pass");
    module.to_string()
}

#[test]
fn the_place_in_an_option_is_that_of_the_arm_where_it_is_read() {
    let out = settled(
        "%place = select i1 %c, i64 1, i64 8
         %there = getelementptr i8, ptr %from, i64 %place
         %at = select i1 %c, ptr @other, ptr %there
         %read = load double, ptr %at",
    );
    assert!(out.contains("getelementptr i8, ptr %from, i64 8"), "{out}");
    assert!(!out.contains("i64 1,"), "{out}");
}

#[test]
fn a_choice_by_another_condition_stays_one() {
    let out = settled(
        "%place = select i1 %d, i64 1, i64 8
         %there = getelementptr i8, ptr %from, i64 %place
         %at = select i1 %c, ptr @other, ptr %there
         %read = load double, ptr %at",
    );
    assert!(out.contains("select i1 %d, i64 1, i64 8"), "{out}");
}

#[test]
fn a_choice_that_others_see_stays_one() {
    let out = settled(
        "%place = select i1 %c, i64 1, i64 8
         %there = getelementptr i8, ptr %from, i64 %place
         store double 1.0, ptr %there
         %at = select i1 %c, ptr @other, ptr %there
         %read = load double, ptr %at",
    );
    assert!(out.contains("getelementptr i8, ptr %from, i64 %place"), "{out}");
}
