//! A function that makes all of its objects itself does not call those of others, whatever these do; one that is handed objects calls these too.
use crate::{assert_close, functional};
use cotangent::{autodiff, gradient, jvp};
use std::hint::black_box;

trait Odd {
    fn first(&mut self, t: f64, a: i8, b: i8) -> f64;
    fn second(&mut self, t: f64, a: i8, b: i8) -> f64;
    fn third(&mut self, t: f64, a: i8, b: i8) -> f64;
}

/// Goes round with the bits of what it is given, which has no derivative.
struct Keeper(u64);

impl Odd for Keeper {
    fn first(&mut self, t: f64, _: i8, _: i8) -> f64 {
        self.0 ^= t.to_bits().rotate_left(3);
        f64::from_bits(self.0 ^ 1)
    }
    fn second(&mut self, t: f64, a: i8, b: i8) -> f64 {
        self.first(t, b, a) + 1.0
    }
    fn third(&mut self, t: f64, a: i8, b: i8) -> f64 {
        self.first(t, b, a) + 2.0
    }
}

#[test]
fn what_others_do_with_bits() {
    let mut keeper: Box<dyn Odd> = black_box(Box::new(Keeper(0)));
    assert_ne!(keeper.first(1.0, 0, 0), keeper.second(2.0, 0, 0) + keeper.third(0.5, 0, 0));
}

type Boxed = Box<dyn FnMut(f64, i8, i8) -> f64>;

functional! {
    fn boxed_closures_are_not_methods_of_another_trait(x: &[f64]) -> f64 {
        let (mut calls, mut total, mut last) = (0usize, x[0], (0u32, 0.0));
        let mut all: Vec<Boxed> = vec![
            Box::new(move |t, _, _| {
                calls += 1;
                total += t;
                total * calls as f64
            }),
            Box::new(move |t, _, _| {
                last.0 += 2;
                last.1 = t * last.1 + t;
                last.1 * f64::from(last.0)
            }),
        ];
        x.iter().map(|value| all.iter_mut().map(|f| f(*value, 1, 2)).product::<f64>()).sum()
    } at [0.3, 0.7, -0.4, 0.9];
}

/// Methods of a type that nothing else here has.
trait Handed {
    fn value(&self, t: f64, _: [u8; 7]) -> f64;
}

struct Own(f64);

struct Other(f64);

impl Handed for Own {
    fn value(&self, t: f64, _: [u8; 7]) -> f64 {
        self.0 * t
    }
}

impl Handed for Other {
    fn value(&self, t: f64, _: [u8; 7]) -> f64 {
        self.0 * t * t
    }
}

/// Calls two objects of its own as well, so that there are some which it knows.
#[autodiff(d_of_reference, Reverse, Const, Duplicated, Active)]
#[autodiff(f_of_reference, Forward, Const, Dual, Dual)]
fn of_reference(handed: &dyn Handed, x: &[f64]) -> f64 {
    let own: Vec<Box<dyn Handed>> = x.iter().map(|v| Box::new(Own(*v)) as Box<dyn Handed>).collect();
    own.iter().map(|o| o.value(x[0], [0; 7])).sum::<f64>() + handed.value(x[1], [0; 7])
}

struct Owner(Box<dyn Handed>);

#[autodiff(d_of_box, Reverse, Const, Active, Active)]
#[autodiff(f_of_box, Forward, Const, Dual, Dual)]
fn of_box(handed: &Owner, t: f64) -> f64 {
    let own: Box<dyn Handed> = black_box(Box::new(Own(t)));
    own.value(t, [0; 7]) + handed.0.value(t, [0; 7])
}

fn tripled(t: f64, _: [u8; 7]) -> f64 {
    3.0 * t
}

fn squared(t: f64, _: [u8; 7]) -> f64 {
    t * t
}

fn cubed(t: f64, _: [u8; 7]) -> f64 {
    t * t * t
}

#[autodiff(d_of_pointer, Reverse, Const, Const, Active, Active)]
#[autodiff(f_of_pointer, Forward, Const, Const, Dual, Dual)]
fn of_pointer(handed: fn(f64, [u8; 7]) -> f64, which: usize, t: f64) -> f64 {
    let own = black_box([tripled as fn(f64, [u8; 7]) -> f64, squared]);
    own[which](t, [0; 7]) + handed(t, [0; 7])
}

#[test]
fn objects_that_are_handed_over_are_meant() {
    let x = [0.3, 0.7];
    let mut dx = [0.0; 2];
    // (x0 + x1) * x0 + 5 * x1 * x1
    let value = 1.0f64 * 0.3 + 5.0 * 0.49;
    assert_close!(d_of_reference(&Other(5.0), &x, &mut dx, 1.0), value);
    assert_close!(dx, [2.0 * 0.3 + 0.7, 0.3 + 10.0 * 0.7]);
    assert_close!(f_of_reference(&Other(5.0), &x, &[1.0, -1.0]), (value, 1.3 - 7.3));

    // t * t + 5 * t * t
    let handed = Owner(black_box(Box::new(Other(5.0))));
    assert_close!(d_of_box(&handed, 0.3, 1.0), (6.0 * 0.09, 12.0 * 0.3));
    assert_close!(f_of_box(&handed, 0.3, 1.0), (6.0 * 0.09, 12.0 * 0.3));

    let captured: &dyn Handed = black_box(&Other(2.0));
    let f = |x: &[f64]| {
        let own: Box<dyn Handed> = black_box(Box::new(Own(x[0])));
        own.value(x[1], [0; 7]) * captured.value(x[0], [0; 7])
    };
    // 2 * x0^3 * x1
    assert_close!(gradient(f, &x), [6.0 * 0.09 * 0.7, 2.0 * 0.027]);
    assert_close!(jvp(f, &x, &[1.0, 1.0]).1, 6.0 * 0.09 * 0.7 + 2.0 * 0.027);
}

#[test]
fn functions_that_are_handed_over_are_meant() {
    let handed = black_box(cubed as fn(f64, [u8; 7]) -> f64);
    assert_close!(d_of_pointer(handed, 0, 0.5, 1.0), (1.5 + 0.125, 3.0 + 0.75));
    assert_close!(f_of_pointer(handed, 1, 0.5, 1.0), (0.25 + 0.125, 1.0 + 0.75));
}
