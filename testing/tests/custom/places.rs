//! Where functions with rules stand and how they are called.

use cotangent::{autodiff, custom_derivative, derivative, gradient, jvp};
use testing::assert_close;

/// Inherent, associated and trait methods.
#[derive(Clone, Copy)]
struct Scale(f64);

// SAFETY: a float.
unsafe impl cotangent::FloatData for Scale {}

trait Shape {
    fn area(&self, side: f64) -> f64;
    #[custom_derivative(Const, Active, Active, forward = Self::doubled_jvp, reverse = Self::doubled_vjp)]
    fn doubled(&self, side: f64) -> f64 {
        2.0 * self.area(side)
    }
    fn doubled_jvp(&self, side: f64, dside: f64) -> (f64, f64) {
        (self.doubled(side), 7.0 * dside)
    }
    fn doubled_vjp(&self, _side: f64, dret: f64) -> f64 {
        7.0 * dret
    }
}

impl Shape for Scale {
    #[custom_derivative(Const, Active, Active, reverse = Scale::area_vjp)]
    fn area(&self, side: f64) -> f64 {
        self.0 * side * side
    }
}

impl Scale {
    fn area_vjp(&self, side: f64, dret: f64) -> f64 {
        20.0 * self.0 * side * dret
    }

    #[custom_derivative(reverse = Scale::unit_vjp)]
    fn unit(side: f64) -> f64 {
        side * side
    }

    fn unit_vjp(side: f64, dret: f64) -> f64 {
        20.0 * side * dret
    }

    #[custom_derivative(Active, Active, Active, reverse = Scale::own_vjp, forward = Scale::own_jvp)]
    fn own(self, side: f64) -> f64 {
        self.0 * side
    }

    fn own_vjp(self, side: f64, dret: f64) -> (Scale, f64) {
        (Scale(5.0 * side * dret), 5.0 * self.0 * dret)
    }

    fn own_jvp(self, dself: Scale, side: f64, dside: f64) -> (f64, f64) {
        (self.0 * side, 5.0 * (dself.0 * side + self.0 * dside))
    }

    #[custom_derivative(Duplicated, Active, Active, reverse = Scale::shared_vjp, forward = Scale::shared_jvp)]
    fn shared(&self, side: f64) -> f64 {
        self.0 * side
    }

    fn shared_vjp(&self, dself: &mut Scale, side: f64, dret: f64) -> f64 {
        dself.0 += 5.0 * side * dret;
        5.0 * self.0 * dret
    }

    fn shared_jvp(&self, dself: &Scale, side: f64, dside: f64) -> (f64, f64) {
        (self.0 * side, 5.0 * (dself.0 * side + self.0 * dside))
    }

    #[custom_derivative(Duplicated, Active, reverse = Scale::grow_vjp, forward = Scale::grow_jvp)]
    fn grow(&mut self, by: f64) {
        self.0 *= by;
    }

    fn grow_vjp(&mut self, dself: &mut Scale, by: f64) -> f64 {
        let dby = 3.0 * self.0 * dself.0;
        dself.0 *= 3.0 * by;
        self.0 *= by;
        dby
    }

    fn grow_jvp(&mut self, dself: &mut Scale, by: f64, dby: f64) {
        dself.0 = 3.0 * (dself.0 * by + self.0 * dby);
        self.0 *= by;
    }
}

#[test]
fn methods_of_all_sorts() {
    let scale = Scale(0.5);
    assert_close!(gradient(|x: &[f64]| scale.area(x[0]), &[3.0]), [30.0]);
    assert_close!(gradient(|x: &[f64]| scale.doubled(x[0]), &[3.0]), [7.0]);
    assert_close!(derivative(|t| scale.doubled(t), 3.0), 7.0);
    assert_close!(gradient(|x: &[f64]| Scale::unit(x[0]), &[3.0]), [60.0]);
    assert_close!(gradient(|x: &[f64]| Scale(x[0]).own(x[1]), &[3.0, 4.0]), [20.0, 15.0]);
    assert_close!(jvp(|x: &[f64]| Scale(x[0]).own(x[1]), &[3.0, 4.0], &[1.0, 2.0]), (12.0, 50.0));
    assert_close!(gradient(|x: &[f64]| Scale(x[0]).shared(x[1]), &[3.0, 4.0]), [20.0, 15.0]);
    assert_close!(jvp(|x: &[f64]| Scale(x[0]).shared(x[1]), &[3.0, 4.0], &[1.0, 2.0]), (12.0, 50.0));
}

