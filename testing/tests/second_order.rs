//! Derivatives of derivatives.

use cotangent::{autodiff, custom_derivative, gradient, hessian, hvp};
use std::collections::VecDeque;
use testing::{assert_close, noise};

#[autodiff(wave_slope, Reverse, Active, ActiveOnly)]
#[autodiff(wave_tangent, Forward, Dual, DualOnly)]
fn wave(x: f64) -> f64 {
    (x * x).sin() * x
}

/// The second derivative of [`wave`].
fn curvature(x: f64) -> f64 {
    // f' = sin x² + 2x² cos x²
    6.0 * x * (x * x).cos() - 4.0 * x * x * x * (x * x).sin()
}

#[autodiff(forward_over_reverse, Forward, Dual, Dual)]
#[autodiff(reverse_over_reverse, Reverse, Active, Active)]
fn slope(x: f64) -> f64 {
    wave_slope(x, 1.0)
}

#[autodiff(forward_over_forward, Forward, Dual, Dual)]
#[autodiff(reverse_over_forward, Reverse, Active, Active)]
fn tangent(x: f64) -> f64 {
    wave_tangent(x, 1.0)
}

/// A square, whose forward rule has a thousand times its derivative; the derivative itself has ten times its own in forward
/// mode and a hundred times in reverse mode.
#[custom_derivative(forward = marked_jvp, reverse = marked_vjp)]
fn marked(x: f64) -> f64 {
    x * x
}

fn marked_jvp(x: f64, dx: f64) -> (f64, f64) {
    (x * x, 1000.0 * dx * marked_slope(x))
}

fn marked_vjp(x: f64, dret: f64) -> f64 {
    dret * marked_slope(x)
}

#[custom_derivative(forward = marked_slope_jvp, reverse = marked_slope_vjp)]
fn marked_slope(x: f64) -> f64 {
    2.0 * x
}

fn marked_slope_jvp(x: f64, dx: f64) -> (f64, f64) {
    (2.0 * x, 20.0 * dx)
}

fn marked_slope_vjp(_x: f64, dret: f64) -> f64 {
    200.0 * dret
}

#[test]
fn hessians_and_their_products_are_forward_over_reverse() {
    let calls = std::cell::Cell::new(0);
    let f = |x: &[f64]| {
        calls.set(calls.get() + 1);
        x.iter().map(|x| marked(*x)).sum()
    };
    // One run for each direction, four of them at once.
    assert_close!(hvp(f, &[0.5, 1.5], &[1.0, 3.0]), [20.0, 60.0]);
    assert_eq!(calls.replace(0), 1);
    assert_close!(hessian(f, &[0.5, 1.5]), [20.0, 0.0, 0.0, 20.0]);
    assert_eq!(calls.replace(0), 1);
    hessian(f, &[0.5; 9]);
    assert_eq!(calls.get(), 3);
}

#[test]
fn forward_over_forward_gives_the_second_derivative() {
    for x in [0.3, -1.2] {
        assert_close!(forward_over_forward(x, 1.0), (slope(x), curvature(x)));
    }
}

#[test]
fn forward_over_reverse_gives_the_second_derivative() {
    for x in [0.3, -1.2] {
        assert_close!(forward_over_reverse(x, 1.0), (tangent(x), curvature(x)));
    }
}

#[test]
fn reverse_over_forward_gives_the_second_derivative() {
    for x in [0.3, -1.2] {
        assert_close!(reverse_over_forward(x, 1.0), (slope(x), curvature(x)));
    }
}

#[test]
fn reverse_over_reverse_gives_the_second_derivative() {
    for x in [0.3, -1.2] {
        assert_close!(reverse_over_reverse(x, 1.0), (slope(x), curvature(x)));
    }
}

#[autodiff(chain_gradient, Reverse, Duplicated, Active)]
#[autodiff(chain_tangent, Forward, Dual, DualOnly)]
fn chain(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for v in x {
        y = y * v + v.sin();
    }
    y
}

