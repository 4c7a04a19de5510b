//! What a matrix is known by: its products.

use crate::Real;
use crate::closure::{WIDTH, gradient_products, pulled_back, pushed_forward};
use crate::tape::Frame;

/// Room for as many directions as one sweep takes, and for their products.
pub(super) struct Lanes<'a, T> {
    pub(super) directions: [&'a mut [T]; WIDTH],
    pub(super) products: [&'a mut [T]; WIDTH],
    /// What the function itself leaves.
    work: &'a mut [T],
}

impl<'a, T: Real> Lanes<'a, T> {
    pub(super) fn new(frame: &'a Frame, operator: &impl Operator<T>) -> Lanes<'a, T> {
        let lanes = operator.lanes(WIDTH);
        let room = |length: usize| core::array::from_fn(|lane| frame.zeros(if lane < lanes { length } else { 0 }));
        Lanes {
            directions: room(operator.inputs()),
            products: room(operator.outputs()),
            work: frame.zeros(operator.work()),
        }
    }
}

/// A matrix at a point, as a sweep applies it.
pub(super) trait Operator<T> {
    /// Length of a direction.
    fn inputs(&self) -> usize;
    /// Length of a product.
    fn outputs(&self) -> usize;
    /// Length of what the function leaves.
    fn work(&self) -> usize;
    /// How many directions to take into the next sweep, where so many are left.
    fn lanes(&self, left: usize) -> usize;
    /// Makes the first `used` products of the first `used` directions, which may be changed.
    fn apply(&self, lanes: &mut Lanes<T>, used: usize);
}

/// The Jacobian of a function with so many results, by forward sweeps.
pub(super) struct Jacobian<'a, T, F> {
    pub(super) f: &'a F,
    pub(super) x: &'a [T],
    pub(super) results: usize,
}

impl<T: Real, F: Fn(&[T], &mut [T])> Operator<T> for Jacobian<'_, T, F> {
    fn inputs(&self) -> usize {
        self.x.len()
    }
    fn outputs(&self) -> usize {
        self.results
    }
    fn work(&self) -> usize {
        self.results
    }
    fn lanes(&self, left: usize) -> usize {
        left.min(WIDTH)
    }
    fn apply(&self, lanes: &mut Lanes<T>, used: usize) {
        pushed_forward(self.f, self.x, &mut lanes.directions, lanes.work, &mut lanes.products, used);
    }
}

/// The transposed Jacobian, by reverse sweeps.
pub(super) struct Transposed<'a, T, F> {
    pub(super) f: &'a F,
    pub(super) x: &'a [T],
    pub(super) results: usize,
}

impl<T: Real, F: Fn(&[T], &mut [T])> Operator<T> for Transposed<'_, T, F> {
    fn inputs(&self) -> usize {
        self.results
    }
    fn outputs(&self) -> usize {
        self.x.len()
    }
    fn work(&self) -> usize {
        self.results
    }
    fn lanes(&self, _left: usize) -> usize {
        1
    }
    fn apply(&self, lanes: &mut Lanes<T>, _used: usize) {
        pulled_back(self.f, self.x, lanes.directions[0], lanes.work, lanes.products[0]);
    }
}

/// The Hessian, by forward sweeps over the gradient.
pub(super) struct Hessian<'a, T, F> {
    pub(super) f: &'a F,
    pub(super) x: &'a [T],
}

impl<T: Real, F: Fn(&[T]) -> T> Operator<T> for Hessian<'_, T, F> {
    fn inputs(&self) -> usize {
        self.x.len()
    }
    fn outputs(&self) -> usize {
        self.x.len()
    }
    fn work(&self) -> usize {
        self.x.len()
    }
    fn lanes(&self, left: usize) -> usize {
        left.min(WIDTH)
    }
    fn apply(&self, lanes: &mut Lanes<T>, used: usize) {
        gradient_products(self.f, self.x, &mut lanes.directions, lanes.work, &mut lanes.products, used);
    }
}