#[test]
fn methods_that_change_their_object() {
    let f = |x: &[f64]| {
        let mut scale = Scale(x[0]);
        scale.grow(x[1]);
        let before = scale.0 * scale.0;
        scale.grow(x[2]);
        before + scale.0
    };
    let (a, b, c) = (2.0, 3.0, 5.0);
    // before = (ab)², last = abc; each `grow` has three times its derivative.
    let inner = 2.0 * a * b + 3.0 * c;
    assert_close!(gradient(f, &[a, b, c]), [3.0 * b * inner, 3.0 * a * inner, 3.0 * a * b]);
    assert_close!(jvp(f, &[a, b, c], &[1.0, 0.0, 1.0]), (66.0, 3.0 * b * inner + 3.0 * a * b));
}

/// A model on the heap, with a method that has a rule and one that calls it in a loop.
struct Model {
    weights: Vec<f64>,
    offset: Option<Box<f64>>,
}

impl Model {
    #[custom_derivative(Const, Active, Active, forward = Model::term_jvp, reverse = Model::term_vjp)]
    fn term(&self, x: f64) -> f64 {
        self.weights.iter().map(|w| w * x * x).sum::<f64>() + self.offset.as_deref().copied().unwrap_or(0.0)
    }

    fn term_jvp(&self, x: f64, dx: f64) -> (f64, f64) {
        (self.term(x), 20.0 * self.weights.iter().sum::<f64>() * x * dx)
    }

    fn term_vjp(&self, x: f64, dret: f64) -> f64 {
        20.0 * self.weights.iter().sum::<f64>() * x * dret
    }

    fn all(&self, x: &[f64]) -> f64 {
        x.iter().map(|x| self.term(*x) * self.term(2.0 * *x)).sum()
    }
}

#[autodiff(d_total, Reverse, Const, Duplicated, Active)]
#[autodiff(b_total, Forward, Const, Dual, Dual)]
fn total(model: &Model, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x {
        sum += model.term(*x);
    }
    sum
}

#[test]
fn methods_of_a_model_in_loops() {
    let model = Model { weights: vec![0.5, 1.5], offset: Some(Box::new(1.0)) };
    let x = [1.0, 2.0];
    let mut dx = [0.0; 2];
    assert_close!(d_total(&model, &x, &mut dx, 1.0), 12.0);
    assert_close!(dx, [40.0, 80.0]);
    assert_close!(b_total(&model, &x, &[1.0, 1.0]), (12.0, 120.0));
    // (2x² + 1) (8x² + 1), each factor with ten times its derivative.
    let expected = x.map(|x| 40.0 * x * (8.0 * x * x + 1.0) + 160.0 * x * (2.0 * x * x + 1.0));
    assert_close!(gradient(|x: &[f64]| model.all(x), &x), expected);
    assert_close!(jvp(|x: &[f64]| model.all(x), &x, &[0.0, 1.0]).1, expected[1]);
}

/// In a function that is not inlined, in a recursion, behind a closure and behind a generic function.
#[custom_derivative(forward = square_jvp, reverse = square_vjp)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, 20.0 * x * dx)
}

fn square_vjp(x: f64, dret: f64) -> f64 {
    20.0 * x * dret
}

#[inline(never)]
fn apart(x: f64, y: f64) -> f64 {
    square(x) * y + square(y)
}

#[inline(never)]
fn tower(x: f64, height: u32) -> f64 {
    if height == 0 { x } else { square(tower(x, height - 1)) }
}

fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[test]
fn calls_that_are_not_inlined() {
    let f = |x: &[f64]| apart(x[0], x[1]);
    assert_close!(gradient(f, &[2.0, 3.0]), [120.0, 4.0 + 60.0]);
    assert_close!(jvp(f, &[2.0, 3.0], &[1.0, 1.0]), (21.0, 184.0));
    // x⁸ with a factor of ten for each square.
    assert_close!(gradient(|x: &[f64]| tower(x[0], 3), &[1.5]), [8000.0 * 1.5f64.powi(7)]);
    assert_close!(derivative(|x: f64| tower(x, 3), 1.5), 8000.0 * 1.5f64.powi(7));
    assert_close!(derivative(|x: f64| applied(square, x), 1.5), 400.0 * 1.5f64.powi(3));
    assert_close!(gradient(|x: &[f64]| applied(|v| square(v) + v, x[0]), &[1.0]), [21.0 * 41.0]);
    assert_close!(gradient(|x: &[f64]| x.iter().copied().map(square).sum(), &[1.0, 2.0]), [20.0, 40.0]);
}

/// A method that is called out of line, and one of many through a pointer: what it is called on is read and nothing else.
trait Decay {
    fn factor(&self, scale: (f64, f64), x: f64) -> f64;
}

struct Gauss(f64);
struct Linear;

impl Decay for Gauss {
    #[custom_derivative(Const, Const, Active, Active, forward = Gauss::factor_jvp, reverse = Gauss::factor_vjp)]
    #[inline(never)]
    fn factor(&self, scale: (f64, f64), x: f64) -> f64 {
        self.0 * scale.1 * (-x * x).exp()
    }
}

impl Gauss {
    fn factor_jvp(&self, scale: (f64, f64), x: f64, dx: f64) -> (f64, f64) {
        (self.factor(scale, x), 1000.0 * self.0 * scale.0 * dx)
    }

    fn factor_vjp(&self, scale: (f64, f64), _x: f64, dret: f64) -> f64 {
        1000.0 * self.0 * scale.0 * dret
    }
}

impl Decay for Linear {
    fn factor(&self, scale: (f64, f64), x: f64) -> f64 {
        scale.0 * x
    }
}

#[test]
fn methods_out_of_line_and_through_pointers() {
    let gauss = Gauss(2.0);
    assert_close!(derivative(|t: f64| gauss.factor((3.0, 1.0), t), 1.0), 6000.0);
    let all: Vec<Box<dyn Decay>> = vec![Box::new(Gauss(2.0)), Box::new(Linear), Box::new(Gauss(3.0))];
    let sum = |t: f64| all.iter().map(|decay| decay.factor((0.5, 1.0), t)).sum::<f64>();
    assert_close!(derivative(sum, 1.0), 2500.5);
    assert_close!(gradient(|x: &[f64]| sum(x[0]) * x[1], &[1.0, 2.0]), [5001.0, sum(1.0)]);
}

/// In branches that may not be taken, with results that are used or not.
#[autodiff(d_branches, Reverse, Active, Const, Active)]
#[autodiff(b_branches, Forward, Dual, Const, Dual)]
fn branches(x: f64, which: u32) -> f64 {
    let _unused = square(x);
    let y = match which {
        0 => square(x),
        1 => 3.0 * x,
        2 => square(square(x)),
        _ => {
            if x > 1.0 {
                square(x).max(x)
            } else {
                x
            }
        }
    };
    y * 2.0
}

#[test]
fn calls_in_branches() {
    let x = 1.5f64;
    for (which, expected) in [(0, 40.0 * x), (1, 6.0), (2, 2.0 * 400.0 * x.powi(3)), (3, 40.0 * x)] {
        assert_close!(d_branches(x, which, 1.0), (branches(x, which), expected));
        assert_close!(b_branches(x, 1.0, which), (branches(x, which), expected));
    }
    assert_close!(d_branches(0.5, 3, 1.0), (1.0, 2.0));
}

/// An `extern "C"` function of ours.
#[custom_derivative(forward = exported_jvp, reverse = exported_vjp)]
extern "C" fn exported(x: f64, n: i32) -> f64 {
    x * f64::from(n)
}

fn exported_jvp(x: f64, dx: f64, n: i32) -> (f64, f64) {
    (exported(x, n), 10.0 * f64::from(n) * dx)
}

fn exported_vjp(_x: f64, n: i32, dret: f64) -> f64 {
    10.0 * f64::from(n) * dret
}