#[autodiff(chain_hvp, Forward, Dual, Dual)]
fn chain_slopes(x: &[f64], g: &mut [f64]) {
    g.fill(0.0);
    chain_gradient(x, g, 1.0);
}

#[autodiff(chain_hvp_by_reverse, Reverse, Duplicated, Const, ActiveOnly)]
fn chain_along(x: &[f64], v: &[f64]) -> f64 {
    chain_tangent(x, v)
}

fn hvp_by_differences(x: &[f64], v: &[f64]) -> Vec<f64> {
    let run = |x: &[f64]| {
        let mut g = vec![0.0; x.len()];
        chain_gradient(x, &mut g, 1.0);
        g
    };
    testing::differences::along(run, x, v)
}

#[test]
fn hessian_times_vector_by_forward_over_reverse_through_a_loop() {
    let (x, v) = (noise(1, 6), noise(2, 6));
    let (mut g, mut h) = (vec![0.0; 6], vec![0.0; 6]);
    chain_hvp(&x, &v, &mut g, &mut h);
    assert_close!(h, hvp_by_differences(&x, &v), 1e-7);
    let mut once = vec![0.0; 6];
    chain_gradient(&x, &mut once, 1.0);
    assert_close!(g, once);
}

#[test]
fn hessian_times_vector_by_reverse_over_forward_through_a_loop() {
    let (x, v) = (noise(1, 6), noise(2, 6));
    let mut h = vec![0.0; 6];
    chain_hvp_by_reverse(&x, &mut h, &v, 1.0);
    assert_close!(h, hvp_by_differences(&x, &v), 1e-7);
}

#[test]
fn hessians_of_any_size_through_buffers_and_the_tape() {
    fn mixed(x: &[f64]) -> f64 {
        let exponentials: Vec<f64> = x.iter().map(|v| v.exp()).collect();
        let mut products = vec![0.0; x.len()];
        for i in 0..x.len() {
            products[i] = exponentials[i] * exponentials[x.len() - 1 - i];
        }
        chain(&products) + exponentials.iter().map(|v| v * v * v).sum::<f64>()
    }
    // More and fewer than fit into whole sweeps of several tangents.
    for n in [1, 3, 4, 9] {
        let x = noise(n as u64, n);
        let h = hessian(mixed, &x);
        for (i, row) in h.chunks_exact(n).enumerate() {
            let basis: Vec<f64> = (0..n).map(|k| f64::from(u8::from(k == i))).collect();
            let expected = testing::differences::along(|x: &[f64]| cotangent::gradient(mixed, x), &x, &basis);
            assert_close!(row, expected, 1e-6);
            assert_close!(hvp(mixed, &x, &basis), row, 1e-12);
        }
    }
}

#[test]
fn third_derivatives() {
    #[autodiff(first, Forward, Dual, DualOnly)]
    fn quintic(x: f64) -> f64 {
        x * x * x * x * x
    }
    #[autodiff(second, Forward, Dual, DualOnly)]
    fn once(x: f64) -> f64 {
        first(x, 1.0)
    }
    #[autodiff(third, Reverse, Active, ActiveOnly)]
    fn twice(x: f64) -> f64 {
        second(x, 1.0)
    }
    assert_close!(third(2.0, 1.0), 240.0);
}

#[test]
fn derivatives_of_closures_inside_closures() {
    use cotangent::derivative;
    let d: f64 = derivative(|x| x * derivative(|y| x * y * y, 3.0), 2.0);
    // x · (2xy) at y = 3
    assert_close!(d, 24.0);
}

