//! What products of matrices are made of: the float types and complex numbers of either.

use super::real::Real;
use core::ops::{Add, AddAssign, Mul};

/// A real or complex number.
pub(super) trait Number:
    Copy + PartialEq + Add<Output = Self> + Mul<Output = Self> + AddAssign + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// What the marker of a product says of it; see the contract crate. Of a complex number it says what its floats are; how many
    /// there are follows from the sizes beside it.
    const PRODUCT: *const u8;
    /// Whether there is an imaginary part.
    const COMPLEX: bool;
    /// The other sign of the imaginary part.
    fn conjugated(self) -> Self;
}

/// A complex number as `matrixmultiply` has it: an array, and passed as one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(super) struct Complex<T>(pub [T; 2]);

impl<T: Real> Add for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (Complex([a, b]), Complex([c, d])) = (self, other);
        Complex([a + c, b + d])
    }
}

impl<T: Real> Mul for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (Complex([a, b]), Complex([c, d])) = (self, other);
        Complex([a * c - b * d, a * d + b * c])
    }
}

impl<T: Real> AddAssign for Complex<T> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Real> Number for Complex<T> {
    const ZERO: Self = Complex([T::ZERO, T::ZERO]);
    const ONE: Self = Complex([T::ONE, T::ZERO]);
    const PRODUCT: *const u8 = T::PRODUCT;
    const COMPLEX: bool = true;
    #[inline(always)]
    fn conjugated(self) -> Self {
        let Complex([re, im]) = self;
        Complex([re, -im])
    }
}
