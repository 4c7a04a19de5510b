//! Functions of one number.

use super::Real;
use crate::__private::__ct_forward;

/// The derivative of a function of one number at `t`.
///
/// ```
/// use cotangent::derivative;
///
/// let d: f64 = derivative(|t| t.sin() * t, 0.3);
/// assert!((d - (0.3f64.cos() * 0.3 + 0.3f64.sin())).abs() < 1e-15);
/// ```
///
/// Derivatives of derivatives are taken by nesting:
///
/// ```
/// use cotangent::derivative;
///
/// let second: f64 = derivative(|t| derivative(|s| s * s * s, t), 2.0);
/// assert_eq!(second, 12.0);
/// ```
///
/// # Panics
/// Where `f` does.
#[inline]
pub fn derivative<T: Real, F: Fn(T) -> T>(f: F, t: T) -> T {
    let (seed, mut value, mut tangent) = (T::ONE, T::default(), T::default());
    // SAFETY: operands as the request says: the closure, `t` with its tangent, the result with its tangent.
    unsafe {
        __ct_forward(
            thunk::<T, F> as *const (),
            T::DERIVATIVE,
            &raw const f,
            &raw const t,
            &raw const seed,
            &raw mut value,
            &raw mut tangent,
        );
    }
    tangent
}

/// # Safety
/// `f` and `t` are valid for reads, `out` for a write.
unsafe fn thunk<T: Real, F: Fn(T) -> T>(f: *const F, t: *const T, out: *mut T) {
    // SAFETY: by the function's own contract.
    unsafe { out.write((*f)(*t)) }
}
