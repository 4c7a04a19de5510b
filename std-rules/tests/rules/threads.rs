//! What hands work on to other threads.

use cotangent_engine::rule::Known;

/// rustc's symbols of `rayon_core::join::join_context` and of `rayon::slice::Iter::len`, in the older mangling.
#[test]
fn pools_of_threads_are_not_looked_into_and_iterators_over_them_are() {
    let registry = cotangent_std_rules::registry();
    assert!(registry.knows(Known::Closed, "_ZN10rayon_core4join12join_context17h0123456789abcdefE"));
    assert!(!registry.knows(Known::Closed, "_ZN5rayon5slice4Iter3len17h0123456789abcdefE"));
}
