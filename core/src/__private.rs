//! What the macros' expansions and the closure functions stand on. Not for use by hand: it changes without notice.

use crate::FloatData;
pub use crate::markers::{__ct_forward, __ct_reverse};
pub use crate::probe::{FloatDataByBound, FloatDataByName, FloatProbe};

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

/// Compiles for plain float data only; the error is that of [`FloatData`].
#[inline(always)]
pub const fn assert_float_data<T: FloatData>() {}

/// The zero of a plain float type: an adjoint before anything was added to it.
#[inline(always)]
pub const fn zero<T: FloatData>() -> T {
    // SAFETY: all zeros is a valid value of plain float data.
    unsafe { core::mem::zeroed() }
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
    fn zero_is_zero_in_every_component() {
        let (a, [b, c]): (f32, [f64; 2]) = zero();
        assert_eq!((a, b, c), (0.0, 0.0, 0.0));
    }
}
