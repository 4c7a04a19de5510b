//! Checks of functions of a few common signatures, with derivatives that somebody wrote or that an attribute made.

use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;

use super::builder::Check;
use super::floats::Floats;
use super::problem::{Forward, Layout, Problem, Pullback, Pushforward, Reverse, Second};
use super::random::Random;
use crate::Real;

/// The float types that functions under check work in: `f32` and `f64`.
pub trait Float: Real + Floats + sealed::Convert {}

impl Float for f32 {}
impl Float for f64 {}

pub(super) mod sealed {
    /// To and from the numbers of a check.
    pub trait Convert: Sized {
        const SINGLE: bool;
        fn from_number(value: f64) -> Self;
        fn number(self) -> f64;
    }

    impl Convert for f32 {
        const SINGLE: bool = true;
        fn from_number(value: f64) -> f32 {
            value as f32
        }
        fn number(self) -> f64 {
            f64::from(self)
        }
    }

    impl Convert for f64 {
        const SINGLE: bool = false;
        fn from_number(value: f64) -> f64 {
            value
        }
        fn number(self) -> f64 {
            self
        }
    }
}

/// In [`Check`]: a function of one number, `fn(T) -> T`.
#[derive(Debug)]
pub struct OfNumber<T>(PhantomData<T>);

/// In [`Check`]: a function of a slice, `fn(&[T]) -> T`.
#[derive(Debug)]
pub struct OfSlice<T>(PhantomData<T>);

/// In [`Check`]: a function that writes its results, `fn(&[T], &mut [T])`.
#[derive(Debug)]
pub struct InPlace<T>(PhantomData<T>);

/// What a reverse derivative of a function of a slice returns: the value, or nothing.
pub trait MaybeValue<T> {
    /// The value, where there is one.
    fn value_or_none(self) -> Option<T>;
}

impl<T: Float> MaybeValue<T> for () {
    fn value_or_none(self) -> Option<T> {
        None
    }
}

/// What a derivative of one number returns: value and derivative, or the derivative alone.
pub trait MaybeWithValue<T> {
    /// The value, where there is one, and the derivative.
    fn split(self) -> (Option<T>, T);
}

impl<T: Float> MaybeWithValue<T> for (T, T) {
    fn split(self) -> (Option<T>, T) {
        (Some(self.0), self.1)
    }
}

macro_rules! alone {
    ($($float:ty)*) => {$(
        impl MaybeValue<$float> for $float {
            fn value_or_none(self) -> Option<$float> {
                Some(self)
            }
        }

        impl MaybeWithValue<$float> for $float {
            fn split(self) -> (Option<$float>, $float) {
                (None, self)
            }
        }
    )*};
}
alone!(f32 f64);

pub(super) fn to<T: Float>(list: &[f64]) -> Vec<T> {
    list.iter().map(|number| T::from_number(*number)).collect()
}

pub(super) fn from<T: Float>(list: &[T]) -> Vec<f64> {
    list.iter().map(|number| number.number()).collect()
}

fn first<T: Float>(list: &[f64]) -> T {
    T::from_number(list.first().copied().unwrap_or(f64::NAN))
}

/// A function of one number.
///
/// ```
/// use cotangent::{autodiff, check};
///
/// #[autodiff(d_wave, Reverse, Active, Active)]
/// #[autodiff(b_wave, Forward, Dual, Dual)]
/// fn wave(t: f64) -> f64 {
///     t.sin() * t
/// }
///
/// check::scalar(wave).reverse(d_wave).forward(b_wave).at(0.3).at(-2.0).assert();
/// check::scalar(|t: f64| t * t).derivative(|t| 2.0 * t).at(0.7).assert();
/// ```
pub fn scalar<'a, T: Float>(f: impl Fn(T) -> T + 'a) -> Check<'a, OfNumber<T>> {
    let inputs = Layout::Number { name: "x", single: T::SINGLE };
    let outputs = Layout::Number { name: "y", single: T::SINGLE };
    Check::new(Problem::new(inputs, outputs, move |x| vec![f(first(x)).number()]))
}

