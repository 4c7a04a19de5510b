//! A primal with its derivatives, held against differences and against each other.
//!
//! Every check asks for: the primal's value from both derivatives, reverse against differences, forward against
//! reverse by `<J v, w> = <v, J' w>`, adjoints that are added and scale with the seed. Functions of slices are also called where memory is littered
//! ([`litter`]).

use crate::close::compare;
use crate::differences::{Real, along, gradient, slope};
use crate::{dot, litter, noise};

/// Bytes to be left behind: those of small numbers, of ordinary floats, of large negative numbers, of NaNs.
const LITTER: [u8; 4] = [0x01, 0x3f, 0x80, 0xff];

#[track_caller]
fn agree(what: &str, got: &[f64], expected: &[f64], slack: f64) {
    if let Err(message) = compare(got, expected, slack) {
        panic!("{what}: {message}");
    }
}

fn values<T: Real>(list: &[T]) -> Vec<f64> {
    list.iter().map(|x| x.value()).collect()
}

/// The largest relative error of <Jv,w> = <v,J'w> that rounding explains: the sums' terms may cancel.
#[track_caller]
fn transposes(tangent: &[f64], w: &[f64], v: &[f64], adjoint: &[f64], slack: f64) {
    let (left, right) = (dot(tangent, w), dot(v, adjoint));
    let size: f64 = tangent.iter().zip(w).chain(v.iter().zip(adjoint)).map(|(a, b)| (a * b).abs()).sum();
    assert!(
        (left - right).abs() <= slack * size.max(1e-3),
        "forward and reverse disagree: <J v, w> = {left:e}, <v, J' w> = {right:e}\n  J v = {tangent:?}\nJ' w = {adjoint:?}"
    );
}

/// A scalar function of one number: `forward(x, dx) -> (y, dy)`, `reverse(x, dy) -> (y, dx)`.
#[track_caller]
pub fn scalar<T: Real>(
    x: T,
    primal: impl Fn(T) -> T,
    forward: impl Fn(T, T) -> (T, T),
    reverse: impl Fn(T, T) -> (T, T),
) {
    let expected = slope(&primal, x);
    let y = primal(x).value();
    let (value, tangent) = forward(x, T::of(1.0));
    agree(&format!("value of forward at {x:?}"), &[value.value()], &[y], T::ROUNDING);
    agree(&format!("tangent at {x:?}, by differences"), &[tangent.value()], &[expected], T::SLACK);
    let (value, adjoint) = reverse(x, T::of(1.0));
    agree(&format!("value of reverse at {x:?}"), &[value.value()], &[y], T::ROUNDING);
    agree(&format!("adjoint at {x:?}, by the tangent"), &[adjoint.value()], &[tangent.value()], T::ROUNDING);
    let scaled = reverse(x, T::of(-0.75)).1.value();
    agree(&format!("adjoint at {x:?} with seed -0.75"), &[scaled], &[-0.75 * adjoint.value()], T::ROUNDING);
    let scaled = forward(x, T::of(-0.75)).1.value();
    agree(&format!("tangent at {x:?} with seed -0.75"), &[scaled], &[-0.75 * adjoint.value()], T::ROUNDING);
}

/// A scalar function of a slice: `forward(x, dx) -> (y, dy)`, `reverse(x, &mut dx, dy) -> y`.
#[track_caller]
pub fn functional<T: Real>(
    x: &[T],
    primal: impl Fn(&[T]) -> T,
    forward: impl Fn(&[T], &[T]) -> (T, T),
    reverse: impl Fn(&[T], &mut [T], T) -> T,
) {
    let y = primal(x).value();
    let mut dx: Vec<T> = x.iter().map(|_| T::of(0.0)).collect();
    let value = reverse(x, &mut dx, T::of(1.0)).value();
    let adjoint = values(&dx);
    agree("value of reverse", &[value], &[y], T::ROUNDING);
    agree("gradient, by differences", &adjoint, &gradient(&primal, x), T::SLACK);

    reverse(x, &mut dx, T::of(0.5));
    let more: Vec<f64> = adjoint.iter().map(|a| 1.5 * a).collect();
    agree("adjoints are added to the shadow", &values(&dx), &more, T::ROUNDING);

    let v: Vec<T> = noise(1, x.len()).into_iter().map(T::of).collect();
    let (value, tangent) = forward(x, &v);
    agree("value of forward", &[value.value()], &[y], T::ROUNDING);
    transposes(&[tangent.value()], &[1.0], &values(&v), &adjoint, T::ROUNDING);

    for byte in LITTER {
        litter::leave(byte);
        let again = forward(x, &v).1.value();
        agree(&format!("tangent in memory of {byte:#x}"), &[again], &[tangent.value()], T::ROUNDING);
        let mut dx: Vec<T> = x.iter().map(|_| T::of(0.0)).collect();
        litter::leave(byte);
        reverse(x, &mut dx, T::of(1.0));
        agree(&format!("gradient in memory of {byte:#x}"), &values(&dx), &adjoint, T::ROUNDING);
    }
}