#[test]
fn a_derivative_used_inside_a_differentiated_function() {
    #[autodiff(force, Reverse, Duplicated, ActiveOnly)]
    fn energy(x: &[f64]) -> f64 {
        x[0] * x[0] * x[1] + x[1].exp()
    }
    #[autodiff(work_reverse, Reverse, Duplicated, Active)]
    fn work(x: &[f64]) -> f64 {
        let mut f = [0.0; 2];
        force(x, &mut f, 1.0);
        f[0] * f[0] + f[1]
    }
    let mut d = [0.0; 2];
    // f = (2 x y, x² + e^y);  work = 4 x² y² + x² + e^y
    assert_close!(work_reverse(&[0.5, 1.5], &mut d, 1.0), 2.25 + 0.25 + 1.5f64.exp());
    assert_close!(d, [8.0 * 0.5 * 2.25 + 1.0, 8.0 * 0.25 * 1.5 + 1.5f64.exp()]);
}

/// A float in the place of a box: the adjoint of one is no length of what is behind the other.
enum Tree {
    Leaf(f64),
    Node(Box<Tree>, Box<Tree>),
}

fn grow(x: &[f64]) -> Tree {
    match x {
        [one] => Tree::Leaf(*one),
        _ => {
            let (left, right) = x.split_at(x.len() / 2);
            Tree::Node(Box::new(grow(left)), Box::new(grow(right)))
        }
    }
}

fn consume(tree: Tree) -> f64 {
    match tree {
        Tree::Leaf(value) => value.sin(),
        Tree::Node(left, right) => {
            let a = consume(*left);
            a * consume(*right) + a
        }
    }
}

#[test]
fn trees_of_boxes_and_floats_that_are_handed_on_by_value_have_second_derivatives() {
    let f = |x: &[f64]| consume(grow(x));
    let (x, v) = (noise(3, 5), noise(4, 5));
    assert_close!(hvp(f, &x, &v), testing::differences::along(|x| gradient(f, x), &x, &v), 1e-7);
}

trait Shape {
    fn distance(&self, p: f64) -> f64;
}

struct Ball {
    centre: f64,
    radius: f64,
}

struct Union(Vec<Box<dyn Shape>>, f64);

impl Shape for Ball {
    fn distance(&self, p: f64) -> f64 {
        (p - self.centre).powi(2) - self.radius
    }
}

impl Shape for Union {
    fn distance(&self, p: f64) -> f64 {
        self.0.iter().map(|s| s.distance(p).sin()).sum::<f64>() * self.1
    }
}

fn ball(centre: f64, radius: f64) -> Box<dyn Shape> {
    Box::new(Ball { centre, radius })
}

/// Holds a gradient's derivative along two directions against differences of the gradient.
fn check_hvp(f: impl Fn(&[f64]) -> f64) {
    let x = [0.5, 1.2, -0.7];
    for v in [[1.0, 0.0, 0.0], [0.3, -1.0, 0.5]] {
        assert_close!(hvp(&f, &x, &v), testing::differences::along(|x| gradient(&f, x), &x, &v), 1e-7);
    }
}

#[test]
fn methods_of_objects_that_call_each_other_have_second_derivatives() {
    check_hvp(|x| {
        let inner = Union(vec![ball(x[1], 0.4 * x[2])], 0.7);
        let scene = Union(vec![ball(x[0], x[1]), Box::new(inner)], x[0]);
        (0..5).fold(0.0, |t, _| t + scene.distance(0.1 * t))
    });
}

#[test]
fn objects_that_are_picked_at_run_time_have_second_derivatives() {
    check_hvp(|x| {
        let scene: Vec<Box<dyn Shape>> =
            vec![ball(x[0], x[1]), Box::new(Union(vec![ball(x[1], x[2])], 0.5)), ball(x[2], x[0])];
        (0..7).map(|i| scene[i * i % x.len()].distance(x[i % 3] * 0.3).sin() * x[1]).sum()
    });
}

