//! Where a function may stand: methods, traits, generics, modules; and what is carried over to its derivative.

use crate::assert_close;
use cotangent::autodiff;
use std::ops::{Add, Mul};

struct Spring {
    stiffness: f64,
    rest: f64,
    name: &'static str,
}

impl Spring {
    /// Energy of an extension; `self` counts as the first parameter.
    #[autodiff(energy_reverse, Reverse, Const, Duplicated, Active)]
    #[autodiff(energy_forward, Forward, Const, Dual, Dual)]
    fn energy(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            let e = v - self.rest;
            sum += 0.5 * self.stiffness * e * e;
        }
        sum
    }

    const POWER: i32 = 3;

    #[autodiff(cube_reverse, Reverse, Active, ActiveOnly)]
    fn cube(x: f64) -> f64 {
        x.powi(Self::POWER)
    }
}

#[test]
fn a_method_takes_self_as_its_first_parameter() {
    let spring = Spring { stiffness: 4.0, rest: 1.0, name: "steel" };
    let mut dx = [0.0; 2];
    assert_close!(spring.energy_reverse(&[2.0, 4.0], &mut dx, 1.0), 20.0);
    assert_close!(dx, [4.0, 12.0]);
    assert_close!(spring.energy_forward(&[2.0, 4.0], &[1.0, 1.0]), (20.0, 16.0));
    assert_eq!(spring.name, "steel");
}

#[test]
fn an_associated_function_has_an_associated_derivative() {
    assert_close!(Spring::cube_reverse(2.0, 1.0), 12.0);
}

#[derive(Clone, Copy)]
struct Pendulum {
    mass: f64,
    length: f64,
}

impl Pendulum {
    #[autodiff(period_reverse, Reverse, Duplicated, Active, Active)]
    #[autodiff(period_forward, Forward, Dual, Const, Dual)]
    fn period(&self, gravity: f64) -> f64 {
        (self.length / gravity).sqrt() * self.mass
    }

    #[autodiff(grow_reverse, Reverse, Duplicated, Active)]
    fn grow(&mut self, by: f64) {
        self.length *= by;
        self.mass += by;
    }
}

#[test]
fn self_may_be_duplicated() {
    let pendulum = Pendulum { mass: 3.0, length: 4.0 };
    let mut d = Pendulum { mass: 0.0, length: 0.0 };
    let (y, dgravity) = pendulum.period_reverse(&mut d, 1.0, 1.0);
    assert_close!((y, dgravity), (6.0, -3.0));
    assert_close!((d.mass, d.length), (2.0, 0.75));
    let tangent = Pendulum { mass: 1.0, length: 4.0 };
    assert_close!(pendulum.period_forward(&tangent, 1.0), (6.0, 5.0));
}

#[test]
fn self_may_be_changed() {
    let mut pendulum = Pendulum { mass: 3.0, length: 4.0 };
    let mut d = Pendulum { mass: 10.0, length: 100.0 };
    let dby: f64 = pendulum.grow_reverse(&mut d, 2.0);
    assert_close!((pendulum.mass, pendulum.length), (5.0, 8.0));
    assert_close!((d.mass, d.length), (10.0, 200.0));
    assert_close!(dby, 410.0);
}

trait Potential {
    fn strength(&self) -> f64;

    #[autodiff(slope, Reverse, Const, Active, ActiveOnly)]
    #[autodiff(along, Forward, Const, Dual, Dual)]
    fn value(&self, x: f64) -> f64 {
        self.strength() * x.powi(4)
    }
}

impl Potential for f64 {
    fn strength(&self) -> f64 {
        *self
    }
}

impl Potential for Spring {
    fn strength(&self) -> f64 {
        self.stiffness
    }
}

#[test]
fn a_trait_method_has_a_provided_derivative_for_every_implementor() {
    assert_close!(2.0f64.slope(3.0, 1.0), 216.0);
    assert_close!(Spring { stiffness: 0.5, rest: 0.0, name: "" }.along(1.0, 1.0), (0.5, 2.0));
}

trait Number: Copy + Add<Output = Self> + Mul<Output = Self> + Default {}
impl Number for f32 {}
impl Number for f64 {}

#[autodiff(dot_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(dot_forward, Forward, Dual, Const, DualOnly)]
fn dot<T: Number>(a: &[T], b: &[T]) -> T
where
    T: PartialEq,
{
    let mut sum = T::default();
    for i in 0..a.len() {
        sum = sum + a[i] * b[i] * b[i];
    }
    sum
}

#[test]
fn a_generic_function_is_differentiated_for_each_of_its_types() {
    let (mut da, mut db) = ([0.0f64; 2], [0.0f64; 2]);
    assert_close!(dot_reverse(&[1.0, 2.0], &mut da, &[3.0, 4.0], &mut db, 1.0), 41.0);
    assert_close!((da, db), ([9.0, 16.0], [6.0, 16.0]));
    let (mut da, mut db) = ([0.0f32; 2], [0.0f32; 2]);
    assert_close!(dot_reverse(&[1.0f32, 2.0], &mut da, &[3.0, 4.0], &mut db, 2.0), 41.0);
    assert_close!((da, db), ([18.0, 32.0], [12.0, 32.0]));
    assert_close!(dot_forward(&[1.0f32, 2.0], &[1.0, 0.5], &[3.0, 4.0]), 17.0);
}

