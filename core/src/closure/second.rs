//! Second derivatives: forward over reverse.
//!
//! The thunk of the forward request computes a gradient, so it has the marker call of a reverse request inside. The driver
//! differentiates the inner one first.

use super::gradient::add_gradient;
use super::{Real, WIDTH};
use crate::__private::{__ct_forward, check_length};
use crate::tape::Frame;

/// The Hessian of `f` at `x`: `n` by `n`, row after row.
///
/// A forward sweep over the gradient for each variable, several in one. It is symmetric up to rounding.
///
/// ```
/// use cotangent::hessian;
///
/// let f = |x: &[f64]| x[0] * x[0] * x[1];
/// assert_eq!(hessian(&f, &[3.0, 5.0]), [10.0, 6.0, 6.0, 0.0]);
/// ```
///
/// # Panics
/// If the Hessian is larger than the address space, and where `f` does.
#[inline]
#[track_caller]
pub fn hessian<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T]) -> Vec<T> {
    let n = x.len();
    let size = n.checked_mul(n).expect("the Hessian is larger than the address space");
    let mut h = vec![T::default(); size];
    let frame = Frame::new();
    let g = frame.zeros::<T>(n);
    let mut directions: [&mut [T]; WIDTH] = core::array::from_fn(|_| frame.zeros(n));
    let mut first = 0;
    while first + WIDTH <= n {
        g.fill(T::default());
        for (lane, direction) in directions.iter_mut().enumerate() {
            direction[first + lane] = T::ONE;
        }
        let rows = h[first * n..(first + WIDTH) * n].as_mut_ptr();
        // SAFETY: operands as the request says: the closure, `x` and its gradient, each with its tangents and length. The
        // tangents of the gradient are rows of the Hessian, inside `h`.
        unsafe {
            __ct_forward(
                gradient_thunk::<T, F> as *const (),
                T::HESSIAN_ROWS,
                &raw const f,
                x.as_ptr(),
                directions[0].as_ptr(),
                directions[1].as_ptr(),
                directions[2].as_ptr(),
                directions[3].as_ptr(),
                n,
                g.as_mut_ptr(),
                rows,
                rows.add(n),
                rows.add(2 * n),
                rows.add(3 * n),
                n,
            );
        }
        for (lane, direction) in directions.iter_mut().enumerate() {
            direction[first + lane] = T::default();
        }
        first += WIDTH;
    }
    let [direction, ..] = directions;
    for i in first..n {
        direction[i] = T::ONE;
        add_product(&f, x, direction, g, &mut h[i * n..(i + 1) * n]);
        direction[i] = T::default();
    }
    h
}

/// The Hessian of `f` at `x`, times `v`: the derivative of the gradient in the direction `v`.
///
/// One sweep over the gradient, whatever the number of variables; the Hessian itself is never made.
///
/// ```
/// use cotangent::hvp;
///
/// let f = |x: &[f64]| x[0] * x[0] * x[1];
/// assert_eq!(hvp(&f, &[3.0, 5.0], &[1.0, 2.0]), [22.0, 6.0]);
/// ```
///
/// # Panics
/// If `v` has another length than `x`, and where `f` does.
#[inline]
#[track_caller]
pub fn hvp<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T], v: &[T]) -> Vec<T> {
    check_length("x", x.len(), v.len());
    let mut product = vec![T::default(); x.len()];
    let frame = Frame::new();
    add_product(&f, x, v, frame.zeros(x.len()), &mut product);
    product
}

/// Writes the Hessian times `v` to `product`, which is zero; `g` is room for the gradient. All are of the length of `x`.
#[inline]
fn add_product<T: Real, F: Fn(&[T]) -> T>(f: &F, x: &[T], v: &[T], g: &mut [T], product: &mut [T]) {
    g.fill(T::default());
    // SAFETY: operands as the request says: the closure, `x` and its gradient, each with its tangent and length.
    unsafe {
        __ct_forward(
            gradient_thunk::<T, F> as *const (),
            T::HVP,
            f as *const F,
            x.as_ptr(),
            v.as_ptr(),
            x.len(),
            g.as_mut_ptr(),
            product.as_mut_ptr(),
            g.len(),
        );
    }
}

/// Adds the gradient of `f` at `x` to `g`.
///
/// # Safety
/// `f` is valid for reads, `x` for `n` of them, `g` for as many reads and writes, and `g` overlaps neither.
unsafe fn gradient_thunk<T: Real, F: Fn(&[T]) -> T>(f: *const F, x: *const T, n: usize, g: *mut T, _len: usize) {
    // SAFETY: by the function's own contract.
    unsafe { add_gradient(f, x, g, n) }
}
