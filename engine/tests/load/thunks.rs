//! What thunks do with what they are given.

use crate::parse;
use cotangent_engine::load::layout::handed_by_thunk;

/// Function, parameter, and where the pointer was found, of all that the thunk's first parameter is handed on to; none where it does something else with it.
fn handed(body: &str) -> Option<Vec<(String, usize, Option<u64>)>> {
    let module = parse(&format!(
        "define void @thunk(ptr %p, ptr %out) {{
           {body}
           ret void
         }}
         define double @user(ptr %text, i64 %length) {{
           ret double 0.0
         }}
         define double @both(ptr %a, ptr %b) {{
           ret double 0.0
         }}
         declare {{ ptr, i64 }} @_ZN4core3ptr4read17h9e18870df86bbb3eE(ptr)
         declare {{ ptr, ptr }} @_RINvNtCs0_4core3ptr4readTReRdEECs1_1a(ptr)"
    ));
    let thunk = module.function("thunk").expect("the text has it");
    let all = handed_by_thunk(thunk, &mut |function| function);
    let of_first = all.into_iter().find(|(param, _)| *param == 0)?.1;
    Some(of_first.into_iter().map(|handed| (handed.to.name(), handed.index, handed.found_at)).collect())
}

fn user(index: usize, found_at: Option<u64>) -> (String, usize, Option<u64>) {
    ("user".to_owned(), index, found_at)
}

#[test]
fn a_reference_behind_the_pointer_is_handed_on_as_what_is_found_there() {
    // In debug builds by `ptr::read`, in release builds by loads.
    let read = "%t = call { ptr, i64 } @_ZN4core3ptr4read17h9e18870df86bbb3eE(ptr %p)
         %a = extractvalue { ptr, i64 } %t, 0
         %n = extractvalue { ptr, i64 } %t, 1
         %r = call double @user(ptr %a, i64 %n)";
    let loaded = "%a = load ptr, ptr %p
         %q = getelementptr i8, ptr %p, i64 8
         %n = load i64, ptr %q
         %r = call double @user(ptr %a, i64 %n)";
    for body in [read, loaded] {
        assert_eq!(handed(body), Some(vec![user(0, Some(0))]), "{body}");
    }
}

#[test]
fn two_references_are_told_apart() {
    let body = "%t = call { ptr, ptr } @_RINvNtCs0_4core3ptr4readTReRdEECs1_1a(ptr %p)
         %a = extractvalue { ptr, ptr } %t, 0
         %b = extractvalue { ptr, ptr } %t, 1
         %r = call double @both(ptr %b, ptr %a)";
    let mut all = handed(body).expect("nothing else is done");
    all.sort();
    assert_eq!(all, [("both".to_owned(), 0, Some(8)), ("both".to_owned(), 1, Some(0))]);
}

#[test]
fn what_is_written_through_is_known_by_nobody() {
    let there = "store double 1.0, ptr %p";
    let behind = "%a = load ptr, ptr %p
         store double 1.0, ptr %a";
    // A function that has the pointer may do so too.
    let both = "%a = load ptr, ptr %p
         %r = call double @both(ptr %p, ptr %a)";
    let indirectly = "%a = load ptr, ptr %p
         %f = load ptr, ptr %out
         call void %f(ptr %a)";
    let as_number = "%n = load i64, ptr %p
         %a = load ptr, ptr %p
         %r = call double @user(ptr %a, i64 %n)";
    for body in [there, behind, both, indirectly, as_number] {
        assert_eq!(handed(body), None, "{body}");
    }
    assert_eq!(handed("%r = call double @user(ptr %p, i64 1)"), Some(vec![user(0, None)]));
}