#[autodiff(moment_reverse, Reverse, Duplicated, Active)]
fn moment<const N: usize, const POWER: i32>(x: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v.powi(POWER);
    }
    sum / N as f64
}

#[test]
fn const_generics_are_carried_over() {
    let mut dx = [0.0; 4];
    assert_close!(moment_reverse::<4, 3>(&[1.0, 2.0, 3.0, 4.0], &mut dx, 4.0), 25.0);
    assert_close!(dx, [3.0, 12.0, 27.0, 48.0]);
    let mut dx = [0.0; 1];
    assert_close!(moment_reverse::<1, 2>(&[5.0], &mut dx, 1.0), 25.0);
    assert_close!(dx, [10.0]);
}

#[autodiff(longest_reverse, Reverse, Duplicated, Const, Active)]
fn longest<'a, 'b: 'a>(x: &'a [f64], limit: &'b usize) -> f64 {
    x[..*limit].iter().sum::<f64>() * x[0]
}

#[test]
fn lifetimes_are_carried_over() {
    let mut dx = [0.0; 3];
    assert_close!(longest_reverse(&[2.0, 3.0, 4.0], &mut dx, &2, 1.0), 10.0);
    assert_close!(dx, [7.0, 2.0, 0.0]);
}

#[autodiff(patterns_reverse, Reverse, Duplicated, Active, Active)]
fn patterns(&[a, b]: &[f64; 2], mut c: f64) -> f64 {
    c *= a;
    c * b
}

#[autodiff(unnamed_reverse, Reverse, Const, Active, Active)]
fn unnamed(_: &str, x: f64) -> f64 {
    x * x
}

#[test]
fn parameters_may_be_patterns() {
    let mut d = [0.0; 2];
    assert_close!(patterns_reverse(&[2.0, 3.0], &mut d, 5.0, 1.0), (30.0, 6.0));
    assert_close!(d, [15.0, 10.0]);
    assert_close!(unnamed_reverse("unused", 3.0, 1.0), (9.0, 6.0));
}

#[cfg(target_pointer_width = "64")]
#[autodiff(per_platform_reverse, Reverse, Active, ActiveOnly)]
fn per_platform(x: f64) -> f64 {
    2.0 * x * x
}

#[cfg(not(target_pointer_width = "64"))]
#[autodiff(per_platform_reverse, Reverse, Active, ActiveOnly)]
fn per_platform(x: f64) -> f64 {
    x * x * 2.0
}

#[test]
fn cfgs_are_carried_over() {
    assert_close!(per_platform_reverse(3.0, 1.0), 12.0);
}

mod inner {
    use cotangent::autodiff;

    /// Seen from outside, and so is its derivative.
    #[autodiff(visible_reverse, Reverse, Active, ActiveOnly)]
    pub fn visible(x: f64) -> f64 {
        hidden(x) * x
    }

    fn hidden(x: f64) -> f64 {
        x.exp()
    }
}

#[test]
fn visibility_is_carried_over() {
    assert_close!(inner::visible_reverse(0.0, 1.0), 1.0);
    assert_close!(inner::visible(1.0), 1f64.exp());
}

#[test]
fn a_function_inside_a_function_has_its_derivative_there() {
    #[autodiff(local_reverse, Reverse, Active, ActiveOnly)]
    fn local(x: f64) -> f64 {
        1.0 / x
    }
    assert_close!(local_reverse(2.0, 1.0), -0.25);
    assert_close!(local(2.0), 0.5);
}

/// Functions that a macro writes: what it is given is wrapped in groups that nobody sees.
macro_rules! written {
    ($visibility:vis $name:ident, $derivative:ident, $ty:ty, $argument:ident, $body:block) => {
        #[cotangent::autodiff($derivative, Reverse, Active, ActiveOnly)]
        $visibility fn $name($argument: $ty) -> $ty $body
    };
}

written!(pub written_by_a_macro, d_written_by_a_macro, f64, x, { x.sin() * x });

#[test]
fn a_function_whose_body_a_macro_was_given() {
    assert_close!(d_written_by_a_macro(0.5, 1.0), 0.5f64.sin() + 0.5 * 0.5f64.cos());
    assert_close!(written_by_a_macro(0.5), 0.5 * 0.5f64.sin());
}

#[autodiff(a_type_in_it_reverse, Reverse, Active, Active)]
fn with_a_type_in_it(x: f64) -> f64 {
    struct Square(f64);
    impl Square {
        fn of(x: f64) -> Self {
            Self(x * x)
        }
    }
    Square::of(x).0
}

#[test]
fn what_a_type_in_a_function_says_of_itself_makes_it_no_method() {
    assert_close!(a_type_in_it_reverse(3.0, 1.0), (9.0, 6.0));
}
