//! What the macros' expansions and the closure functions stand on. Not for use by hand: it changes without notice.

use crate::FloatData;
pub use crate::markers::{__ct_forward, __ct_reverse, __ct_rule};
pub use crate::rules::{
    AnyType, Apart, Facts, RuleFor, Scratch, add_adjoint, assert_plain, keep_tape, put, put_tangent, read_or_zero,
    take_seed, take_tape,
};
pub use crate::shadow::{
    Argument, KeptByBound, KeptShadow, KeptUnknown, KeptUnsized, ShadowByBound, ShadowOfElements, ShadowOfVariant,
    ShadowProbe, ShadowUnknown, Whole, WholeUnknown, lane,
};
use core::mem;

/// Refuses a shadow slice of another length than its primal's.
///
/// # Panics
/// If the lengths differ, with both.
#[inline]
#[track_caller]
pub fn check_length(parameter: &str, primal: usize, shadow: usize) {
    if primal != shadow {
        length_mismatch(parameter, primal, shadow);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn length_mismatch(parameter: &str, primal: usize, shadow: usize) -> ! {
    panic!("the shadow of `{parameter}` has length {shadow}, but `{parameter}` has length {primal}");
}

/// Types to which a reference is an address and nothing else.
#[diagnostic::on_unimplemented(
    message = "a reference to `{Self}` is more than an address, and the attribute cannot see it under this name",
    label = "another name for a slice, a `str` or a `dyn` type",
    note = "write a slice as `&[f64]` or `&mut [f64]` in the signature; for `&dyn Trait`, take `&Box<dyn Trait>` or a generic parameter"
)]
pub trait Thin {}
impl<T> Thin for T {}

/// Compiles only for types to which a reference is an address and nothing else.
///
/// ```
/// cotangent::__private::assert_thin::<[f64; 3]>();
/// ```
///
/// ```compile_fail,E0277
/// cotangent::__private::assert_thin::<[f64]>();
/// ```
#[inline(always)]
pub const fn assert_thin<T: Thin + ?Sized>() {}

/// Compiles only for types that can be plain float data: that own nothing, refer to nothing and have the shape of floats.
///
/// The macros see names of types and not what they stand for, and [`FloatData`] is not asked for, so that a struct of
/// floats needs no more than to be one. Integers among the floats pass: their adjoints are zeros.
///
/// ```
/// struct Point { x: f64, y: f64 }
/// cotangent::__private::assert_float_data::<Point>();
/// ```
///
/// ```compile_fail,E0080
/// cotangent::__private::assert_float_data::<&f64>();
/// ```
///
/// ```compile_fail,E0080
/// struct Owner { x: Vec<f64> }
/// cotangent::__private::assert_float_data::<Owner>();
/// ```
#[inline(always)]
pub const fn assert_float_data<T>() {
    const {
        if let Some(fault) = float_data_fault::<T>() {
            panic!("{}", fault);
        }
    }
}

/// Why a type cannot be plain float data, as [`assert_float_data`] says it.
pub const fn float_data_fault<T>() -> Option<&'static str> {
    if mem::needs_drop::<T>() {
        return Some("not plain data of floats: it owns memory, so it cannot be differentiated by value");
    }
    // Floats use all their bit patterns, integers too. A reference, a `bool` or an enum does not, and then an `Option` needs
    // no more room than the type itself.
    if size_of::<Option<T>>() == size_of::<T>() {
        return Some(
            "not plain data of floats: it holds a reference, `bool` or enum, so it cannot be differentiated by value",
        );
    }
    if !size_of::<T>().is_multiple_of(4) || align_of::<T>() < 4 {
        return Some("not plain data of floats, so it cannot be differentiated by value");
    }
    None
}

/// The zero of a plain float type: an adjoint before anything was added to it.
#[inline(always)]
pub const fn zero<T: FloatData>() -> T {
    // SAFETY: all zeros is a valid value of plain float data.
    unsafe { mem::zeroed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lengths_pass() {
        check_length("x", 3, 3);
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 2, but `x` has length 3")]
    fn different_lengths_panic_with_both() {
        check_length("x", 3, 2);
    }

    #[test]
    fn structs_of_floats_are_float_data_without_saying_so() {
        struct Point<T> {
            _position: [T; 3],
            _weight: f32,
        }
        assert_float_data::<Point<f64>>();
        assert_float_data::<(f32, Point<f32>)>();
    }

    #[test]
    fn other_types_are_refused_with_the_reason() {
        assert!(float_data_fault::<(f64, &f64)>().is_some_and(|fault| fault.contains("reference")));
        assert!(float_data_fault::<[Vec<f64>; 2]>().is_some_and(|fault| fault.contains("owns memory")));
        assert!(float_data_fault::<[u8; 4]>().is_some());
        assert_eq!(float_data_fault::<([f64; 3], f32)>(), None);
    }

    #[test]
    fn zero_is_zero_in_every_component() {
        let (a, [b, c]): (f32, [f64; 2]) = zero();
        assert_eq!((a, b, c), (0.0, 0.0, 0.0));
    }
}
