//! Aggregates of at most eight bytes, which Rust hands over as one integer, through calls that stay calls.

use crate::functional;
use cotangent::{gradient, jvp};
use nalgebra::Vector2;

fn single([v]: [f64; 1], depth: u32) -> [f64; 1] {
    if depth == 0 {
        return [v];
    }
    let [w] = single([v * 0.5], depth - 1);
    [w + v.sin()]
}

fn even(v: [f64; 1], depth: u32) -> [f64; 1] {
    if depth == 0 { v } else { odd([v[0].sin()], depth - 1) }
}
fn odd(v: [f64; 1], depth: u32) -> [f64; 1] {
    let [w] = even(v, depth - 1);
    [w * v[0]]
}

fn doubled(bits: u64, times: u32) -> u64 {
    if times == 0 { bits } else { (f64::from_bits(doubled(bits, times - 1)) * 2.0).to_bits() }
}

functional! {
    fn the_bits_of_a_float(x: &[f64]) -> f64 { f64::from_bits(doubled(x[0].to_bits(), 3)) * x[1] } at [0.4, 1.2];

    fn an_array_of_one_float(x: &[f64]) -> f64 { single([x[0]], 4)[0] * x[1] } at [0.4, 1.2];

    fn an_array_of_one_float_through_mutual_recursion(x: &[f64]) -> f64 { even([x[0]], 4)[0] } at [0.4];
}

fn pair([a, b]: [f32; 2], depth: u32) -> [f32; 2] {
    if depth == 0 {
        return [a, b];
    }
    let [c, d] = pair([a * 0.5, b + a], depth - 1);
    [c + 1.0, d]
}

fn vector(v: Vector2<f32>, depth: u32) -> Vector2<f32> {
    if depth == 0 { v } else { vector(Vector2::new(v.y, v.x * v.x), depth - 1) * 2.0 }
}

#[derive(Clone, Copy)]
struct Record {
    value: f32,
    key: u16,
    flag: bool,
}

fn record(r: Record, depth: u32) -> Record {
    if depth == 0 {
        return r;
    }
    let next = record(Record { value: r.value * r.value, key: r.key + 1, flag: !r.flag }, depth - 1);
    Record { value: if next.flag { next.value * f32::from(next.key) } else { next.value }, ..next }
}

/// Gradient and tangents of a function through `f32`, against what they are.
fn expect(f: fn(&[f64]) -> f64, x: &[f64], expected: &[f64]) {
    let reverse = gradient(f, x);
    let forward = |i: usize| jvp(f, x, &(0..x.len()).map(|k| f64::from(k == i)).collect::<Vec<f64>>()).1;
    for (i, expected) in expected.iter().enumerate() {
        for found in [reverse[i], forward(i)] {
            assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{i}: {found} in place of {expected}");
        }
    }
}

#[test]
fn an_array_of_two_narrow_floats() {
    fn f(x: &[f64]) -> f64 {
        let [a, b] = pair([x[0] as f32, x[1] as f32], 2);
        f64::from(a) * f64::from(b)
    }
    // a = x0 / 4 + 2, b = x1 + 3/2 x0
    expect(f, &[0.5, 1.25], &[0.25 * 2.0 + 1.5 * 2.125, 2.125]);
}

#[test]
fn a_vector_of_two_narrow_floats() {
    fn f(x: &[f64]) -> f64 {
        let v = vector(Vector2::new(x[0] as f32, x[1] as f32), 2);
        f64::from(v.x) + 3.0 * f64::from(v.y)
    }
    // (4 x0^2, 4 x1^2)
    expect(f, &[0.5, 1.25], &[8.0 * 0.5, 24.0 * 1.25]);
}

#[test]
fn a_narrow_float_beside_a_number_and_a_flag() {
    fn f(x: &[f64]) -> f64 {
        let r = record(Record { value: x[0] as f32, key: x.len() as u16, flag: x[1] > 0.0 }, 2);
        f64::from(r.value) + f64::from(r.key) * x[1]
    }
    // 16 x0^4 + 4 x1
    expect(f, &[0.5, 1.25], &[64.0 * 0.125, 4.0]);
    // x0^4 + 4 x1: the flag is false again at the end
    expect(f, &[0.5, -1.25], &[4.0 * 0.125, 4.0]);
}
