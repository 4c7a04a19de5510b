//! What is carried over to the derivative: visibility, `cfg`, `unsafe`, documentation, lints.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

use cotangent::autodiff;

mod inner {
    use super::autodiff;

    #[autodiff(Reverse, Active, Active)]
    pub(in super::super) fn visible(x: f64) -> f64 {
        x * x
    }
}

#[cfg(any())]
#[autodiff(d_absent, Reverse, Active, Active)]
fn absent(x: f64) -> f64 {
    x
}

#[autodiff(d_absent, Reverse, Active, Active)]
#[cfg(any())]
fn absent(x: f64) -> f64 {
    x
}

#[autodiff(d_absent, Reverse, Active, Active)]
#[cfg(test)]
#[inline(never)]
fn present(x: f64) -> f64 {
    3.0 * x
}

#[test]
fn visibility_and_cfg() {
    assert_eq!(inner::d_visible(3.0, 1.0), (9.0, 6.0));
    assert_eq!(d_absent(2.0, 1.0), (6.0, 3.0));
}

/// # Safety
/// `p` is valid for reads.
#[autodiff(d_raw, Reverse, Const, Active, Active)]
unsafe fn raw(p: *const f64, x: f64) -> f64 {
    // SAFETY: as the function demands.
    x * unsafe { *p }
}

#[test]
fn unsafe_functions_have_unsafe_derivatives() {
    // SAFETY: a valid pointer.
    assert_eq!(unsafe { d_raw(&3.0, 2.0, 1.0) }, (6.0, 3.0));
}

mod safe {
    #![forbid(unsafe_code)]

    #[cotangent::autodiff(Reverse, Active, Active)]
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
}

macro_rules! define {
    ($name:ident, $derivative:ident, $ty:ty) => {
        #[autodiff($derivative, Reverse, Active, Active)]
        fn $name(x: $ty) -> $ty {
            x * x
        }
    };
}
define!(by_macro, d_by_macro, f64);

#[test]
fn forbidden_unsafe_code_and_macros() {
    assert_eq!(safe::d_cube(2.0, 1.0), (8.0, 12.0));
    assert_eq!(d_by_macro(2.0, 1.0), (4.0, 4.0));
}
