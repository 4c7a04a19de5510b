//! Is a type plain float data, where the macro sees a type parameter only?
//!
//! In `fn f<T: num_traits::Float>(x: T)` nothing says that `T` is [`FloatData`], and asking for the bound would change the
//! function. So the expansion calls `(&FloatProbe::<T>::new()).check()` with both traits below in scope. Method resolution
//! takes the first that fits: where `T: FloatData` is known, the one that has nothing left to do; otherwise the one for any
//! type, which looks at the name of the type that `T` has become.

use crate::FloatData;
use core::any::type_name;
use core::marker::PhantomData;

/// Stands for a type that is asked about.
pub struct FloatProbe<T>(PhantomData<T>);

impl<T> FloatProbe<T> {
    /// A probe for `T`.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "for expansions only")]
    pub const fn new() -> FloatProbe<T> {
        FloatProbe(PhantomData)
    }
}

/// Where the bound is known.
pub trait FloatDataByBound {
    /// Compiles, so all is well.
    #[inline(always)]
    fn check(&self) {}
}

impl<T: FloatData> FloatDataByBound for FloatProbe<T> {}

/// Where nothing is known.
pub trait FloatDataByName {
    /// Looks at the type's name.
    ///
    /// # Panics
    /// If the type is not made of `f32`, `f64`, arrays and tuples.
    fn check(&self);
}

impl<T> FloatDataByName for &FloatProbe<T> {
    #[inline]
    #[track_caller]
    fn check(&self) {
        let name = type_name::<T>();
        // These comparisons are of constants; the optimiser leaves nothing of them.
        if name != "f64" && name != "f32" && !is_made_of_floats(name) {
            not_float_data(name);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_float_data(name: &str) -> ! {
    panic!(
        "`{name}` cannot be differentiated by value, as it is not known to be plain float data; \
         add the bound `cotangent::FloatData` to the type parameter"
    );
}

/// True for `f32`, `f64`, and arrays and tuples of them, as `type_name` writes them. No other type has such a name: those
/// of users begin with their crate.
fn is_made_of_floats(name: &str) -> bool {
    if let Some(elements) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return elements.rsplit_once("; ").is_some_and(|(element, _)| is_made_of_floats(element));
    }
    if let Some(components) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return split_at_commas(components).all(is_made_of_floats);
    }
    matches!(name, "f32" | "f64")
}

/// The parts between the commas that stand in no brackets.
fn split_at_commas(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_any<T>() {
        (&FloatProbe::<T>::new()).check();
    }

    #[test]
    fn floats_arrays_and_tuples_are_recognised_by_name() {
        check_any::<f32>();
        check_any::<[f64; 4]>();
        check_any::<(f64, [(f32, f32); 2], (f64,))>();
    }

    #[test]
    fn the_bound_is_taken_where_it_is_known() {
        #[derive(Clone, Copy)]
        struct Point {
            _x: f64,
        }
        // SAFETY: a float.
        unsafe impl FloatData for Point {}
        #[expect(clippy::needless_borrow, reason = "the expansion's own form")]
        fn check_known<T: FloatData>() {
            (&FloatProbe::<T>::new()).check();
        }
        check_known::<Point>();
    }

    #[test]
    #[should_panic(expected = "`(f64, usize)` cannot be differentiated by value")]
    fn an_integer_in_a_tuple_is_found() {
        check_any::<(f64, usize)>();
    }

    #[test]
    fn names_that_only_look_like_floats_are_not() {
        for name in
            ["mine::f64", "&f64", "[u8; 8]", "[f64]", "(f64, [i32; 2])", "*const f64", "core::option::Option<f64>"]
        {
            assert!(!is_made_of_floats(name), "{name}");
        }
    }
}
