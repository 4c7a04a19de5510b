//! Whether a shadow has room for the adjoint or tangent of everything in its primal.
//!
//! The derivative reaches a shadow at the places where it reaches the primal. A `&Vec<f64>` with a shorter shadow would be
//! accessed out of bounds, so vectors are compared at every depth before anything is computed. Types that hold no memory of
//! their own always fit. An expansion calls `(&ShapeProbe(primal, shadow)).check(..)`: method
//! lookup finds [`ShapeByBound`] where the type is known to be comparable, and [`ShapeUnknown`], which compares nothing, otherwise.

use crate::__private::check_length;
use std::rc::Rc;
use std::sync::Arc;

/// Types whose values can be compared in shape.
pub trait Shape {
    /// All values of the type have the same shape.
    const FLAT: bool;

    /// # Panics
    /// If `shadow` has another length than `self` somewhere.
    fn check_shape(&self, shadow: &Self, parameter: &str);
}

/// A primal and its shadow.
pub struct ShapeProbe<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// For types that can be compared.
pub trait ShapeByBound {
    /// # Panics
    /// If the shapes differ.
    fn check(&self, parameter: &str);
}

impl<T: Shape + ?Sized> ShapeByBound for ShapeProbe<'_, T> {
    #[inline]
    #[track_caller]
    fn check(&self, parameter: &str) {
        self.0.check_shape(self.1, parameter);
    }
}

/// For all other types.
pub trait ShapeUnknown {
    /// Nothing is known to compare.
    #[inline(always)]
    fn check(&self, _parameter: &str) {}
}

impl<T: ?Sized> ShapeUnknown for &ShapeProbe<'_, T> {}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        impl Shape for $ty {
            const FLAT: bool = true;

            #[inline(always)]
            fn check_shape(&self, _shadow: &Self, _parameter: &str) {}
        }
    )*};
}
plain!(f32 f64 bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: Shape> Shape for [T] {
    const FLAT: bool = false;

    #[inline]
    #[track_caller]
    fn check_shape(&self, shadow: &Self, parameter: &str) {
        check_length(parameter, self.len(), shadow.len());
        if !T::FLAT {
            for (part, shadow) in self.iter().zip(shadow) {
                part.check_shape(shadow, parameter);
            }
        }
    }
}

impl<T: Shape, const N: usize> Shape for [T; N] {
    const FLAT: bool = T::FLAT;

    #[inline]
    #[track_caller]
    fn check_shape(&self, shadow: &Self, parameter: &str) {
        self.as_slice().check_shape(shadow, parameter);
    }
}

impl<T: Shape> Shape for Vec<T> {
    const FLAT: bool = false;

    #[inline]
    #[track_caller]
    fn check_shape(&self, shadow: &Self, parameter: &str) {
        self.as_slice().check_shape(shadow, parameter);
    }
}

/// # Panics
/// If a shadow is another variant than its primal: what lies in the one is not there in the other.
#[track_caller]
fn check_variant(parameter: &str, same: bool) {
    assert!(same, "the shadow of `{parameter}` is another variant than `{parameter}`");
}

impl<T: Shape> Shape for Option<T> {
    const FLAT: bool = false;

    #[inline]
    #[track_caller]
    fn check_shape(&self, shadow: &Self, parameter: &str) {
        match (self, shadow) {
            (Some(primal), Some(shadow)) => primal.check_shape(shadow, parameter),
            (primal, shadow) => check_variant(parameter, primal.is_none() && shadow.is_none()),
        }
    }
}

impl<T: Shape, E: Shape> Shape for Result<T, E> {
    const FLAT: bool = false;

    #[inline]
    #[track_caller]
    fn check_shape(&self, shadow: &Self, parameter: &str) {
        match (self, shadow) {
            (Ok(primal), Ok(shadow)) => primal.check_shape(shadow, parameter),
            (Err(primal), Err(shadow)) => primal.check_shape(shadow, parameter),
            _ => check_variant(parameter, false),
        }
    }
}

macro_rules! pointers {
    ($($name:ident)*) => {$(
        impl<T: Shape + ?Sized> Shape for $name<T> {
            const FLAT: bool = T::FLAT;

            #[inline]
            #[track_caller]
            fn check_shape(&self, shadow: &Self, parameter: &str) {
                (**self).check_shape(shadow, parameter);
            }
        }
    )*};
}
pointers!(Box Rc Arc);

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: Shape),+> Shape for ($($name,)+) {
            const FLAT: bool = true $(&& $name::FLAT)+;

            #[inline]
            #[track_caller]
            fn check_shape(&self, shadow: &Self, parameter: &str) {
                $(self.$index.check_shape(&shadow.$index, parameter);)+
            }
        }
    )*};
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5));

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "the expansions' own form")]
mod tests {
    use super::*;

    #[test]
    fn equal_shapes_pass_at_every_depth() {
        let primal = (vec![vec![1.0, 2.0], vec![]], Box::new([3.0f32; 2]));
        (&ShapeProbe(&primal, &primal.clone())).check("x");
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 1, but `x` has length 2")]
    fn vectors_inside_are_compared() {
        (&ShapeProbe(&[vec![1.0], vec![1.0, 2.0]], &[vec![0.0], vec![0.0]])).check("x");
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 0, but `x` has length 1")]
    fn boxed_slices_are_compared() {
        let (primal, shadow): (Box<[f64]>, Box<[f64]>) = (vec![1.0].into(), vec![].into());
        (&ShapeProbe(&primal, &shadow)).check("x");
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` is another variant than `x`")]
    fn nothing_is_no_shadow_of_something() {
        (&ShapeProbe(&[Some(Box::new(1.0)), None], &[None, None])).check("x");
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 2, but `x` has length 1")]
    fn what_is_inside_of_variants_is_compared() {
        let of = |length| Ok::<_, u8>(Rc::new(vec![0.0; length]));
        (&ShapeProbe(&of(1), &of(2))).check("x");
    }

    #[test]
    fn other_types_are_not_compared() {
        struct Model(#[expect(dead_code)] Vec<f64>);
        (&ShapeProbe(&Model(vec![1.0]), &Model(vec![]))).check("x");
    }
}
