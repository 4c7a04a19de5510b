//! A function that makes all of its objects itself does not call those of others, whatever these do.
use crate::functional;
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