#[test]
fn boxed_iterators_and_closures_have_second_derivatives() {
    fn pieces<'a>(x: &'a [f64], from_second: bool) -> Box<dyn Iterator<Item = f64> + 'a> {
        match from_second {
            true => Box::new(x.iter().copied().skip(1)),
            false => Box::new(x.windows(2).map(|w| w[0] * w[1])),
        }
    }
    check_hvp(|x| {
        let cubes: f64 = pieces(x, x.len() == 3).map(|v| v * v * v).sum();
        cubes * pieces(x, x.len() != 3).sum::<f64>()
    });
    fn step(kind: usize, a: f64) -> Box<dyn Fn(f64) -> f64> {
        if kind == 0 { Box::new(move |t| t * t * a) } else { Box::new(move |t| (t * a).exp()) }
    }
    check_hvp(|x| {
        let steps: Vec<_> = (0..4).map(|i| step(i % 2, x[i % 3])).collect();
        steps.iter().rev().fold(0.3, |t, step| step(t))
    });
}

#[test]
fn objects_with_destructors_of_their_own_have_second_derivatives() {
    use std::{cell::Cell, rc::Rc};
    struct Guard(f64, Rc<Cell<usize>>);
    impl Shape for Guard {
        fn distance(&self, p: f64) -> f64 {
            (self.0 * p).sin()
        }
    }
    impl Drop for Guard {
        fn drop(&mut self) {
            self.1.set(self.1.get() + 1);
        }
    }
    check_hvp(|x| {
        let dropped = Rc::new(Cell::new(0));
        let mut sum = 0.0;
        for i in 0..3 {
            let shape: Box<dyn Shape> =
                if i % 2 == x.len() % 2 { Box::new(Guard(x[i], dropped.clone())) } else { ball(x[i], 0.1) };
            sum += shape.distance(x[(i + 1) % 3] + sum);
        }
        sum * (1 + dropped.get()) as f64
    });
}

#[test]
fn recursion_over_variants_with_numbers_beside_boxes_has_second_derivatives() {
    enum Gate {
        Turn(u64, f64),
        Control(Box<Gate>, u64),
        All(Vec<Gate>),
    }
    fn apply(amplitudes: &mut [f64], gate: &Gate, control: u64) {
        match gate {
            Gate::Turn(qubit, angle) => {
                for (i, amplitude) in amplitudes.iter_mut().enumerate().filter(|(i, _)| *i as u64 & control == control)
                {
                    *amplitude = (*amplitude + angle * *qubit as f64 + 0.1 * i as f64).sin();
                }
            }
            Gate::Control(gate, by) => apply(amplitudes, gate, control | 1 << by),
            Gate::All(gates) => gates.iter().for_each(|gate| apply(amplitudes, gate, control)),
        }
    }
    check_hvp(|x| {
        let turn = |(i, angle): (usize, &f64)| match Gate::Turn(i as u64, *angle) {
            gate if i % 2 == 1 => Gate::Control(Box::new(gate), 1),
            gate => gate,
        };
        let mut gates: Vec<Gate> = x.iter().enumerate().map(turn).collect();
        gates.push(Gate::All(vec![Gate::Turn(2, x[0] * x[1])]));
        let mut amplitudes = vec![0.4; 8];
        gates.iter().for_each(|gate| apply(&mut amplitudes, gate, 0));
        amplitudes.iter().sum()
    });
}

#[test]
fn hessians_of_a_queue_that_is_turned_round() {
    let f = |p: &[f64]| {
        let mut queue = VecDeque::from(vec![p[0], p[1]]);
        let mut sum = 0.0;
        for i in 0..5 {
            sum += queue.iter().zip(p).map(|(a, b)| a * b).sum::<f64>();
            queue.pop_back();
            queue.push_front(p[i % 2] * 0.5);
        }
        sum
    };
    // 2 x^2 + 3 x y + 3/2 y^2.
    assert_close!(hessian(f, &[1.0, 2.0]), [4.0, 3.0, 3.0, 3.0]);
}
