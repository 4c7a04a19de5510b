//! Stores of a float on one way and a pointer or a number on the other.

use crate::parse;
use cotangent_engine::load::parted;

/// The last block of `@f` before the pass, and its last blocks after it, line by line and without comments.
fn parted(text: &str) -> (String, String) {
    let module = parse(text);
    let shown = || {
        let text = module.to_string();
        let from = text.find("\njoin:").expect("the test has a block `join`");
        let to = from + text[from..].find("\n}").expect("a function ends");
        let lines = text[from..to].lines().map(|line| line.split(';').next().unwrap_or("").trim());
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let before = shown();
    parted::run(module);
    module.verify().unwrap_or_else(|m| panic!("{m}\n{module}"));
    (before, shown())
}

/// `if c { Shape::Circle(radius) } else { Shape::Path(points) }`, whose pointer is cast to the float's type.
#[test]
fn a_float_or_a_pointer_is_stored_as_what_it_is() {
    let (_, after) = parted(
        "define void @f(ptr %to, i1 %c, double %radius, ptr %points) {
         start:
           br i1 %c, label %circle, label %path
         circle:
           br label %join
         path:
           %word = ptrtoint ptr %points to i64
           %cast = bitcast i64 %word to double
           br label %join
         join:
           %value = phi double [ %radius, %circle ], [ %cast, %path ]
           store double %value, ptr %to, align 8
           ret void
         }",
    );
    let expected = "join:
        %0 = phi i1 [ true, %circle ], [ false, %path ]
        %1 = phi double [ %radius, %circle ], [ 0.000000e+00, %path ]
        %2 = phi ptr [ null, %circle ], [ %points, %path ]
        br i1 %0, label %first.i, label %other.i
        first.i:
        store double %1, ptr %to, align 8
        br label %ct.either.f64.ptr.8.exit
        other.i:
        store ptr %2, ptr %to, align 8
        br label %ct.either.f64.ptr.8.exit
        ct.either.f64.ptr.8.exit:
        ret void";
    assert_eq!(after, expected.replace("        ", ""));
}

/// The same as integers, chosen without a branch, and with a number that is moved.
#[test]
fn a_chosen_float_or_number_is_stored_as_what_it_is() {
    let (_, after) = parted(
        "define void @f(ptr %to, i1 %c, float %x, ptr %numbers) {
           br label %join
         join:
           %bits = bitcast float %x to i32
           %number = load i32, ptr %numbers, align 4
           %value = select i1 %c, i32 %bits, i32 %number
           store i32 %value, ptr %to, align 4
           ret void
         }",
    );
    let stores: Vec<&str> = after.lines().filter(|line| line.starts_with("store")).collect();
    let chosen: Vec<&str> = after.lines().filter(|line| line.contains("select")).collect();
    assert_eq!(stores, ["store float %2, ptr %to, align 4", "store i32 %3, ptr %to, align 4, !ct.one !0"]);
    let expected = [
        "%1 = select i1 %c, i1 true, i1 false",
        "%2 = select i1 %c, float %x, float 0.000000e+00",
        "%3 = select i1 %c, i32 0, i32 %number",
    ];
    assert_eq!(chosen, expected);
}

#[test]
fn what_is_all_floats_or_computed_with_or_volatile_stays_one_store() {
    for (other, store) in [
        ("load double, ptr %from", "store double %value, ptr %to"),
        ("bitcast i64 %number to double", "store double %value, ptr %to"),
        ("bitcast i64 %word to double", "store volatile double %value, ptr %to"),
    ] {
        let (before, after) = parted(&format!(
            "define void @f(ptr %to, i1 %c, double %x, ptr %from, i64 %n) {{
               br label %join
             join:
               %number = add i64 %n, 1
               %word = ptrtoint ptr %from to i64
               %other = {other}
               %value = select i1 %c, double %x, double %other
               {store}
               ret void
             }}"
        ));
        assert_eq!(before, after);
    }
}