/// A closure of a slice, through `gradient` and `jvp`.
#[inline(always)]
#[track_caller]
pub fn closure(x: &[f64], f: impl Fn(&[f64]) -> f64) {
    let reverse = |x: &[f64], dx: &mut [f64], dy: f64| {
        let mut gradient = vec![0.0; x.len()];
        let value = cotangent::value_and_gradient(&f, x, &mut gradient);
        dx.iter_mut().zip(gradient).for_each(|(dx, g)| *dx += dy * g);
        value
    };
    functional(x, &f, |x, dx| cotangent::jvp(&f, x, dx), reverse);
}

/// A map between slices, `y` only written: `forward(x, dx, y, dy)`, `reverse(x, dx, y, dy)`.
#[track_caller]
#[allow(clippy::type_complexity, reason = "the types are the generated signatures")]
pub fn map(
    x: &[f64],
    outputs: usize,
    primal: impl Fn(&[f64], &mut [f64]),
    forward: impl Fn(&[f64], &[f64], &mut [f64], &mut [f64]),
    reverse: impl Fn(&[f64], &mut [f64], &mut [f64], &mut [f64]),
) {
    let run = |x: &[f64]| {
        let mut y = vec![0.0; outputs];
        primal(x, &mut y);
        y
    };
    let expected = run(x);
    let (v, w) = (noise(2, x.len()), noise(3, outputs));

    let (mut y, mut tangent) = (vec![0.0; outputs], vec![0.0; outputs]);
    forward(x, &v, &mut y, &mut tangent);
    agree("value of forward", &y, &expected, 1e-13);
    agree("tangent, by differences", &tangent, &along(run, x, &v), f64::SLACK);

    let (mut y, mut dy, mut dx) = (vec![0.0; outputs], w.clone(), vec![0.0; x.len()]);
    reverse(x, &mut dx, &mut y, &mut dy);
    agree("value of reverse", &y, &expected, 1e-13);
    transposes(&tangent, &w, &v, &dx, f64::ROUNDING);

    let single = dx.clone();
    let (mut y, mut dy) = (vec![0.0; outputs], w);
    reverse(x, &mut dx, &mut y, &mut dy);
    let twice: Vec<f64> = single.iter().map(|a| 2.0 * a).collect();
    agree("adjoints are added to the shadow", &dx, &twice, 1e-12);
}

/// A map that overwrites its argument: `forward(x, dx)`, `reverse(x, dx)`, where the shadow holds the output's
/// adjoint on entry and the input's on return.
#[track_caller]
pub fn in_place(
    x: &[f64],
    primal: impl Fn(&mut [f64]),
    forward: impl Fn(&mut [f64], &mut [f64]),
    reverse: impl Fn(&mut [f64], &mut [f64]),
) {
    let run = |x: &[f64]| {
        let mut x = x.to_vec();
        primal(&mut x);
        x
    };
    let expected = run(x);
    let (v, w) = (noise(4, x.len()), noise(5, x.len()));

    let (mut y, mut tangent) = (x.to_vec(), v.clone());
    forward(&mut y, &mut tangent);
    agree("value of forward", &y, &expected, 1e-13);
    agree("tangent, by differences", &tangent, &along(run, x, &v), f64::SLACK);

    let (mut y, mut adjoint) = (x.to_vec(), w.clone());
    reverse(&mut y, &mut adjoint);
    agree("value of reverse", &y, &expected, 1e-13);
    transposes(&tangent, &w, &v, &adjoint, f64::ROUNDING);
}

