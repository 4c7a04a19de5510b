//! The two float types of array routines.

use super::number::Number;
use core::ops::{Div, MulAssign, Neg, Sub, SubAssign};

/// `f32` or `f64`.
pub(super) trait Real:
    Number + PartialOrd + Sub<Output = Self> + Div<Output = Self> + Neg<Output = Self> + SubAssign + MulAssign
{
    /// Squares above this one have all their digits.
    const SMALL: Self;
    /// Squares below this one do not overflow when they are added.
    const LARGE: Self;
    /// A power of 2 that brings small numbers up.
    const UP: Self;
    /// A power of 2 that brings large numbers down.
    const DOWN: Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Triangular systems, see [`super::triangular`].
    fn solve(unit: bool, n: usize, t: &[Self], x: &mut [Self]);
    /// Cholesky's factor, see [`super::cholesky`].
    fn cholesky(n: usize, a: &mut [Self]) -> usize;
    /// The order of rows, see [`super::lu`].
    fn pivots(m: usize, n: usize, a: &[Self], pivots: &mut [i32]) -> usize;
    /// Factors without a change of order, see [`super::lu`].
    fn factors(n: usize, a: &mut [Self]);
}

macro_rules! real {
    ($float:ty, $module:ident, $product:literal, $small:expr, $large:expr, $up:expr, $down:expr) => {
        impl Number for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const PRODUCT: *const u8 = $product.as_ptr();
            const COMPLEX: bool = false;
            #[inline(always)]
            fn conjugated(self) -> Self {
                self
            }
        }

        impl Real for $float {
            const SMALL: Self = $small;
            const LARGE: Self = $large;
            const UP: Self = $up;
            const DOWN: Self = $down;
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn solve(unit: bool, n: usize, t: &[Self], x: &mut [Self]) {
                super::triangular::$module::solve(unit, n, t, x);
            }
            #[inline(always)]
            fn cholesky(n: usize, a: &mut [Self]) -> usize {
                super::cholesky::$module::cholesky(n, a)
            }
            #[inline(always)]
            fn pivots(m: usize, n: usize, a: &[Self], pivots: &mut [i32]) -> usize {
                super::lu::$module::pivots(m, n, a, pivots)
            }
            #[inline(always)]
            fn factors(n: usize, a: &mut [Self]) {
                super::lu::$module::factors(n, a);
            }
        }
    };
}

// The plan of a product counts as floats, since nothing in it is a pointer. Powers of 2: 2^500 and 2^-500, 2^60 and 2^-60.
real!(
    f64,
    double,
    b"ct1|rule|fr|matrix product|vc8,vd8,sd8,sd8,tn8\0",
    1e-280,
    1e280,
    3.273390607896142e150,
    3.054936363499605e-151
);
real!(f32, single, b"ct1|rule|fr|matrix product|vc8,vd4,sd4,sd4,tn4\0", 1e-26, 1e26, 1.152_921_5e18, 8.673_617_4e-19);
