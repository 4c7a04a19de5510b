//! Whole Jacobians.

use super::gradient::thunk_in_place;
use super::{Real, WIDTH};
use crate::__private::__ct_reverse;
use crate::tape::Frame;

/// The Jacobian of `f` at `x`: `m` rows of `x.len()` numbers, row after row.
///
/// `f` writes its `m` results to the slice that it is given as second argument, which is zero when `f` is called. With fewer
/// results than variables each row is a reverse sweep, otherwise the columns are forward sweeps, several in one.
///
/// ```
/// use cotangent::jacobian;
///
/// let polar = |p: &[f64], xy: &mut [f64]| {
///     xy[0] = p[0] * p[1].cos();
///     xy[1] = p[0] * p[1].sin();
/// };
/// let j = jacobian(polar, &[2.0, 0.0], 2);
/// assert_eq!(j, [1.0, 0.0, 0.0, 2.0]);
/// ```
///
/// # Panics
/// If the Jacobian is larger than the address space, and where `f` does.
#[inline]
#[track_caller]
pub fn jacobian<T: Real, F: Fn(&[T], &mut [T])>(f: F, x: &[T], m: usize) -> Vec<T> {
    let size = m.checked_mul(x.len()).expect("the Jacobian is larger than the address space");
    let mut j = vec![T::default(); size];
    if m < x.len() {
        by_rows(&f, x, m, &mut j);
    } else {
        by_columns(&f, x, m, &mut j);
    }
    j
}

/// One reverse sweep for each result. `j` is zero.
fn by_rows<T: Real, F: Fn(&[T], &mut [T])>(f: &F, x: &[T], m: usize, j: &mut [T]) {
    let frame = Frame::new();
    let (y, seed) = (frame.zeros::<T>(m), frame.zeros::<T>(m));
    for (i, row) in j.chunks_exact_mut(x.len()).enumerate() {
        seed.fill(T::default());
        seed[i] = T::ONE;
        pulled_back(f, x, seed, y, row);
    }
}

/// A forward sweep for each [`WIDTH`] variables, and one for those that are left over.
fn by_columns<T: Real, F: Fn(&[T], &mut [T])>(f: &F, x: &[T], m: usize, j: &mut [T]) {
    let n = x.len();
    let frame = Frame::new();
    let y = frame.zeros::<T>(m);
    let lanes = if n == 1 { 1 } else { WIDTH };
    let room = |length: usize| core::array::from_fn(|lane| frame.zeros(if lane < lanes { length } else { 0 }));
    let (mut directions, mut columns): ([&mut [T]; WIDTH], [&mut [T]; WIDTH]) = (room(n), room(m));
    let mut first = 0;
    while first < n {
        let used = WIDTH.min(n - first);
        for (lane, direction) in directions.iter_mut().take(used).enumerate() {
            direction[first + lane] = T::ONE;
        }
        pushed_forward(f, x, &mut directions, y, &mut columns, used);
        for lane in 0..used {
            directions[lane][first + lane] = T::default();
            for (i, &entry) in columns[lane].iter().enumerate() {
                j[i * n + first + lane] = entry;
            }
        }
        first += used;
    }
}

/// Writes the Jacobian times the first `used` directions to as many products; `y` is room for the results.
///
/// With more than one, all directions have the length of `x` and all products that of `y`.
pub(crate) fn pushed_forward<T: Real, F: Fn(&[T], &mut [T])>(
    f: &F,
    x: &[T],
    directions: &mut [&mut [T]; WIDTH],
    y: &mut [T],
    products: &mut [&mut [T]; WIDTH],
    used: usize,
) {
    let (n, m) = (x.len(), y.len());
    let lanes = if used == 1 { 1 } else { WIDTH };
    y.fill(T::default());
    for (direction, product) in directions.iter().zip(products.iter_mut()).take(lanes) {
        assert_eq!((direction.len(), product.len()), (n, m), "a direction and its product");
        product.fill(T::default());
    }
    // SAFETY: operands as the requests say: the closure, `x` and the results, each with its tangents and length.
    unsafe {
        if lanes == 1 {
            swept!(thunk_in_place::<T, F>, T::JACOBIAN_COLUMN, f, x, directions, y, products; 0);
        } else {
            swept!(thunk_in_place::<T, F>, T::JACOBIAN_COLUMNS, f, x, directions, y, products; 0 1 2 3);
        }
    }
}

/// Writes the transposed Jacobian times `seed`, which is used up, to `product`; `y` is room for the results.
pub(crate) fn pulled_back<T: Real, F: Fn(&[T], &mut [T])>(
    f: &F,
    x: &[T],
    seed: &mut [T],
    y: &mut [T],
    product: &mut [T],
) {
    assert_eq!((seed.len(), product.len()), (y.len(), x.len()), "a seed and its product");
    y.fill(T::default());
    product.fill(T::default());
    // SAFETY: operands as the request says: the closure, `x` and the results, each with a shadow and its length.
    unsafe {
        __ct_reverse(
            thunk_in_place::<T, F> as *const (),
            T::JACOBIAN_ROW,
            f as *const F,
            x.as_ptr(),
            product.as_mut_ptr(),
            x.len(),
            y.as_mut_ptr(),
            seed.as_mut_ptr(),
            y.len(),
        );
    }
}
