//! Arrays, tuples and structures of floats by value.

use crate::assert_close;
use cotangent::autodiff;
use std::ops::Mul;

#[autodiff(array_reverse, Reverse, Active, Active)]
#[autodiff(array_forward, Forward, Dual, Dual)]
fn array(x: [f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

#[test]
fn an_array_by_value_has_an_array_as_adjoint() {
    assert_close!(array_reverse([2.0, 3.0, 5.0], 1.0), (30.0, [15.0, 10.0, 6.0]));
    assert_close!(array_forward([2.0, 3.0, 5.0], [1.0, 0.0, 1.0]), (30.0, 21.0));
}

#[autodiff(tuple_reverse, Reverse, Active, ActiveOnly)]
#[autodiff(tuple_forward, Forward, Dual, DualOnly)]
fn tuple(x: (f64, f64)) -> f64 {
    x.0 / x.1
}

#[test]
fn a_tuple_by_value_has_a_tuple_as_adjoint() {
    assert_close!(tuple_reverse((3.0, 2.0), 4.0), (2.0, -3.0));
    assert_close!(tuple_forward((3.0, 2.0), (1.0, 1.0)), 0.5 - 0.75);
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
    z: f64,
}

// SAFETY: three floats.
unsafe impl cotangent::FloatData for Point {}

#[autodiff(norm_reverse, Reverse, Active, Active)]
#[autodiff(norm_forward, Forward, Dual, DualOnly)]
fn norm(p: Point) -> f64 {
    (p.x * p.x + p.y * p.y + p.z * p.z).sqrt()
}

#[test]
fn a_structure_by_value_has_a_structure_as_adjoint() {
    let p = Point { x: 2.0, y: 3.0, z: 6.0 };
    let (y, d) = norm_reverse(p, 7.0);
    assert_close!(y, 7.0);
    assert_close!([d.x, d.y, d.z], [2.0, 3.0, 6.0]);
    assert_close!(norm_forward(p, Point { x: 7.0, y: 0.0, z: 0.0 }), 2.0);
}

#[autodiff(rotate_reverse, Reverse, Active, Active, ActiveOnly)]
#[autodiff(rotate_forward, Forward, Dual, Dual, Dual)]
fn rotate(p: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * p[0] - s * p[1], s * p[0] + c * p[1]]
}

#[test]
fn an_array_as_result_takes_an_array_as_seed() {
    let (s, c) = 0.3f64.sin_cos();
    let (dp, dangle) = rotate_reverse([2.0, 5.0], 0.3, [1.0, 10.0]);
    assert_close!(dp, [c + 10.0 * s, -s + 10.0 * c]);
    assert_close!(dangle, (-2.0 * s - 5.0 * c) + 10.0 * (2.0 * c - 5.0 * s));
    let (y, dy) = rotate_forward([2.0, 5.0], [0.0, 0.0], 0.3, 1.0);
    assert_close!(y, [2.0 * c - 5.0 * s, 2.0 * s + 5.0 * c]);
    assert_close!(dy, [-2.0 * s - 5.0 * c, 2.0 * c - 5.0 * s]);
}

#[autodiff(polar_reverse, Reverse, Active, Active, Active)]
#[autodiff(polar_forward, Forward, Dual, Dual, Dual)]
fn polar(r: f64, phi: f64) -> (f64, f64) {
    (r * phi.cos(), r * phi.sin())
}

#[test]
fn a_tuple_as_result_takes_a_tuple_as_seed() {
    let (s, c) = 0.5f64.sin_cos();
    let ((x, y), dr, dphi) = polar_reverse(2.0, 0.5, (1.0, 3.0));
    assert_close!((x, y), (2.0 * c, 2.0 * s));
    assert_close!((dr, dphi), (c + 3.0 * s, -2.0 * s + 6.0 * c));
    assert_close!(polar_forward(2.0, 1.0, 0.5, 0.0), ((2.0 * c, 2.0 * s), (c, s)));
}

#[autodiff(cross_reverse, Reverse, Active, Active, ActiveOnly)]
#[autodiff(cross_forward, Forward, Dual, Dual, Dual)]
fn cross(a: Point, b: Point) -> Point {
    Point { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
}

#[test]
fn a_structure_as_result_takes_a_structure_as_seed() {
    let (a, b, w) =
        (Point { x: 1.0, y: 2.0, z: 3.0 }, Point { x: -1.0, y: 0.5, z: 2.0 }, Point { x: 1.0, y: 10.0, z: 100.0 });
    let (da, db) = cross_reverse(a, b, w);
    // <w, a x b> = <a, b x w> = <b, w x a>
    assert_eq!(da, cross(b, w));
    assert_eq!(db, cross(w, a));
    // w x b + a x w
    let (y, dy) = cross_forward(a, w, b, w);
    let (of_a, of_b) = (cross(w, b), cross(a, w));
    assert_eq!((y, dy), (cross(a, b), Point { x: of_a.x + of_b.x, y: of_a.y + of_b.y, z: of_a.z + of_b.z }));
}

#[autodiff(identity_reverse, Reverse, Active, Active)]
#[autodiff(identity_forward, Forward, Dual, Dual)]
fn identity(x: f64) -> f64 {
    x
}

#[autodiff(constant_reverse, Reverse, Active, Active)]
#[autodiff(constant_forward, Forward, Dual, Dual)]
fn constant(_x: f64) -> f64 {
    4.25
}

#[test]
fn an_input_returned_has_derivative_one_and_a_constant_none() {
    assert_close!(identity_reverse(3.0, 0.5), (3.0, 0.5));
    assert_close!(identity_forward(3.0, 0.5), (3.0, 0.5));
    assert_eq!(constant_reverse(3.0, 0.5), (4.25, 0.0));
    assert_eq!(constant_forward(3.0, 0.5), (4.25, 0.0));
}

#[derive(Clone, Copy)]
struct Mixed {
    a: f32,
    b: f64,
}

// SAFETY: two floats and padding.
unsafe impl cotangent::FloatData for Mixed {}

#[autodiff(mixed_reverse, Reverse, Active, ActiveOnly)]
#[autodiff(mixed_forward, Forward, Dual, Dual)]
fn mixed(m: Mixed) -> f64 {
    f64::from(m.a) * m.b * m.b
}

#[test]
fn a_structure_may_mix_f32_and_f64() {
    let d = mixed_reverse(Mixed { a: 2.0, b: 3.0 }, 1.0);
    assert_close!((d.a, d.b), (9.0, 12.0));
    assert_close!(mixed_forward(Mixed { a: 2.0, b: 3.0 }, Mixed { a: 1.0, b: 10.0 }), (18.0, 129.0));
}

/// Nobody says that it is plain data: what it holds is known once `T` is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair<T> {
    low: f32,
    high: T,
}

#[autodiff(scaled_reverse, Reverse, Active, Active)]
#[autodiff(scaled_forward, Forward, Dual, Dual)]
fn scaled<T: Copy + Mul<Output = T> + From<f32>>(p: Pair<T>) -> Pair<T> {
    Pair { low: p.low * p.low, high: p.high * T::from(p.low) * p.high }
}

#[test]
fn a_generic_structure_with_padding_goes_in_and_comes_out() {
    let p = Pair { low: 2.0, high: 3.0f64 };
    let y = Pair { low: 4.0, high: 18.0 };
    assert_eq!(scaled_reverse(p, Pair { low: 1.0, high: 10.0 }), (y, Pair { low: 94.0, high: 120.0 }));
    assert_eq!(scaled_forward(p, Pair { low: 1.0, high: 0.5 }), (y, Pair { low: 4.0, high: 15.0 }));
    // The same without padding.
    let (p, y) = (Pair { low: 2.0, high: 3.0f32 }, Pair { low: 4.0, high: 18.0f32 });
    assert_eq!(scaled_reverse(p, Pair { low: 1.0, high: 10.0 }), (y, Pair { low: 94.0, high: 120.0 }));
    assert_eq!(scaled_forward(p, Pair { low: 1.0, high: 0.5 }), (y, Pair { low: 4.0, high: 15.0 }));
}

#[autodiff(nested_reverse, Reverse, Active, ActiveOnly)]
#[autodiff(nested_forward, Forward, Dual, Dual)]
fn nested(x: [(f64, [f64; 2]); 2]) -> f64 {
    x[0].0 * x[1].1[0] + x[0].1[1] * x[1].0
}

#[test]
fn nested_values_keep_their_shape() {
    let x = [(1.0, [2.0, 3.0]), (5.0, [7.0, 11.0])];
    let d = nested_reverse(x, 1.0);
    assert_close!(d, [(7.0, [0.0, 5.0]), (3.0, [1.0, 0.0])]);
    // 7 + 5 * 100 + 3 * 1000 + 10000
    assert_close!(nested_forward(x, [(1.0, [10.0, 100.0]), (1e3, [1e4, 1e5])]), (22.0, 13507.0));
}