/// A function of a slice.
///
/// Name at least one derivative.
///
/// ```
/// use cotangent::{autodiff, check};
///
/// #[autodiff(d_energy, Reverse, Duplicated, Const, Active)]
/// fn energy(x: &[f64], k: f64) -> f64 {
///     x.windows(2).map(|w| k * (w[1] - w[0]) * (w[1] - w[0])).sum()
/// }
///
/// let k = 2.0;
/// check::function(|x| energy(x, k)).reverse(|x, dx, dy| d_energy(x, dx, k, dy)).at(&[1.0, 3.0, 2.0]).assert();
/// ```
pub fn function<'a, T: Float>(f: impl Fn(&[T]) -> T + 'a) -> Check<'a, OfSlice<T>> {
    let inputs = Layout::Slice { name: "x", single: T::SINGLE };
    let outputs = Layout::Number { name: "y", single: T::SINGLE };
    Check::new(Problem::new(inputs, outputs, move |x| vec![f(&to(x)).number()]))
}

/// A function that writes `m` results to its second argument, which is zero when it is called.
///
/// ```
/// use cotangent::{autodiff, check};
///
/// #[autodiff(d_polar, Reverse, Duplicated, Duplicated)]
/// #[autodiff(b_polar, Forward, Dual, Dual)]
/// fn polar(p: &[f64], xy: &mut [f64]) {
///     xy[0] = p[0] * p[1].cos();
///     xy[1] = p[0] * p[1].sin();
/// }
///
/// check::map(polar, 2).reverse(d_polar).forward(b_polar).at(&[2.0, 0.4]).assert();
/// ```
pub fn map<'a, T: Float>(f: impl Fn(&[T], &mut [T]) + 'a, m: usize) -> Check<'a, InPlace<T>> {
    let inputs = Layout::Slice { name: "x", single: T::SINGLE };
    let outputs = Layout::Slice { name: "y", single: T::SINGLE };
    Check::new(Problem::new(inputs, outputs, move |x| {
        let mut y = vec![T::default(); m];
        f(&to(x), &mut y);
        from(&y)
    }))
}

impl<'a, S> Check<'a, S> {
    /// `base`, or `base` with a number where it is taken.
    pub(super) fn fresh(&self, base: &str) -> String {
        let names = self.problem.reverse.iter().map(|d| &d.name).chain(self.problem.forward.iter().map(|d| &d.name));
        let names = names.chain(self.problem.second.iter().map(|d| &d.name));
        let taken = names.filter(|name| name.split(" #").next() == Some(base)).count();
        if taken == 0 { base.to_owned() } else { format!("{base} #{}", taken + 1) }
    }

    pub(super) fn push_reverse(
        mut self,
        name: &str,
        (seeded, adds): (bool, bool),
        call: impl Fn(&[f64], &[f64], &[f64]) -> Pullback + 'a,
    ) -> Self {
        let name = self.fresh(name);
        self.problem.reverse.push(Reverse { name, call: Box::new(call), seeded, adds });
        self
    }

    pub(super) fn push_forward(
        mut self,
        name: &str,
        seeded: bool,
        call: impl Fn(&[f64], &[f64]) -> (Vec<Option<f64>>, Vec<f64>) + 'a,
    ) -> Self {
        let name = self.fresh(name);
        let call = move |x: &[f64], directions: &[Vec<f64>]| {
            let (value, tangent) = call(x, &directions[0]);
            Pushforward { value, tangents: vec![tangent], inputs: Vec::new() }
        };
        self.problem.forward.push(Forward { name, width: 1, call: Box::new(call), seeded });
        self
    }

    pub(super) fn push_second(
        mut self,
        name: &str,
        seeded: bool,
        product: impl Fn(&[f64], &[f64]) -> Vec<f64> + 'a,
    ) -> Self {
        let name = self.fresh(name);
        self.problem.second.push(Second { name, product: Box::new(product), seeded });
        self
    }
}

impl<'a, T: Float> Check<'a, OfNumber<T>> {
    /// A derivative as a function of the number alone.
    pub fn derivative(self, derivative: impl Fn(T) -> T + 'a) -> Self {
        self.push_forward("derivative", false, move |x, direction| {
            (Vec::new(), vec![derivative(first(x)).number() * direction[0]])
        })
    }