/// A scalar function of what owns memory: `forward(x, dx) -> (y, dy)`, `reverse(x, &mut dx, dy) -> y`. `floats` gives every float of a value, in an order
/// that is the same for equal structure.
#[track_caller]
pub fn owned<T: cotangent::Shadow, R: Real>(
    mut x: T,
    primal: impl Fn(&T) -> R,
    forward: impl Fn(&T, &T) -> (R, R),
    reverse: impl Fn(&T, &mut T, R) -> R,
    floats: impl Fn(&mut T) -> Vec<&mut R>,
) {
    let y = primal(&x).value();
    let read = |shadow: &mut T| -> Vec<f64> { floats(shadow).iter().map(|v| v.value()).collect() };
    let mut shadow = cotangent::zeroed(&x);
    agree("value of reverse", &[reverse(&x, &mut shadow, R::of(1.0)).value()], &[y], R::ROUNDING);
    let adjoint = read(&mut shadow);
    reverse(&x, &mut shadow, R::of(-0.75));
    let expected: Vec<f64> = adjoint.iter().map(|a| 0.25 * a).collect();
    agree("adjoints are added to the shadow and scale with the seed", &read(&mut shadow), &expected, R::ROUNDING);

    for (i, slope) in adjoint.iter().enumerate() {
        let mut direction = cotangent::zeroed(&x);
        *floats(&mut direction)[i] = R::of(1.0);
        let (value, tangent) = forward(&x, &direction);
        agree("value of forward", &[value.value()], &[y], R::ROUNDING);
        agree(&format!("tangent of float {i}, by the adjoint"), &[tangent.value()], &[*slope], 100.0 * R::ROUNDING);
        let before = floats(&mut x)[i].value();
        let mut at = |by: f64| {
            *floats(&mut x)[i] = R::of(before + by);
            primal(&x).value()
        };
        let h = R::SMALL_STEP * before.abs().max(1.0);
        let [a, b, c, d] = [at(2.0 * h), at(h), at(-h), at(-2.0 * h)];
        at(0.0);
        let difference = (8.0 * (b - c) - (a - d)) / (12.0 * h);
        agree(&format!("adjoint of float {i}, by differences"), &[*slope], &[difference], R::SLACK * (1.0 + y.abs()));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn right_derivatives_pass() {
        super::scalar(0.4f64, |x| x * x, |x, v| (x * x, 2.0 * x * v), |x, w| (x * x, 2.0 * x * w));
        super::in_place(
            &[0.5, 2.0],
            |x| x[0] *= x[1],
            |x, v| {
                v[0] = v[0] * x[1] + x[0] * v[1];
                x[0] *= x[1];
            },
            |x, w| {
                w[1] += w[0] * x[0];
                w[0] *= x[1];
                x[0] *= x[1];
            },
        );
    }

    #[test]
    #[should_panic(expected = "by differences")]
    fn a_wrong_tangent_fails() {
        super::scalar(0.4f64, |x| x * x, |x, v| (x * x, 2.1 * x * v), |x, w| (x * x, 2.1 * x * w));
    }

    #[test]
    #[should_panic(expected = "are added")]
    fn overwritten_adjoints_fail() {
        super::functional(
            &[0.5f64, 2.0],
            |x| x[0] * x[1],
            |x, v| (x[0] * x[1], v[0] * x[1] + x[0] * v[1]),
            |x, d, w| {
                (d[0], d[1]) = (w * x[1], w * x[0]);
                x[0] * x[1]
            },
        );
    }

    #[test]
    #[should_panic(expected = "forward and reverse disagree")]
    fn a_lost_term_fails() {
        super::in_place(
            &[0.5, 2.0],
            |x| x[0] *= x[1],
            |x, v| {
                v[0] = v[0] * x[1] + x[0] * v[1];
                x[0] *= x[1];
            },
            |x, w| {
                w[0] *= x[1];
                x[0] *= x[1];
            },
        );
    }
}
