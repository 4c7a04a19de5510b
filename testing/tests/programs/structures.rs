//! Structures by reference, enums and options that carry floats.

use crate::{assert_close, functional, scalar};
use cotangent::autodiff;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Layer {
    bias: f64,
    id: u32,
    weights: [f64; 3],
    gain: f32,
    frozen: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Network {
    first: Layer,
    second: Layer,
}

#[autodiff(network_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(network_forward, Forward, Dual, Const, Dual)]
fn network(net: &Network, x: &[f64; 3]) -> f64 {
    let mut hidden = net.first.bias;
    for i in 0..3 {
        hidden += net.first.weights[i] * x[i];
    }
    hidden = hidden.tanh() * f64::from(net.first.gain);
    let out = net.second.bias + net.second.weights[net.second.id as usize] * hidden;
    if net.second.frozen { out } else { out * out }
}

fn sample() -> Network {
    Network {
        first: Layer { bias: 0.1, id: 7, weights: [0.5, -0.3, 0.2], gain: 1.5, frozen: true },
        second: Layer { bias: 0.3, id: 2, weights: [0.0, 0.0, 2.0], gain: 9.0, frozen: false },
    }
}

#[test]
fn a_structure_by_reference_has_a_structure_as_shadow() {
    let (net, x) = (sample(), [1.0, 2.0, -1.0]);
    let mut d = Network::default();
    let mut dx = [0.0; 3];
    let y = network_reverse(&net, &mut d, &x, &mut dx, 1.0);
    assert_close!(y, network(&net, &x));
    let by_bias =
        testing::differences::slope(|bias| network(&Network { first: Layer { bias, ..net.first }, ..net }, &x), 0.1);
    assert_close!(d.first.bias, by_bias, 1e-8);
    assert_close!(d.first.weights, [by_bias, 2.0 * by_bias, -by_bias], 1e-8);
    assert_close!(dx, [0.5 * by_bias, -0.3 * by_bias, 0.2 * by_bias], 1e-8);
    let out = -y.sqrt();
    let hidden = (out - 0.3) / 2.0;
    assert_close!(d.second.weights, [0.0, 0.0, 2.0 * out * hidden]);
    assert_close!(d.first.gain, 4.0 * out * hidden / 1.5, 1e-6);
    let by_gain = d.first.gain;
    let tangent = Network { first: Layer { gain: 1.0, bias: 1.0, ..Layer::default() }, ..Network::default() };
    assert_close!(network_forward(&net, &tangent, &x), (y, by_bias + f64::from(by_gain)), 1e-6);
}

#[test]
fn integers_and_flags_in_a_shadow_are_left_alone() {
    let mut d = Network::default();
    (d.first.id, d.second.id, d.second.frozen) = (77, 88, true);
    network_reverse(&sample(), &mut d, &[1.0, 2.0, -1.0], &mut [0.0; 3], 1.0);
    assert_eq!((d.first.id, d.second.id, d.second.frozen, d.first.frozen), (77, 88, true, false));
    // Nor does a tangent's number choose a weight, or its flag what is computed.
    let mut tangent = Network { first: Layer { bias: 1.0, ..Layer::default() }, ..Network::default() };
    let expected = network_forward(&sample(), &tangent, &[1.0, 2.0, -1.0]);
    (tangent.first.id, tangent.second.id, tangent.second.frozen) = (77, 88, true);
    let before = (tangent.first, tangent.second);
    assert_eq!(network_forward(&sample(), &tangent, &[1.0, 2.0, -1.0]), expected);
    assert_eq!((tangent.first, tangent.second), before);
}

#[derive(Clone, Copy)]
struct Body {
    position: [f64; 2],
    velocity: [f64; 2],
    steps: u64,
}

#[autodiff(orbit_reverse, Reverse, Duplicated, Const)]
#[autodiff(orbit_forward, Forward, Dual, Const)]
fn orbit(body: &mut Body, steps: usize) {
    for _ in 0..steps {
        let r2 = body.position[0] * body.position[0] + body.position[1] * body.position[1];
        let pull = -0.01 / (r2 * r2.sqrt());
        for i in 0..2 {
            body.velocity[i] += pull * body.position[i];
            body.position[i] += 0.01 * body.velocity[i];
        }
        body.steps += 1;
    }
}

#[test]
fn a_structure_changed_in_place() {
    let start = Body { position: [1.0, 0.2], velocity: [-0.1, 0.9], steps: 3 };
    let run = |x: &[f64]| {
        let mut b = Body { position: [x[0], x[1]], velocity: [x[2], x[3]], steps: 0 };
        orbit(&mut b, 50);
        vec![b.position[0], b.position[1], b.velocity[0], b.velocity[1]]
    };
    let x = [1.0, 0.2, -0.1, 0.9];
    let v = [0.3, -0.2, 0.1, 0.4];
    let (mut b, mut d) = (start, Body { position: [0.3, -0.2], velocity: [0.1, 0.4], steps: 0 });
    orbit_forward(&mut b, &mut d, 50);
    let tangent = [d.position, d.velocity].concat();
    assert_close!(tangent, testing::differences::along(run, &x, &v), 1e-7);
    assert_eq!(b.steps, 53);

    let (mut b, mut d) = (start, Body { position: [1.0, 2.0], velocity: [3.0, 4.0], steps: 77 });
    orbit_reverse(&mut b, &mut d, 50);
    assert_eq!(d.steps, 77, "a number in an adjoint is nobody's business");
    let adjoint = [d.position, d.velocity].concat();
    assert_close!(testing::dot(&adjoint, &v), testing::dot(&tangent, &[1.0, 2.0, 3.0, 4.0]), 1e-11);
    assert_eq!(b.steps, 53);
}

scalar! {
    fn an_enum_that_carries_floats(x: f64) -> f64 {
        #[derive(Clone, Copy)]
        enum Shape { Circle(f64), Box { w: f64, h: f64 }, Nothing }
        #[inline(never)]
        fn area(s: &Shape) -> f64 {
            match *s { Shape::Circle(r) => r * r * 3.0, Shape::Box { w, h } => w * h, Shape::Nothing => 0.0 }
        }
        let shapes = [Shape::Circle(x), Shape::Box { w: x * x, h: 2.0 * x }, Shape::Nothing];
        area(&shapes[0]) * area(&shapes[1]) + area(&shapes[2])
    } at 0.6, 1.5;

    fn an_option_through_a_call(x: f64) -> f64 {
        #[inline(never)]
        fn root(x: f64) -> Option<f64> { if x >= 0.0 { Some(x.sqrt()) } else { None } }
        root(x).unwrap_or(-x) * root(-x).unwrap_or(x)
    } at 0.6, -1.5;
}

functional! {
    fn a_slice_of_arrays_on_the_stack(x: &[f64]) -> f64 {
        let points = [[x[0], x[1]], [x[2], x[0]], [x[1], x[1]]];
        let mut sum = 0.0;
        for pair in points.windows(2) {
            let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            sum += dx.hypot(dy);
        }
        sum
    } at [0.4, 1.2, -0.3];

    fn a_structure_that_borrows_the_input(x: &[f64]) -> f64 {
        struct View<'a> { data: &'a [f64], stride: usize, factor: f64 }
        impl View<'_> {
            #[inline(never)]
            fn at(&self, i: usize) -> f64 { self.data[i * self.stride] * self.factor }
        }
        let view = View { data: x, stride: 2, factor: x[1] };
        view.at(0) * view.at(1)
    } at [0.4, 1.2, -0.3, 0.8];
}

#[autodiff(points_reverse, Reverse, Duplicated, Active)]
fn length(points: &[[f64; 2]]) -> f64 {
    points.windows(2).map(|p| ((p[1][0] - p[0][0]).powi(2) + (p[1][1] - p[0][1]).powi(2)).sqrt()).sum()
}

#[test]
fn a_slice_of_arrays_has_a_slice_of_arrays_as_shadow() {
    let mut d = [[0.0; 2]; 3];
    assert_close!(points_reverse(&[[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]], &mut d, 1.0), 6.0);
    assert_close!(d, [[-0.6, -0.8], [0.6, 0.8 - 1.0], [0.0, 1.0]]);
}