    /// A derivative in reverse mode, as `#[autodiff(.., Reverse, Active, Active)]` makes it (or with `ActiveOnly`): it is given the
    /// number and the seed.
    pub fn reverse<R: MaybeWithValue<T>>(self, derivative: impl Fn(T, T) -> R + 'a) -> Self {
        self.push_reverse("reverse", (true, false), move |x, seed, _| {
            let (value, adjoint) = derivative(first(x), first(seed)).split();
            Pullback { value: vec![value.map(T::number)], adjoint: vec![adjoint.number()], inputs: Vec::new() }
        })
    }

    /// A derivative in forward mode, as `#[autodiff(.., Forward, Dual, Dual)]` makes it (or with `DualOnly`): it is given the number
    /// and its tangent.
    pub fn forward<R: MaybeWithValue<T>>(self, derivative: impl Fn(T, T) -> R + 'a) -> Self {
        self.push_forward("forward", true, move |x, direction| {
            let (value, tangent) = derivative(first(x), first(direction)).split();
            (vec![value.map(T::number)], vec![tangent.number()])
        })
    }

    /// Adds a point.
    pub fn at(mut self, x: T) -> Self {
        self.points.push(vec![x.number()]);
        self
    }

    /// Adds points.
    pub fn points(mut self, list: impl IntoIterator<Item = T>) -> Self {
        self.points.extend(list.into_iter().map(|x| vec![x.number()]));
        self
    }

    /// Adds `count` random points from a range; they depend on [`seed`](Check::seed), which has to be set before.
    pub fn sample(mut self, count: usize, range: Range<f64>) -> Self {
        self.points.extend(sample(self.settings.seed, count, 1, range));
        self
    }
}

/// `count` points of `n` numbers from `range`.
fn sample(seed: u64, count: usize, n: usize, range: Range<f64>) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed).fork(0x5a3b);
    let mut number = || range.start + (range.end - range.start) * random.unit();
    (0..count).map(|_| (0..n).map(|_| number()).collect()).collect()
}

impl<'a, T: Float> Check<'a, OfSlice<T>> {
    /// A gradient as a function that returns it.
    pub fn gradient(self, gradient: impl Fn(&[T]) -> Vec<T> + 'a) -> Self {
        self.push_reverse("gradient", (false, false), move |x, seed, _| {
            let seed = seed.first().copied().unwrap_or(f64::NAN);
            let adjoint = gradient(&to(x)).iter().map(|g| g.number() * seed).collect();
            Pullback { value: Vec::new(), adjoint, inputs: Vec::new() }
        })
    }

    /// A derivative in reverse mode, as `#[autodiff(.., Reverse, Duplicated, Active)]` makes it (or with `ActiveOnly`): it is given
    /// the slice, the shadow to which adjoints are added, and the seed.
    pub fn reverse<R: MaybeValue<T>>(self, derivative: impl Fn(&[T], &mut [T], T) -> R + 'a) -> Self {
        self.push_reverse("reverse", (true, true), move |x, seed, shadow| {
            let (x, mut shadow) = (to::<T>(x), to::<T>(shadow));
            let value = derivative(&x, &mut shadow, first(seed)).value_or_none();
            Pullback { value: vec![value.map(T::number)], adjoint: from(&shadow), inputs: from(&x) }
        })
    }

    /// A derivative in forward mode, as `#[autodiff(.., Forward, Dual, Dual)]` makes it (or with `DualOnly`): it is given the slice
    /// and its tangent.
    pub fn forward<R: MaybeWithValue<T>>(self, derivative: impl Fn(&[T], &[T]) -> R + 'a) -> Self {
        self.push_forward("forward", true, move |x, direction| {
            let (value, tangent) = derivative(&to(x), &to(direction)).split();
            (vec![value.map(T::number)], vec![tangent.number()])
        })
    }

