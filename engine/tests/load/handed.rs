//! Small aggregates that functions take and return as integers.

use crate::parse;
use cotangent_engine::load::retype;

#[test]
fn small_aggregates_of_calls_are_handed_over_as_what_they_are_made_of() {
    let module = parse(
        "define double @root(double %x, float %y) {
            %bits = bitcast double %x to i64
            %made = call i64 @one(i64 %bits, i32 2)
            %value = bitcast i64 %made to double
            %low = bitcast float %y to i32
            %record = zext i32 %low to i64
            %n = call i64 @mixed(i64 %record)
            %count = lshr i64 %n, 32
            %f = uitofp i64 %count to double
            %rest = trunc i64 %n to i32
            %g = bitcast i32 %rest to float
            %h = fpext float %g to double
            %part = fadd double %value, %f
            %sum = fadd double %part, %h
            %seven = call i64 @number(i64 7)
            %k = uitofp i64 %seven to double
            %all = fadd double %sum, %k
            ret double %all
        }
        define internal i64 @one(i64 %v, i32 %n) noinline {
            %c = icmp eq i32 %n, 0
            br i1 %c, label %end, label %go
        go:
            %less = sub i32 %n, 1
            %r = call i64 @one(i64 %v, i32 %less)
            br label %end
        end:
            %j = phi i64 [ %v, %0 ], [ %r, %go ]
            ret i64 %j
        }
        define internal i64 @mixed(i64 %v) noinline {
            %w = add i64 %v, 4294967296
            %low = trunc i64 %w to i32
            %y = bitcast i32 %low to float
            %positive = fcmp ogt float %y, 0.0
            br i1 %positive, label %a, label %b
        a:
            ret i64 %w
        b:
            ret i64 %v
        }
        define internal i64 @number(i64 %v) noinline {
            %w = mul i64 %v, 3
            ret i64 %w
        }",
    );
    let root = module.function("root").expect("the test has a function root");
    retype::handed::run(module, root).expect("LLVM knows the passes");
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let out = module.to_string();
    for line in ["double @one(double %0, i32 %1)", "{ float, i32 } @mixed(float %0, i32 %1)", "i64 @number(i64 %v)"] {
        assert!(out.contains(&format!("define internal {line}")), "`{line}` is not in:\n{out}");
    }
}

#[test]
fn what_is_also_called_through_a_pointer_keeps_its_signature() {
    let module = parse(
        "@table = constant ptr @one
        define double @root(double %x) {
            %bits = bitcast double %x to i64
            %made = call i64 @one(i64 %bits)
            %value = bitcast i64 %made to double
            ret double %value
        }
        define internal i64 @one(i64 %v) noinline {
            ret i64 %v
        }",
    );
    let root = module.function("root").expect("the test has a function root");
    retype::handed::run(module, root).expect("LLVM knows the passes");
    assert!(module.to_string().contains("define internal i64 @one(i64 %v)"), "{module}");
}

#[test]
fn a_float_or_a_number_that_is_computed_is_handed_over_in_memory() {
    let module = parse(
        "define float @root(ptr %x) {
            %made = call i64 @one(ptr %x, i32 3)
            %high = lshr i64 %made, 32
            %bits = trunc i64 %high to i32
            %value = bitcast i32 %bits to float
            ret float %value
        }
        define internal i64 @one(ptr %x, i32 %n) noinline {
            %c = icmp eq i32 %n, 0
            br i1 %c, label %float, label %number
        float:
            %v = load float, ptr %x
            %bits = bitcast float %v to i32
            br label %end
        number:
            %less = sub i32 %n, 1
            %r = call i64 @one(ptr %x, i32 %less)
            br label %end
        end:
            %payload = phi i32 [ %bits, %float ], [ %less, %number ]
            %mark = phi i64 [ 1, %float ], [ 0, %number ]
            %wide = zext i32 %payload to i64
            %up = shl nuw i64 %wide, 32
            %all = or i64 %up, %mark
            ret i64 %all
        }",
    );
    let root = module.function("root").expect("the test has a function root");
    retype::handed::run(module, root).expect("LLVM knows the passes");
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    let out = module.to_string();
    assert!(out.contains("define internal void @one(ptr %0, i32 %1, ptr %2)"), "{out}");
    assert!(out.contains("store i64") && out.contains("load i64"), "{out}");
}

#[test]
fn beside_a_mark_of_several_variants_a_float_is_found() {
    let module = parse(
        "define float @root(ptr %x) {
            %made = call i64 @one(ptr %x, i32 3)
            %high = lshr i64 %made, 32
            %bits = trunc i64 %high to i32
            %value = bitcast i32 %bits to float
            ret float %value
        }
        define internal i64 @one(ptr %x, i32 %n) noinline {
            %c = icmp eq i32 %n, 0
            %odd = and i32 %n, 1
            %flag = xor i32 %odd, 1
            %wide.flag = zext i32 %flag to i64
            %mark = select i1 %c, i64 2, i64 %wide.flag
            %v = load float, ptr %x
            %bits = bitcast float %v to i32
            %wide = zext i32 %bits to i64
            %up = shl nuw i64 %wide, 32
            %all = or i64 %up, %mark
            ret i64 %all
        }",
    );
    let root = module.function("root").expect("the test has a function root");
    retype::handed::run(module, root).expect("LLVM knows the passes");
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    assert!(module.to_string().contains("define internal { i32, float } @one(ptr %0, i32 %1)"), "{module}");
}
