//! Records of `f32` beside `f64`, bytes and flags, moved as wholes.
use crate::{assert_close, functional};
use cotangent::{gradient, jvp};

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Mixed {
    kind: u8,
    b: f32,
    c: f64,
    count: u16,
    e: [f32; 3],
    flag: bool,
}

fn made(x: &[f64]) -> Vec<Mixed> {
    let record =
        |v: &f64| Mixed { kind: 1, b: *v as f32, c: v * v, count: 7, e: [1.0, *v as f32, 2.0], flag: *v > 0.6 };
    x.iter().map(record).collect()
}

fn told(all: &[Mixed]) -> f64 {
    let value = |m: &Mixed| {
        let counted = if m.flag { f64::from(m.count) * m.c } else { 0.0 };
        f64::from(m.b * m.e[1]) * m.c * f64::from(m.kind) + counted
    };
    all.iter().map(value).sum()
}

/// d (v^4 + 7 v^2), without the second part where there is no flag.
fn of_one(v: f64) -> f64 {
    4.0 * v.powi(3) + if v > 0.6 { 14.0 * v } else { 0.0 }
}

const X: [f64; 4] = [0.75, 1.25, 0.5, 0.25];

fn check(function: impl Fn(&[f64]) -> f64 + Copy, expected: [f64; 4]) {
    assert_close!(gradient(function, &X), expected);
    for k in 0..4 {
        let mut v = [0.0; 4];
        v[k] = 1.0;
        assert_close!(jvp(function, &X, &v).1, expected[k]);
    }
}

#[test]
fn a_record_swapped_with_one_of_another_slice() {
    let swapped = |x: &[f64]| {
        let mut all = made(x);
        let (left, right) = all.split_at_mut(2);
        std::mem::swap(&mut left[0], &mut right[0]);
        told(&all)
    };
    check(swapped, X.map(of_one));
}

#[test]
fn a_record_made_of_the_rest_of_another() {
    let updated = |x: &[f64]| {
        let mut all = made(x);
        let b = all[2];
        all[1] = Mixed { c: b.c * 2.0, ..b };
        told(&all)
    };
    // The third one's values, but for twice its `c`, in the second's place.
    check(updated, [of_one(0.75), 0.0, 3.0 * of_one(0.5), of_one(0.25)]);
}

#[test]
fn records_taken_replaced_and_pushed() {
    let pushed = |x: &[f64]| {
        let mut all = made(x);
        let old = std::mem::take(&mut all[0]);
        let new = std::mem::replace(&mut all[1], old);
        all.push(new);
        told(&all)
    };
    check(pushed, X.map(of_one));
}

#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed {
    kind: u8,
    narrow: f32,
    wide: f64,
}

/// `d (v · sin v · i)`, with `v` as an `f32` in the first factor.
fn of_packed(v: f64, i: f64) -> f64 {
    i * (v.sin() + f64::from(v as f32) * v.cos())
}

#[test]
fn vectors_of_packed_records_grow_with_their_adjoints() {
    let grown = |x: &[f64]| {
        let mut all = vec![];
        for _ in 0..3 {
            x.iter().for_each(|v| all.push(Packed { kind: 1, narrow: *v as f32, wide: v.sin() }));
        }
        let value = |p: &Packed| f64::from(p.narrow) * p.wide * f64::from(p.kind);
        all.iter().zip(1..).map(|(p, i)| value(p) * f64::from(i)).sum()
    };
    let expected = [0, 1, 2, 3].map(|k| of_packed(X[k], (3 * k + 15) as f64));
    let close = |found: &[f64]| found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= 1e-6 * e.abs());
    let found = gradient(grown, &X);
    assert!(close(&found), "{found:?} {expected:?}");
    let found: Vec<f64> =
        (0..4).map(|k| jvp(grown, &X, &[0, 1, 2, 3].map(|i| f64::from(u8::from(i == k)))).1).collect();
    assert!(close(&found), "{found:?} {expected:?}");
}

struct Weighted {
    wide: f64,
    count: usize,
    narrow: f32,
}

/// A factor with bits everywhere.
fn factor(i: usize) -> f64 {
    ((i + 1) as f64).sqrt()
}

#[test]
fn what_a_growing_vector_moves_keeps_every_bit() {
    let x: Vec<f64> = (0..3000).map(|i| 1.0 + f64::from(i) * 1e-3).collect();
    let grown = |x: &[f64]| {
        let mut all = vec![];
        for (count, v) in x.iter().enumerate() {
            all.push(Weighted { wide: *v, count, narrow: 0.5 });
        }
        all.iter().map(|w| w.wide * factor(w.count) + f64::from(w.narrow)).sum()
    };
    let expected: Vec<f64> = (0..x.len()).map(factor).collect();
    assert_eq!(gradient(grown, &x), expected);
}

#[inline(never)]
fn put<T>(list: &mut Vec<T>, item: T) -> usize {
    list.push(item);
    list.len()
}

#[inline(never)]
fn exchange<T>(list: &mut [T], i: usize, j: usize) {
    let (left, right) = list.split_at_mut(j);
    std::mem::swap(&mut left[i], &mut right[0]);
}

#[inline(never)]
fn take<T: Copy>(list: &[T], i: usize) -> T {
    list[i]
}

functional! {
    fn generic_helpers_that_stay_calls_move_short_floats_and_numbers_of_their_size(x: &[f32]) -> f32 {
        let (mut pairs, mut numbers) = (Vec::<[f32; 2]>::new(), Vec::<u64>::new());
        let (mut tuples, mut numbered) = (Vec::<(f32, f32)>::new(), Vec::<(u32, f32)>::new());
        let mut sum = 0.0;
        for i in 0..4 {
            let length = put(&mut pairs, [x[i], x[i + 1]])
                + put(&mut numbers, i as u64)
                + put(&mut tuples, (x[i + 1], x[i] * x[i]))
                + put(&mut numbered, (i as u32, x[i]));
            sum += length as f32 * 0.01 * x[i];
        }
        exchange(&mut pairs, 0, 2);
        exchange(&mut numbers, 0, 2);
        exchange(&mut tuples, 0, 2);
        exchange(&mut numbered, 0, 2);
        for i in 0..4 {
            let (pair, tuple, (power, base)) = (take(&pairs, i), take(&tuples, i), take(&numbered, i));
            sum += pair[0] * pair[1] * (take(&numbers, i) + 1) as f32 + tuple.0 * tuple.1 + base.powi(power as i32);
        }
        sum
    } at [0.3, 0.37, 0.44, 0.51, 0.58];
}
