//! Second derivatives: forward over reverse.
//!
//! The thunk of the forward request computes a gradient, so it has the marker call of a reverse request inside. The driver
//! differentiates the inner one first.

use super::gradient::add_gradient;
use super::{Real, WIDTH, apart};
use crate::__private::check_length;
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
    let left_over = n % WIDTH;
    let lanes = if n == 1 { 1 } else { WIDTH };
    let idle = if left_over > 1 { n } else { 0 };
    let mut directions: [&mut [T]; WIDTH] = core::array::from_fn(|lane| frame.zeros(if lane < lanes { n } else { 0 }));
    let mut rows = h.chunks_exact_mut(n.max(1));
    let mut first = 0;
    while first < n {
        let used = WIDTH.min(n - first);
        for (lane, direction) in directions.iter_mut().take(used).enumerate() {
            direction[first + lane] = T::ONE;
        }
        // Rows of the Hessian itself, and room for what idle lanes leave.
        let mut products: [&mut [T]; WIDTH] =
            core::array::from_fn(|_| rows.next().unwrap_or_else(|| frame.zeros(idle)));
        gradient_products(&f, x, &mut directions, g, &mut products, used);
        for (lane, direction) in directions.iter_mut().take(used).enumerate() {
            direction[first + lane] = T::default();
        }
        first += used;
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
    let mut room = Vec::new();
    let v = apart(x, v, &mut room);
    let mut product = vec![T::default(); x.len()];
    let frame = Frame::new();
    let g = frame.zeros::<T>(x.len());
    let (directions, products) = ([v], [&mut product[..]]);
    // SAFETY: operands as the request says: the closure, `x` and its gradient, each with its tangent and length.
    unsafe { swept!(gradient_thunk::<T, F>, T::HVP, &f, x, directions, g, products; 0) }
    product
}

/// Writes the Hessian times the first `used` directions to as many products; `g` is room for the gradient.
///
/// All directions and products have the length of `x`; with one used, those behind it may be empty.
pub(crate) fn gradient_products<T: Real, F: Fn(&[T]) -> T>(
    f: &F,
    x: &[T],
    directions: &mut [&mut [T]; WIDTH],
    g: &mut [T],
    products: &mut [&mut [T]; WIDTH],
    used: usize,
) {
    let n = x.len();
    let lanes = if used == 1 { 1 } else { WIDTH };
    g.fill(T::default());
    assert_eq!(g.len(), n, "a gradient");
    for (direction, product) in directions.iter().zip(products.iter_mut()).take(lanes) {
        assert_eq!((direction.len(), product.len()), (n, n), "a direction and its product");
        product.fill(T::default());
    }
    // SAFETY: operands as the requests say: the closure, `x` and its gradient, each with its tangents and length.
    unsafe {
        if lanes == 1 {
            swept!(gradient_thunk::<T, F>, T::HVP, f, x, directions, g, products; 0);
        } else {
            swept!(gradient_thunk::<T, F>, T::HESSIAN_ROWS, f, x, directions, g, products; 0 1 2 3);
        }
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