    /// A Hessian, row after row. It is compared with the first [`gradient`](Check::gradient) or [`reverse`](Check::reverse) that is
    /// given, too.
    pub fn hessian(self, hessian: impl Fn(&[T]) -> Vec<T> + 'a) -> Self {
        let seen = Rc::new(std::cell::RefCell::new((Vec::new(), Vec::new())));
        self.push_second("hessian", false, move |x, direction| {
            let mut seen = seen.borrow_mut();
            if seen.0 != x {
                *seen = (x.to_vec(), from(&hessian(&to(x))));
            }
            times(&seen.1, direction)
        })
    }

    /// Products of the Hessian with a direction, given the point and the direction. They are compared with the first
    /// [`gradient`](Check::gradient) or [`reverse`](Check::reverse) that is given, too.
    pub fn hvp(self, product: impl Fn(&[T], &[T]) -> Vec<T> + 'a) -> Self {
        self.push_second("hvp", true, move |x, direction| from(&product(&to(x), &to(direction))))
    }
}

/// A matrix with rows as long as `direction`, times it; empty where there are no such rows.
pub(super) fn times(matrix: &[f64], direction: &[f64]) -> Vec<f64> {
    if direction.is_empty() || !matrix.len().is_multiple_of(direction.len()) {
        return Vec::new();
    }
    matrix.chunks_exact(direction.len()).map(|row| super::spot::dot(row, direction)).collect()
}

macro_rules! slice_points {
    ($($signature:ident)*) => {$(
        impl<'a, T: Float> Check<'a, $signature<T>> {
            /// Adds a point.
            pub fn at(mut self, x: &[T]) -> Self {
                self.points.push(from(x));
                self
            }

            /// Adds points.
            pub fn points<P: AsRef<[T]>>(mut self, list: impl IntoIterator<Item = P>) -> Self {
                self.points.extend(list.into_iter().map(|x| from(x.as_ref())));
                self
            }

            /// Adds `count` random points of `n` numbers from a range; they depend on [`seed`](Check::seed), which has to
            /// be set before.
            pub fn sample(mut self, count: usize, n: usize, range: Range<f64>) -> Self {
                self.points.extend(sample(self.settings.seed, count, n, range));
                self
            }
        }
    )*};
}
slice_points!(OfSlice InPlace);

impl<'a, T: Float> Check<'a, InPlace<T>> {
    /// A Jacobian as a function that returns it, row after row: as many numbers for each result as there are variables.
    pub fn jacobian(self, jacobian: impl Fn(&[T]) -> Vec<T> + 'a) -> Self {
        let seen = Rc::new(std::cell::RefCell::new((Vec::new(), Vec::new())));
        self.push_forward("jacobian", false, move |x, direction| {
            let mut seen = seen.borrow_mut();
            if seen.0 != x {
                *seen = (x.to_vec(), from(&jacobian(&to(x))));
            }
            (Vec::new(), times(&seen.1, direction))
        })
    }

    /// A derivative in reverse mode, as `#[autodiff(.., Reverse, Duplicated, Duplicated)]` makes it: it is given the slice and
    /// its shadow, then the results' place and their adjoints.
    pub fn reverse(self, derivative: impl Fn(&[T], &mut [T], &mut [T], &mut [T]) + 'a) -> Self {
        self.push_reverse("reverse", (true, true), move |x, seed, shadow| {
            let (x, mut shadow, mut seed) = (to::<T>(x), to::<T>(shadow), to::<T>(seed));
            let mut y = vec![T::default(); seed.len()];
            derivative(&x, &mut shadow, &mut y, &mut seed);
            Pullback { value: from(&y).into_iter().map(Some).collect(), adjoint: from(&shadow), inputs: from(&x) }
        })
    }

    /// A derivative in forward mode, as `#[autodiff(.., Forward, Dual, Dual)]` makes it: it is given the slice and its tangent,
    /// then the results' place and the place of their tangents.
    pub fn forward(self, derivative: impl Fn(&[T], &[T], &mut [T], &mut [T]) + 'a) -> Self {
        let primal = Rc::clone(&self.problem.primal);
        self.push_forward("forward", true, move |x, direction| {
            let m = primal(x).len();
            let (mut y, mut tangent) = (vec![T::default(); m], vec![T::default(); m]);
            derivative(&to(x), &to(direction), &mut y, &mut tangent);
            (from(&y).into_iter().map(Some).collect(), from(&tangent))
        })
    }
}