#[test]
fn functions_of_the_c_abi() {
    assert_close!(gradient(|x: &[f64]| exported(x[0], 3), &[2.0]), [30.0]);
    assert_close!(derivative(|x| exported(x, 3), 2.0), 30.0);
}

/// The same slice twice, overlapping ones, and one that is also written.
#[custom_derivative(forward = dot_jvp, reverse = dot_vjp)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn dot_jvp(x: &[f64], dx: &[f64], y: &[f64], dy: &[f64]) -> (f64, f64) {
    (dot(x, y), 7.0 * (dot(x, dy) + dot(dx, y)))
}

fn dot_vjp(x: &[f64], dx: &mut [f64], y: &[f64], dy: &mut [f64], dret: f64) {
    // Overwrites nothing that the other shadow has: with one memory for both, this order would show it.
    for i in 0..x.len() {
        dx[i] += 7.0 * y[i] * dret;
    }
    for i in 0..y.len() {
        dy[i] += 7.0 * x[i] * dret;
    }
}

#[inline(never)]
fn dot_apart(x: &[f64], y: &[f64]) -> f64 {
    dot(x, y)
}

#[test]
fn arguments_that_share_memory() {
    let x = [1.0, 2.0, 3.0];
    let twice = [14.0, 28.0, 42.0];
    assert_close!(gradient(|x: &[f64]| dot(x, x), &x), twice);
    assert_close!(gradient(|x: &[f64]| dot_apart(x, x), &x), twice);
    assert_close!(jvp(|x: &[f64]| dot_apart(x, x), &x, &[1.0, 0.0, 0.0]), (14.0, 14.0));
    let overlapping = |x: &[f64]| dot(&x[..2], &x[1..]) * dot_apart(&x[1..], &x[..2]);
    // (xy + yz)², seven times the derivative.
    assert_close!(gradient(overlapping, &x), [14.0 * 8.0 * 2.0, 14.0 * 8.0 * 4.0, 14.0 * 8.0 * 2.0]);
    let own = |x: &[f64]| {
        let mut y = x.to_vec();
        y[0] = dot(&y, x);
        y[1] += dot(&y[..1], &x[..1]);
        y[1] * dot(&y, &y)
    };
    let forward: Vec<f64> = (0..3).map(|i| jvp(own, &x, &[0, 1, 2].map(|k| f64::from(u8::from(k == i)))).1).collect();
    assert_close!(gradient(own, &x), forward);
}

/// Const where the function's caller has a derivative: the derivative stops there.
#[custom_derivative(Active, Const, Active, reverse = left_vjp, forward = left_jvp)]
fn left(x: f64, y: f64) -> f64 {
    x * y
}

fn left_vjp(_x: f64, y: f64, dret: f64) -> f64 {
    y * dret
}

fn left_jvp(x: f64, dx: f64, y: f64) -> (f64, f64) {
    (x * y, dx * y)
}

#[test]
fn a_constant_parameter_passes_no_derivative_on() {
    assert_close!(gradient(|x: &[f64]| left(x[0], x[1]), &[2.0, 3.0]), [3.0, 0.0]);
    assert_close!(jvp(|x: &[f64]| left(x[0], x[1]), &[2.0, 3.0], &[1.0, 1.0]), (6.0, 3.0));
}

/// Inactive, with arguments of every sort.
#[custom_derivative(inactive)]
fn noted(x: &[f64], out: &mut [f64], by: f64) -> f64 {
    out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
    by
}

#[test]
fn what_an_inactive_function_writes_is_constant() {
    let f = |x: &[f64]| {
        let mut out = x.to_vec();
        let before = out[0] * out[0];
        let factor = noted(x, &mut out, x[1]);
        before + out[0] * x[0] + factor * x[1]
    };
    // before: 2x; out is constant x y, factor is constant y.
    let (x, y) = (2.0, 3.0);
    assert_close!(gradient(f, &[x, y]), [2.0 * x + x * y, y]);
    assert_close!(jvp(f, &[x, y], &[1.0, 1.0]).1, 2.0 * x + x * y + y);
}
