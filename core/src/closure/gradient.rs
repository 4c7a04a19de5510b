//! Functions of many numbers, one sweep: gradients and the two products with the Jacobian.

use super::{Real, apart};
use crate::__private::{__ct_forward, __ct_reverse, check_length};
use crate::tape::Frame;

/// The gradient of `f` at `x`.
///
/// One reverse sweep, whatever the number of variables.
///
/// ```
/// use cotangent::gradient;
///
/// let x = vec![1.0, 2.0, 3.0];
/// let g = gradient(|x: &[f64]| x[0] * x[1] + x[2] * x[2], &x);
/// assert_eq!(g, [2.0, 1.0, 6.0]);
/// ```
///
/// # Panics
/// Where `f` does.
#[inline]
pub fn gradient<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T]) -> Vec<T> {
    let mut g = vec![T::default(); x.len()];
    // SAFETY: the thunk's requirements hold, `g` has the length of `x`.
    unsafe { add_gradient(&raw const f, x.as_ptr(), g.as_mut_ptr(), x.len()) };
    g
}

/// Adds the gradient of `f` at the `n` numbers from `x` to the `n` numbers from `g`.
///
/// # Safety
/// `f` and `x` are valid for reads, `g` for writes, and nothing else refers to `g`'s memory.
#[inline]
pub(super) unsafe fn add_gradient<T: Real, F: Fn(&[T]) -> T>(f: *const F, x: *const T, g: *mut T, n: usize) {
    let (mut value, mut seed) = (T::default(), T::ONE);
    // SAFETY: operands as the request says: the closure, `x` with its shadow and length, the result with its seed.
    unsafe {
        __ct_reverse(thunk::<T, F> as *const (), T::GRADIENT, f, x, g, n, &raw mut value, &raw mut seed);
    }
}

/// The value of `f` at `x`; its gradient is written to `g`.
///
/// Allocates nothing, so it suits the inner loop of an optimiser.
///
/// ```
/// use cotangent::value_and_gradient;
///
/// let f = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>();
/// let x = vec![1.0, 2.0];
/// let mut g = vec![0.0; 2];
/// let v: f64 = value_and_gradient(&f, &x, &mut g);
/// assert_eq!(v, 5.0);
/// assert_eq!(g, [2.0, 4.0]);
/// ```
///
/// # Panics
/// If `g` has another length than `x`, and where `f` does.
#[inline]
#[track_caller]
pub fn value_and_gradient<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T], g: &mut [T]) -> T {
    check_length("x", x.len(), g.len());
    g.fill(T::default());
    let (mut value, mut seed) = (T::default(), T::ONE);
    // SAFETY: operands as the request says: the closure, `x` with its shadow and length, the result with its seed.
    unsafe {
        __ct_reverse(
            thunk::<T, F> as *const (),
            T::VALUE_AND_GRADIENT,
            &raw const f,
            x.as_ptr(),
            g.as_mut_ptr(),
            x.len(),
            &raw mut value,
            &raw mut seed,
        );
    }
    value
}

/// The value of `f` at `x` and its derivative in a direction: the Jacobian times `direction`.
///
/// One forward sweep; nothing is stored.
///
/// ```
/// use cotangent::jvp;
///
/// let f = |x: &[f64]| x[0] * x[1];
/// let (y, dy): (f64, f64) = jvp(&f, &[2.0, 3.0], &[1.0, 0.5]);
/// assert_eq!((y, dy), (6.0, 4.0));
/// ```
///
/// # Panics
/// If `direction` has another length than `x`, and where `f` does.
#[inline]
#[track_caller]
pub fn jvp<T: Real, F: Fn(&[T]) -> T>(f: F, x: &[T], direction: &[T]) -> (T, T) {
    check_length("x", x.len(), direction.len());
    let mut room = Vec::new();
    let direction = apart(x, direction, &mut room);
    let (mut value, mut tangent) = (T::default(), T::default());
    // SAFETY: operands as the request says: the closure, `x` with its tangent and length, the result with its tangent.
    unsafe {
        __ct_forward(
            thunk::<T, F> as *const (),
            T::JVP,
            &raw const f,
            x.as_ptr(),
            direction.as_ptr(),
            x.len(),
            &raw mut value,
            &raw mut tangent,
        );
    }
    (value, tangent)
}

/// # Safety
/// `f` is valid for reads, `x` for `n` of them, `out` for a write.
unsafe fn thunk<T: Real, F: Fn(&[T]) -> T>(f: *const F, x: *const T, n: usize, out: *mut T) {
    // SAFETY: by the function's own contract.
    unsafe { out.write((*f)(core::slice::from_raw_parts(x, n))) }
}

/// The transposed Jacobian of `f` at `x`, times `w`: the gradient of the sum of `w[i] * y[i]`.
///
/// `f` writes its results to the slice that it is given as second argument, which has the length of `w` and is zero when
/// `f` is called. One reverse sweep, whatever the number of variables and results.
///
/// ```
/// use cotangent::vjp;
///
/// let f = |x: &[f64], y: &mut [f64]| {
///     y[0] = x[0] * x[1];
///     y[1] = x[0] + 3.0 * x[1];
/// };
/// assert_eq!(vjp(f, &[2.0, 5.0], &[1.0, 10.0]), [15.0, 32.0]);
/// ```
///
/// # Panics
/// Where `f` does.
#[inline]
pub fn vjp<T: Real, F: Fn(&[T], &mut [T])>(f: F, x: &[T], w: &[T]) -> Vec<T> {
    let mut adjoint = vec![T::default(); x.len()];
    let frame = Frame::new();
    let (y, seed) = (frame.zeros::<T>(w.len()), frame.zeros::<T>(w.len()));
    seed.copy_from_slice(w);
    // SAFETY: operands as the request says: the closure, `x` and the results, each with a shadow and its length.
    unsafe {
        __ct_reverse(
            thunk_in_place::<T, F> as *const (),
            T::VJP,
            &raw const f,
            x.as_ptr(),
            adjoint.as_mut_ptr(),
            x.len(),
            y.as_mut_ptr(),
            seed.as_mut_ptr(),
            y.len(),
        );
    }
    adjoint
}

/// # Safety
/// `f` is valid for reads, `x` for `n` of them, `y` for `m` reads and writes, and `y` overlaps neither.
pub(super) unsafe fn thunk_in_place<T: Real, F: Fn(&[T], &mut [T])>(
    f: *const F,
    x: *const T,
    n: usize,
    y: *mut T,
    m: usize,
) {
    // SAFETY: by the function's own contract.
    unsafe { (*f)(core::slice::from_raw_parts(x, n), core::slice::from_raw_parts_mut(y, m)) }
}
