//! Calls through pointers and methods of objects that callers hand in, of which a program has more than a hundred.

use cotangent::autodiff;

trait Curve {
    fn at(&self, x: f64) -> f64;
}

struct Wave<const N: usize>(f64);

impl<const N: usize> Curve for Wave<N> {
    fn at(&self, x: f64) -> f64 {
        (self.0 * x + N as f64).cos()
    }
}

fn wave<const N: usize>(frequency: f64) -> Box<dyn Curve> {
    Box::new(Wave::<N>(frequency))
}

fn sine<const N: usize>(x: f64) -> f64 {
    (x * (N + 1) as f64).sin()
}

/// One function of each number below 120.
macro_rules! all {
    ($name:ident as $ty:ty) => { all!(@tens $name $ty, 0 10 20 30 40 50 60 70 80 90 100 110) };
    (@tens $name:ident $ty:ty, $($n:literal)*) => { [$(all!(@ten $name $ty, $n)),*].concat() };
    (@ten $name:ident $ty:ty, $n:literal) => { all!(@units $name $ty, $n: 0 1 2 3 4 5 6 7 8 9) };
    (@units $name:ident $ty:ty, $n:literal: $($m:literal)*) => { [$($name::<{ $n + $m }> as $ty),*] };
}

#[autodiff(d_of_functions, Reverse, Const, Duplicated, Active)]
#[autodiff(t_of_functions, Forward, Const, Dual, Dual)]
fn of_functions(all: &[fn(f64) -> f64], x: &[f64]) -> f64 {
    all.iter().zip(x).map(|(function, v)| function(*v)).sum()
}

#[autodiff(d_of_objects, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(t_of_objects, Forward, Dual, Dual, Dual)]
fn of_objects(all: &[Box<dyn Curve>], x: &[f64]) -> f64 {
    all.iter().zip(x).map(|(curve, v)| curve.at(*v)).sum()
}

fn points(count: usize) -> Vec<f64> {
    (0..count).map(|i| 0.3 + 0.001 * i as f64).collect()
}

#[test]
fn a_pointer_may_be_any_of_more_than_a_hundred_functions() {
    let all = all!(sine as fn(f64) -> f64);
    let (x, ones, mut shadow) = (points(all.len()), vec![1.0; all.len()], vec![0.0; all.len()]);
    assert!(all.len() > 100);
    d_of_functions(&all, &x, &mut shadow, 1.0);
    let slope = |(n, v): (usize, &f64)| (n + 1) as f64 * (v * (n + 1) as f64).cos();
    let by_hand: Vec<f64> = x.iter().enumerate().map(slope).collect();
    for (reverse, by_hand) in shadow.iter().zip(&by_hand) {
        assert!((reverse - by_hand).abs() < 1e-12 * (1.0 + by_hand.abs()), "{reverse} {by_hand}");
    }
    let (_, tangent) = t_of_functions(&all, &x, &ones);
    assert!((tangent - by_hand.iter().sum::<f64>()).abs() < 1e-9);
}

#[test]
fn an_object_may_be_any_of_more_than_a_hundred_kinds() {
    let makers = all!(wave as fn(f64) -> Box<dyn Curve>);
    let x = points(makers.len());
    let made = |frequency: f64| -> Vec<Box<dyn Curve>> { makers.iter().map(|make| make(frequency)).collect() };
    let (all, mut shadows, mut shadow) = (made(1.5), made(0.0), vec![0.0; x.len()]);
    assert!(all.len() > 100);
    d_of_objects(&all, &mut shadows, &x, &mut shadow, 1.0);
    for (n, v) in x.iter().enumerate() {
        let sine = (1.5 * v + n as f64).sin();
        assert!((shadow[n] + 1.5 * sine).abs() < 1e-12, "{n}: {} {}", shadow[n], -1.5 * sine);
        // The adjoint of its frequency is the frequency of the shadow.
        let moved = shadows[n].at(1.0);
        assert!((moved - (n as f64 - v * sine).cos()).abs() < 1e-12, "{n}: {moved}");
    }
    let (_, tangent) = t_of_objects(&all, &made(1.0), &x, &vec![0.0; x.len()]);
    let by_hand: f64 = x.iter().enumerate().map(|(n, v)| -v * (1.5 * v + n as f64).sin()).sum();
    assert!((tangent - by_hand).abs() < 1e-9, "{tangent} {by_hand}");
}
