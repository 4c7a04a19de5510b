//! Arrays, tuples and structures of floats by value.

use crate::assert_close;
use cotangent::autodiff;

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
fn mixed(m: Mixed) -> f64 {
    f64::from(m.a) * m.b * m.b
}

#[test]
fn a_structure_may_mix_f32_and_f64() {
    let d = mixed_reverse(Mixed { a: 2.0, b: 3.0 }, 1.0);
    assert_close!((d.a, d.b), (9.0, 12.0));
}

#[autodiff(nested_reverse, Reverse, Active, ActiveOnly)]
fn nested(x: [(f64, [f64; 2]); 2]) -> f64 {
    x[0].0 * x[1].1[0] + x[0].1[1] * x[1].0
}

#[test]
fn nested_values_keep_their_shape() {
    let d = nested_reverse([(1.0, [2.0, 3.0]), (5.0, [7.0, 11.0])], 1.0);
    assert_close!(d, [(7.0, [0.0, 5.0]), (3.0, [1.0, 0.0])]);
}
