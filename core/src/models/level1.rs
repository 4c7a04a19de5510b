//! Vectors: `dot`, `axpy`, `scal`, `copy`, `swap`, `rot`, `asum`, `nrm2`.

use super::abi::routines;
use super::library::Library;
use super::product::product;
use super::real::Real;
use super::view::View;

/// A vector as a column; with a negative step it is given from its end.
#[inline(always)]
pub(super) fn column<T: Real>(n: isize, data: *const T, step: isize) -> View<T> {
    let start = if step < 0 { data.wrapping_offset(step.wrapping_mul(1isize.wrapping_sub(n))) } else { data };
    View::of(start, step, 0)
}

/// Runs over two vectors.
#[inline(always)]
fn pairs<T: Real>(n: isize, x: View<T>, y: View<T>, mut each: impl FnMut(*mut T, *mut T)) {
    for index in 0..n {
        each(x.at(index, 0), y.at(index, 0));
    }
}

routines! {
    "dot" fn dot(n: int, x: input, inc_x: int, y: input, inc_y: int) -> T {
        let mut sum = T::ZERO;
        let (x, y) = (column(n, x, inc_x), column(n, y, inc_y));
        // SAFETY: by the function's own contract.
        unsafe { product(Library::Loops, [1, n, 1], T::ONE, x.transposed(), y, View::of(&raw mut sum, 1, 1)) };
        sum
    }

    "axpy" fn axpy(n: int, alpha: num, x: input, inc_x: int, y: output, inc_y: int) {
        // SAFETY: by the function's own contract.
        pairs(n, column(n, x, inc_x), column(n, y, inc_y), |x, y| unsafe { *y += alpha * *x });
    }

    "scal" fn scal(n: int, alpha: num, x: output, inc_x: int) {
        // BLAS does nothing with other steps.
        if inc_x > 0 {
            for index in 0..n {
                // SAFETY: by the function's own contract.
                unsafe { *column(n, x, inc_x).at(index, 0) *= alpha };
            }
        }
    }

    "copy" fn copy(n: int, x: input, inc_x: int, y: output, inc_y: int) {
        // SAFETY: by the function's own contract.
        pairs(n, column(n, x, inc_x), column(n, y, inc_y), |x, y| unsafe { *y = *x });
    }

    "swap" fn swap(n: int, x: output, inc_x: int, y: output, inc_y: int) {
        // SAFETY: by the function's own contract.
        pairs(n, column(n, x, inc_x), column(n, y, inc_y), |x, y| unsafe { (*x, *y) = (*y, *x) });
    }

    "rot" fn rot(n: int, x: output, inc_x: int, y: output, inc_y: int, c: num, s: num) {
        pairs(n, column(n, x, inc_x), column(n, y, inc_y), |x, y| {
            // SAFETY: by the function's own contract.
            unsafe { (*x, *y) = (c * *x + s * *y, c * *y - s * *x) }
        });
    }

    "asum" fn asum(n: int, x: input, inc_x: int) -> T {
        let mut sum = T::ZERO;
        if inc_x > 0 {
            for index in 0..n {
                // SAFETY: by the function's own contract.
                sum += unsafe { *column(n, x, inc_x).at(index, 0) }.abs();
            }
        }
        sum
    }

    /// The length; with derivative 0 where it is 0.
    "nrm2" fn nrm2(n: int, x: input, inc_x: int) -> T {
        if inc_x <= 0 {
            return T::ZERO;
        }
        // SAFETY: by the function's own contract.
        let square = unsafe { dot(n, x, inc_x, x, inc_x) };
        if square >= T::SMALL && square <= T::LARGE {
            return square.sqrt();
        }
        // Squares of what is so far away vanish or overflow.
        let factor = if square < T::SMALL { T::UP } else { T::DOWN };
        let mut sum = T::ZERO;
        for index in 0..n {
            // SAFETY: by the function's own contract.
            let value = unsafe { *column(n, x, inc_x).at(index, 0) } * factor;
            sum += value * value;
        }
        if sum == T::ZERO { T::ZERO } else { sum.sqrt() / factor }
    }
}
