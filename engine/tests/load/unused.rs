//! Functions that nothing leads to.

use crate::parse;
use cotangent_engine::load::unused;

#[test]
fn a_function_stays_that_something_may_call() {
    let module = parse(
        "@table = internal constant { ptr } { ptr @behind_a_constant }
         define double @root(ptr %p) personality ptr @personality {
           %x = call double @called(ptr %p)
           store ptr @stored, ptr %p
           store ptr getelementptr (i8, ptr @inside_an_expression, i64 0), ptr %p
           ret double %x
         }
         define internal double @called(ptr %p) {
           ret double 1.0
         }
         define internal void @stored() {
           ret void
         }
         define internal void @inside_an_expression() {
           ret void
         }
         define internal void @behind_a_constant() {
           ret void
         }
         define internal i32 @personality() {
           ret i32 0
         }",
    );
    let before = module.to_string();
    unused::remove(module);
    assert_eq!(before, module.to_string());
}

#[test]
fn functions_that_only_call_each_other_go() {
    let module = parse(
        "define double @root(double %x) {
           ret double %x
         }
         define internal double @even(double %x) {
           %y = call double @odd(double %x)
           ret double %y
         }
         define internal double @odd(double %x) {
           %y = call double @even(double %x)
           ret double %y
         }
         define internal void @alone(ptr %p) {
           store ptr @alone, ptr %p
           ret void
         }",
    );
    unused::remove(module);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    assert!(module.function("root").is_some());
    for name in ["even", "odd", "alone"] {
        assert!(module.function(name).is_none(), "{module}");
    }
}