/// The same in a loop, with a third variant that has no value there: the place then holds what the turn before has left.
#[test]
fn what_a_turn_of_a_loop_leaves_to_the_next_is_parted_with_the_rest() {
    let (_, after) = parted(
        "define void @f(ptr %to, i32 %kind, ptr %x, ptr %points) {
         start:
           br label %turn
         turn:
           %left = phi i64 [ undef, %start ], [ %value, %join ]
           switch i32 %kind, label %join [ i32 0, label %circle
                                           i32 1, label %path ]
         circle:
           %radius = load double, ptr %x, align 8
           %bits = bitcast double %radius to i64
           br label %join
         path:
           %word = ptrtoint ptr %points to i64
           br label %join
         join:
           %value = phi i64 [ %bits, %circle ], [ %word, %path ], [ %left, %turn ]
           store i64 %value, ptr %to, align 8
           br label %turn
         }",
    );
    let stores: Vec<&str> = after.lines().filter(|line| line.starts_with("store")).collect();
    assert_eq!(stores, ["store double %4, ptr %to, align 8", "store ptr %5, ptr %to, align 8"]);
    assert!(after.contains("%4 = phi double [ %radius, %circle ], [ 0.000000e+00, %path ], [ %1, %turn ]"), "{after}");
    assert!(after.contains("%5 = phi ptr [ null, %circle ], [ %points, %path ], [ %2, %turn ]"), "{after}");
    assert!(!after.contains("%value"), "{after}");
}

/// A variable of an enum's payloads, of which none is a float that comes to this store: `Err(Unknown(name))` beside `Err(NoRate(byte))` of a `Result<f64, _>`.
#[test]
fn a_pointer_or_a_number_that_was_cast_to_a_float_is_stored_as_what_it_is() {
    let (_, after) = parted(
        "define void @f(ptr %to, i32 %which, i8 %byte, ptr %name) {
         start:
           switch i32 %which, label %join [i32 0, label %number
                                           i32 1, label %text]
         number:
           %wide = zext i8 %byte to i64
           %bits = bitcast i64 %wide to double
           br label %join
         text:
           %word = ptrtoint ptr %name to i64
           %cast = bitcast i64 %word to double
           br label %join
         join:
           %value = phi double [ %bits, %number ], [ %cast, %text ], [ 0x1, %start ]
           store double %value, ptr %to, align 8
           ret void
         }",
    );
    let stores: Vec<&str> = after.lines().filter(|line| line.starts_with("store")).collect();
    assert_eq!(stores, ["store i64 %1, ptr %to, align 8, !ct.one !0", "store ptr %2, ptr %to, align 8"]);
    assert!(after.contains("%1 = phi i64 [ %wide, %number ], [ 0, %text ], [ 0, %start ]"), "{after}");
    assert!(
        after.contains("%2 = phi ptr [ null, %number ], [ %name, %text ], [ inttoptr (i64 1 to ptr), %start ]"),
        "{after}"
    );
}

/// The length of a constant text in one variant, where another has a float.
#[test]
fn a_number_that_looks_like_a_float_is_stored_as_a_number() {
    let (_, after) = parted(
        "define void @f(ptr %to, i1 %c, double %value) {
         start:
           br i1 %c, label %text, label %join
         text:
           br label %join
         join:
           %joined = phi double [ 0x7, %text ], [ %value, %start ]
           store double %joined, ptr %to, align 8
           store double 0x3, ptr %to, align 8
           store double 0.0, ptr %to, align 8
           ret void
         }",
    );
    let stores: Vec<&str> = after.lines().filter(|line| line.starts_with("store")).collect();
    let expected = [("double %1", ""), ("i64 %2", ", !ct.one !0"), ("i64 3", ""), ("double 0.000000e+00", "")];
    assert_eq!(stores, expected.map(|(value, mark)| format!("store {value}, ptr %to, align 8{mark}")));
    assert!(after.contains("%2 = phi i64 [ 7, %text ], [ 0, %start ]"), "{after}");
}

/// `V::Int(a + b)` beside `V::Float(x)`: what the source has as numbers is computed with, and no bits of a float are.
#[test]
fn a_sum_of_numbers_of_the_source_is_stored_as_a_number() {
    let text = |mark: &str| {
        format!(
            "define void @f(ptr %to, i1 %c, float %x, ptr %numbers) {{
               br label %join
             join:
               %a = load i32, ptr %numbers, align 4{mark}
               %sum = add i32 %a, 3
               %bits = bitcast i32 %sum to float
               %value = select i1 %c, float %x, float %bits
               store float %value, ptr %to, align 4
               ret void
             }}
             !0 = !{{!\"ct.told\"}}"
        )
    };
    let stores = |(_, after): (String, String)| {
        after.lines().filter(|line| line.starts_with("store")).map(str::to_owned).collect::<Vec<_>>()
    };
    let told = parted(&text(", !llvm.preserve.access.index !0"));
    assert!(!told.1.contains("bitcast"), "{}", told.1);
    assert_eq!(stores(told), ["store float %2, ptr %to, align 4", "store i32 %3, ptr %to, align 4, !ct.one !1"]);
    assert_eq!(stores(parted(&text(""))), ["store float %value, ptr %to, align 4"]);
}
