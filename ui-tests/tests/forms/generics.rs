//! Generic functions: types, constants, lifetimes, where clauses.

use std::fmt::Debug;
use std::ops::{Add, Mul};

use cotangent::{FloatData, autodiff};

#[autodiff(Reverse, Active, Active)]
fn square<T: Copy + Mul<Output = T>>(x: T) -> T {
    x * x
}

#[autodiff(d_sum, Reverse, Active, Active)]
fn sum<T, const N: usize>(x: [T; N]) -> T
where
    T: FloatData + Add<Output = T>,
{
    let mut sum = x[0];
    for i in 1..N {
        sum = sum + x[i];
    }
    sum
}

#[test]
fn types_and_constants() {
    assert_eq!(d_square(3.0f64, 1.0), (9.0, 6.0));
    assert_eq!(d_square(3.0f32, 1.0), (9.0, 6.0));
    assert_eq!(d_sum([1.0, 2.0, 3.0], 2.0), (6.0, [2.0; 3]));
}

#[autodiff(d_apply, Reverse, Const, Active, Active)]
fn apply<F>(f: F, x: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    f(x) * x
}

#[autodiff(d_describe, Reverse, Const, Const, Active, Active)]
fn describe<D: ?Sized + Debug>(what: &D, label: &str, x: f64) -> f64 {
    if label.is_empty() { x } else { 2.0 * x + (size_of_val(what) as f64) }
}

#[test]
fn functions_and_unsized_types_as_constants() {
    let k = 5.0;
    assert_eq!(d_apply(|x| k * x, 2.0, 1.0), (20.0, 20.0));
    assert_eq!(d_describe("four", "label", 1.0, 1.0), (6.0, 2.0));
    assert_eq!(d_describe(&[0u8; 3][..], "", 1.0, 1.0), (1.0, 1.0));
}

#[autodiff(d_first_negative, Reverse, Duplicated, Const)]
#[autodiff(t_first_negative, Forward, Dual, Const)]
fn first_negative(x: &mut [f64]) -> &f64 {
    x[0] = -x[0];
    &x[0]
}

struct View<'a> {
    data: &'a [f64],
}

#[autodiff(d_borrowing, Reverse, Const, Duplicated, Active)]
fn borrowing<'a>(view: View<'a>, x: &'a [f64]) -> f64
where
    'a: 'a,
{
    view.data[0] * x[0]
}

#[autodiff(d_elided, Reverse, Const, Active, Active)]
fn elided(view: View<'_>, x: f64) -> f64 {
    view.data[0] * x
}

#[test]
fn lifetimes() {
    let (mut x, mut dx) = ([2.0], [0.0]);
    assert_eq!(*d_first_negative(&mut x, &mut dx), -2.0);
    assert_eq!(*t_first_negative(&mut x, &mut dx), 2.0);
    let mut dx = [0.0];
    assert_eq!(d_borrowing(View { data: &[3.0] }, &[2.0], &mut dx, 1.0), 6.0);
    assert_eq!(dx, [3.0]);
    assert_eq!(d_elided(View { data: &[3.0] }, 2.0, 1.0), (6.0, 3.0));
}
