//! Checks of the derivatives that the closure functions make: `check::gradient(f)` checks `cotangent::gradient` of `f`, and so on.
//!
//! There is little to get wrong in calling `gradient(f, x)`. What such a check shows is that `f` has at these points the
//! derivative that one expects: no kinks, no values that are read as constants, nothing that depends on hidden state.

use std::rc::Rc;

use super::builder::Check;
use super::problem::Pullback;
use super::typed::{Float, InPlace, OfNumber, OfSlice, from, function, map, scalar, to};

/// Checks [`cotangent::derivative`](crate::derivative) of a function or closure.
///
/// ```
/// use cotangent::check;
///
/// check::derivative(|t: f64| t.sin() * t).at(0.3).assert();
/// ```
pub fn derivative<'a, T: Float>(f: impl Fn(T) -> T + 'a) -> Check<'a, OfNumber<T>> {
    let f = Rc::new(f);
    let primal = Rc::clone(&f);
    scalar(move |x| primal(x)).derivative(move |x| crate::derivative(&*f, x))
}

/// Checks [`cotangent::gradient`](crate::gradient), [`value_and_gradient`](crate::value_and_gradient) and [`jvp`](crate::jvp) of a
/// function or closure.
///
/// ```
/// use cotangent::check;
///
/// let data = [1.0, 4.0, 2.0];
/// let loss = |x: &[f64]| data.iter().map(|d| (x[0] * d + x[1]).tanh()).sum();
/// check::gradient(loss).at(&[0.3, -0.2]).assert();
/// ```
pub fn gradient<'a, T: Float, F: Fn(&[T]) -> T + 'a>(f: F) -> Check<'a, OfSlice<T>> {
    with_gradient(&Rc::new(f))
}

fn with_gradient<'a, T: Float, F: Fn(&[T]) -> T + 'a>(f: &Rc<F>) -> Check<'a, OfSlice<T>> {
    let (primal, reverse, both, forward) = (Rc::clone(f), Rc::clone(f), Rc::clone(f), Rc::clone(f));
    let check = function(move |x: &[T]| primal(x)).gradient(move |x| crate::gradient(&*reverse, x));
    check
        .push_reverse("value_and_gradient", (false, false), move |x, seed, _| {
            let x = to::<T>(x);
            // It overwrites what is there.
            let mut gradient = vec![T::from_number(0.75); x.len()];
            let value = crate::value_and_gradient(&*both, &x, &mut gradient);
            let adjoint = from(&gradient).iter().map(|g| g * seed[0]).collect();
            Pullback { value: vec![Some(value.number())], adjoint, inputs: from(&x) }
        })
        .push_forward("jvp", true, move |x, direction| {
            let (value, tangent) = crate::jvp(&*forward, &to::<T>(x), &to::<T>(direction));
            (vec![Some(value.number())], vec![tangent.number()])
        })
}

/// Checks [`cotangent::jacobian`](crate::jacobian) and [`vjp`](crate::vjp) of a function or closure with `m` results.
///
/// ```
/// use cotangent::check;
///
/// let polar = |p: &[f64], xy: &mut [f64]| {
///     xy[0] = p[0] * p[1].cos();
///     xy[1] = p[0] * p[1].sin();
/// };
/// check::jacobian(polar, 2).at(&[2.0, 0.4]).assert();
/// ```
pub fn jacobian<'a, T: Float, F: Fn(&[T], &mut [T]) + 'a>(f: F, m: usize) -> Check<'a, InPlace<T>> {
    let f = Rc::new(f);
    let (primal, whole) = (Rc::clone(&f), Rc::clone(&f));
    map(move |x: &[T], y: &mut [T]| primal(x, y), m).jacobian(move |x| crate::jacobian(&*whole, x, m)).push_reverse(
        "vjp",
        (true, false),
        move |x, seed, _| {
            let adjoint = crate::vjp(&*f, &to::<T>(x), &to::<T>(seed));
            Pullback { value: Vec::new(), adjoint: from(&adjoint), inputs: Vec::new() }
        },
    )
}

/// Checks [`cotangent::hessian`](crate::hessian) and [`hvp`](crate::hvp) of a function or closure, and what [`gradient`] checks.
///
/// ```
/// use cotangent::check;
///
/// check::hessian(|x: &[f64]| x[0] * x[0] * x[1].exp()).at(&[0.6, -0.4]).assert();
/// ```
pub fn hessian<'a, T: Float, F: Fn(&[T]) -> T + 'a>(f: F) -> Check<'a, OfSlice<T>> {
    let f = Rc::new(f);
    let (whole, product) = (Rc::clone(&f), Rc::clone(&f));
    with_gradient(&f)
        .hessian(move |x| crate::hessian(&*whole, x))
        .hvp(move |x, direction| crate::hvp(&*product, x, direction))
}
