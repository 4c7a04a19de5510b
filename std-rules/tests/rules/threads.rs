//! What hands work on to other threads.

/// rustc's symbols of `rayon_core::join::join_context` and of `rayon::slice::Iter::len`, in the older mangling.
#[test]
fn pools_of_threads_are_not_looked_into_and_iterators_over_them_are() {
    let registry = cotangent_std_rules::registry();
    assert!(registry.is_closed("_ZN10rayon_core4join12join_context17h0123456789abcdefE"));
    assert!(!registry.is_closed("_ZN5rayon5slice4Iter3len17h0123456789abcdefE"));
}
