//! Calls through pointers that are only known when running: function pointers, `dyn Fn`, `dyn Trait`.

use crate::{assert_close, functional};
use cotangent::autodiff;
use std::cell;
use std::collections::BTreeMap;

#[autodiff(through_dyn_reverse, Reverse, Const, Active, ActiveOnly)]
fn through_dyn(f: &dyn Fn(usize) -> f64, x: f64) -> f64 {
    f(3) * x * x
}

#[test]
fn a_dyn_fn_applied_to_constants_is_constant() {
    let offset = 0.5;
    assert_close!(through_dyn_reverse(&|n| n as f64 + offset, 2.0, 1.0), 14.0);
}

fn square(x: f64) -> f64 {
    x * x
}

fn cube(x: f64) -> f64 {
    x * x * x
}

#[inline(never)]
fn visit(f: &mut dyn FnMut(f64), values: &[f64]) {
    values.iter().for_each(|value| f(*value));
}

trait Meter {
    fn add(&self, value: f64);
    fn result(&self) -> f64;
}

struct Mean {
    sum: cell::Cell<f64>,
    count: cell::Cell<usize>,
    weighted: cell::Cell<bool>,
}

impl Meter for Mean {
    fn add(&self, value: f64) {
        self.count.set(self.count.get() + 1);
        let weight = if self.weighted.get() { self.count.get() as f64 } else { 1.0 };
        self.sum.set(self.sum.get() + weight * value);
    }
    fn result(&self) -> f64 {
        self.sum.get() / self.count.get() as f64
    }
}

struct Largest {
    best: cell::Cell<f64>,
    at: cell::Cell<usize>,
    seen: cell::Cell<usize>,
}

impl Meter for Largest {
    fn add(&self, value: f64) {
        if self.seen.get() == 0 || value > self.best.get() {
            self.best.set(value);
            self.at.set(self.seen.get());
        }
        self.seen.set(self.seen.get() + 1);
    }
    fn result(&self) -> f64 {
        self.best.get() * (1 + self.at.get()) as f64
    }
}

#[inline(never)]
fn fed(meter: &dyn Meter, values: &[f64]) -> f64 {
    values.iter().for_each(|value| meter.add(value * value));
    meter.result()
}

static FUNCTIONS: [fn(f64) -> f64; 3] = [square, cube, f64::sin];

#[derive(Clone, Copy)]
struct Named {
    factor: usize,
    function: fn(f64) -> f64,
}

trait Shape {
    fn area(&self, by: f64) -> f64;
    fn twice(&self, by: f64) -> f64 {
        2.0 * self.area(by)
    }
}
struct Disc(f64);
struct Sheet {
    sides: Vec<f64>,
}
impl Shape for Disc {
    fn area(&self, by: f64) -> f64 {
        self.0 * self.0 * by
    }
}
impl Shape for Sheet {
    fn area(&self, by: f64) -> f64 {
        self.sides.iter().product::<f64>() * by.sin()
    }
}

trait Cell {
    fn step(&mut self, input: f64) -> f64;
}
struct Leaky(f64, usize);
struct Memory {
    seen: Vec<f64>,
}
impl Cell for Leaky {
    fn step(&mut self, input: f64) -> f64 {
        self.0 = self.0.sin() + input;
        self.1 += 1;
        self.0 * self.1 as f64
    }
}
impl Cell for Memory {
    fn step(&mut self, input: f64) -> f64 {
        let last = self.seen[self.seen.len() - 1];
        self.seen.push(last * input);
        last + input * input
    }
}

trait Expression {
    fn value(&self, x: &[f64]) -> f64;
}
struct Variable(usize);
struct Sum(Box<dyn Expression>, Box<dyn Expression>);
struct Product(Box<dyn Expression>, Box<dyn Expression>);
struct Sine(Box<dyn Expression>);
impl Expression for Variable {
    fn value(&self, x: &[f64]) -> f64 {
        x[self.0]
    }
}
impl Expression for Sum {
    fn value(&self, x: &[f64]) -> f64 {
        self.0.value(x) + self.1.value(x)
    }
}
impl Expression for Product {
    fn value(&self, x: &[f64]) -> f64 {
        self.0.value(x) * self.1.value(x)
    }
}
impl Expression for Sine {
    fn value(&self, x: &[f64]) -> f64 {
        self.0.value(x).sin()
    }
}

functional! {
    fn an_array_of_function_pointers(x: &[f64]) -> f64 {
        let functions: [fn(f64) -> f64; 3] = [square, cube, f64::exp];
        x.iter().enumerate().map(|(i, x)| functions[std::hint::black_box(i) * 7 % 3](*x)).sum()
    } at [0.4, 1.2, -0.3, 0.7];

    fn a_static_table_of_functions(x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, x)| FUNCTIONS[std::hint::black_box(i) % 3](*x)).product()
    } at [0.4, 1.2, -0.3, 0.7];

    fn function_pointers_in_structures(x: &[f64]) -> f64 {
        let all = [Named { factor: 1, function: square }, Named { factor: 3, function: cube }];
        let pick = |i: usize| all[std::hint::black_box(i) % 2];
        x.iter().enumerate().map(|(i, x)| (pick(i).function)(*x) * pick(i).factor as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7];

    fn function_pointers_in_a_map(x: &[f64]) -> f64 {
        let mut map: BTreeMap<&str, fn(f64) -> f64> = BTreeMap::new();
        map.insert("square", square);
        map.insert("cube", cube);
        map["square"](x[0]) * map["cube"](x[1])
    } at [0.4, 1.2];

    fn boxed_closures_in_a_vec(x: &[f64]) -> f64 {
        let k = x[1];
        let all: Vec<Box<dyn Fn(f64) -> f64>> =
            vec![Box::new(move |v| v * k), Box::new(|v: f64| v.sin()), Box::new(move |v| v * v + k)];
        all.iter().fold(x[0], |y, f| f(y))
    } at [0.4, 1.2];

    fn a_boxed_closure_that_changes_what_it_captures(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        {
            let mut add: Box<dyn FnMut(f64) + '_> =
                if x[0] > 0.0 { Box::new(|v: f64| sum += v * v) } else { Box::new(|v: f64| sum += v) };
            for v in x {
                add(*v);
            }
        }
        sum * x[1]
    } at [0.4, 1.2, -0.3];

    fn a_counter_beside_a_float_in_what_a_closure_changes(x: &[f64]) -> f64 {
        let mut state = (0.0, 0usize);
        visit(
            &mut |t| {
                state.0 += t * t * state.1 as f64;
                state.1 += 1;
            },
            x,
        );
        state.0 * state.1 as f64
    } at [0.3, 0.7, -0.4, 0.9];

    fn counters_and_flags_beside_floats_in_dyn_objects(x: &[f64]) -> f64 {
        let mean = Mean { sum: cell::Cell::new(x[0]), count: cell::Cell::new(0), weighted: cell::Cell::new(x[1] > 0.0) };
        let largest = Largest { best: cell::Cell::new(0.0), at: cell::Cell::new(0), seen: cell::Cell::new(0) };
        let all: [&dyn Meter; 2] = [&mean, &largest];
        all.iter().map(|meter| fed(*meter, x)).product()
    } at [0.3, 0.7, -0.4, 0.9];

    fn counters_in_boxed_closures_in_a_vec(x: &[f64]) -> f64 {
        let (mut calls, mut total, mut last) = (0usize, x[0], (0u32, 0.0));
        let mut all: Vec<Box<dyn FnMut(f64) -> f64>> = vec![
            Box::new(move |t| {
                calls += 1;
                total += t;
                total * calls as f64
            }),
            Box::new(move |t| {
                last.0 += 2;
                last.1 = t * last.1 + t;
                last.1 * f64::from(last.0)
            }),
        ];
        let mut sum = 0.0;
        for value in x {
            sum += all.iter_mut().map(|f| f(*value)).product::<f64>();
        }
        sum
    } at [0.3, 0.7, -0.4, 0.9];

    fn a_boxed_closure_called_once(x: &[f64]) -> f64 {
        let k = x[0];
        let f: Box<dyn FnOnce(f64) -> f64> = if k > 0.0 {
            let v = x.to_vec();
            Box::new(move |t| t * v[1] * k)
        } else {
            Box::new(|t| t)
        };
        f(x[2]) * x[1]
    } at [0.4, 1.2, -0.3];

    fn a_closure_as_a_dyn_argument(x: &[f64]) -> f64 {
        #[inline(never)]
        fn march(rate: &dyn Fn(f64, f64) -> f64, mut y: f64, steps: usize) -> f64 {
            for i in 0..steps {
                let t = i as f64 * 0.1;
                let middle = y + 0.05 * rate(t, y);
                y += 0.1 * rate(t + 0.05, middle);
            }
            y
        }
        let (a, b) = (x[0], x[1]);
        march(&|t, y| (b * t).sin() - a * y, x[2], 20) + march(&|_, y| y * a, x[1], 3)
    } at [0.4, 1.2, -0.3];

    fn an_iterator_as_a_dyn_argument(x: &[f64]) -> f64 {
        #[inline(never)]
        fn total(all: &mut dyn Iterator<Item = f64>) -> f64 {
            let mut sum = 0.0;
            while let Some(v) = all.next() {
                sum += v * v;
            }
            sum
        }
        total(&mut x.iter().copied()) * total(&mut x.iter().map(|v| v.sin()))
    } at [0.4, 1.2, -0.3];

    fn a_boxed_iterator(x: &[f64]) -> f64 {
        let all: Box<dyn Iterator<Item = f64> + '_> =
            if x[0] > 0.0 { Box::new(x.iter().map(|v| v * v)) } else { Box::new(x.iter().copied()) };
        all.sum()
    } at [0.4, 1.2, -0.3];

    fn trait_objects_with_state(x: &[f64]) -> f64 {
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Disc(x[0])), Box::new(Sheet { sides: x.to_vec() })];
        shapes.iter().map(|s| s.area(x[1]) * s.twice(x[2])).sum()
    } at [0.4, 1.2, -0.3];

    fn a_trait_object_chosen_by_data(x: &[f64]) -> f64 {
        let (disc, sheet) = (Disc(x[1]), Sheet { sides: vec![x[0], x[2]] });
        let shape: &dyn Shape = if x[0] > 0.5 { &disc } else { &sheet };
        shape.area(x[1]) * x[2]
    } at [0.4, 1.2, -0.3];

    fn trait_objects_that_change(x: &[f64]) -> f64 {
        let mut all: Vec<Box<dyn Cell>> = vec![Box::new(Leaky(x[0], 0)), Box::new(Memory { seen: vec![x[1]] })];
        (0..6).map(|i| all[i % 2].step(x[2] + i as f64)).sum()
    } at [0.4, 1.2, -0.3];

    fn a_tree_of_trait_objects(x: &[f64]) -> f64 {
        let product = Product(Box::new(Variable(0)), Box::new(Variable(1)));
        Sum(Box::new(product), Box::new(Sine(Box::new(Variable(2))))).value(x)
    } at [0.4, 1.2, -0.3];
}

trait Layer {
    fn apply(&self, x: &[f64], y: &mut Vec<f64>);
    fn weights(&self) -> Vec<f64>;
}
struct Linear {
    weights: Vec<f64>,
    inputs: usize,
}
struct Tanh;
impl Layer for Linear {
    fn apply(&self, x: &[f64], y: &mut Vec<f64>) {
        y.clear();
        for row in self.weights.chunks(self.inputs) {
            y.push(row.iter().zip(x).map(|(a, b)| a * b).sum());
        }
    }
    fn weights(&self) -> Vec<f64> {
        self.weights.clone()
    }
}
impl Layer for Tanh {
    fn apply(&self, x: &[f64], y: &mut Vec<f64>) {
        y.clear();
        y.extend(x.iter().map(|v| v.tanh()));
    }
    fn weights(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[autodiff(output_forward, Forward, Dual, Dual, Dual)]
#[autodiff(output_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(output_of_inputs, Reverse, Const, Duplicated, Active)]
fn output(layers: &[Box<dyn Layer>], x: &[f64]) -> f64 {
    let (mut from, mut to) = (x.to_vec(), Vec::new());
    for layer in layers {
        layer.apply(&from, &mut to);
        std::mem::swap(&mut from, &mut to);
    }
    from.iter().sum()
}

/// Layers of unequal width; every weight is a multiple of `scale`.
fn network(scale: f64) -> Vec<Box<dyn Layer>> {
    let first = (0..6).map(|i| scale * (f64::from(i) * 0.7 + 0.1).sin()).collect();
    let last = vec![0.3 * scale, 0.4 * scale, -0.2 * scale];
    vec![Box::new(Linear { weights: first, inputs: 2 }), Box::new(Tanh), Box::new(Linear { weights: last, inputs: 3 })]
}

#[test]
fn layers_behind_an_argument_have_shadows_of_their_own() {
    let (net, x) = (network(1.0), [0.4, -0.3]);
    let (mut shadow, mut dx) = (network(0.0), [0.0; 2]);
    assert_close!(output_reverse(&net, &mut shadow, &x, &mut dx, 1.0), output(&net, &x));
    let sum = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let along: f64 = shadow.iter().zip(&net).map(|(d, l)| sum(d.weights(), l.weights())).sum();
    let (value, tangent) = output_forward(&net, &net, &x, &[0.0; 2]);
    assert_close!(value, output(&net, &x));
    assert_close!(along, tangent);
    let h = 1e-6;
    let slope = (output(&network(1.0 + h), &x) - output(&network(1.0 - h), &x)) / (2.0 * h);
    assert_close!(tangent, slope, 1e-8);

    let mut alone = [0.0; 2];
    output_of_inputs(&net, &x, &mut alone, 1.0);
    assert_close!(alone[0], dx[0]);
    assert_close!(alone[1], dx[1]);
    let slope = (output(&net, &[x[0] + h, x[1]]) - output(&net, &[x[0] - h, x[1]])) / (2.0 * h);
    assert_close!(dx[0], slope, 1e-8);
}

fn through_assembly(x: f64) -> f64 {
    let mut y = x;
    unsafe { std::arch::asm!("addsd {0}, {0}", inout(xmm_reg) y) };
    y
}

static CHOICES: [fn(f64) -> f64; 3] = [square, through_assembly, cube];

#[autodiff(applied_reverse, Reverse, Const, Active, Active)]
#[autodiff(applied_forward, Forward, Const, Dual, Dual)]
fn applied(which: usize, x: f64) -> f64 {
    CHOICES[which](x) * 2.0
}

#[test]
fn a_function_that_cannot_be_differentiated_is_an_error_only_where_it_is_called() {
    assert_eq!(applied_reverse(0, 3.0, 1.0), (18.0, 12.0));
    assert_eq!(applied_forward(0, 3.0, 1.0), (18.0, 12.0));
    for derivative in [|| applied_reverse(1, 3.0, 1.0), || applied_forward(1, 3.0, 1.0)] {
        let Err(panic) = std::panic::catch_unwind(derivative) else { panic!("a derivative out of nowhere") };
        let message = panic.downcast_ref::<String>().map_or("", |m| m);
        assert!(message.contains("through_assembly") && message.contains("CT0202"), "{message}");
    }
    assert_eq!(applied_reverse(2, 2.0, 1.0), (16.0, 24.0));
}

/// A method whose result has a place of its own, so that the object is its second operand, and whose slices are of either float.
trait Filled<T> {
    fn filled(&self, x: &[T], y: &mut [T]) -> Result<(), [usize; 3]>;
}

struct Scaled(f64, u8);

impl Filled<f64> for Scaled {
    fn filled(&self, x: &[f64], y: &mut [f64]) -> Result<(), [usize; 3]> {
        if x.len() != y.len() {
            return Err([x.len(), y.len(), usize::from(self.1)]);
        }
        y.iter_mut().zip(x).for_each(|(y, x)| *y = self.0 * x * x);
        Ok(())
    }
}

impl Filled<f32> for Scaled {
    fn filled(&self, _: &[f32], _: &mut [f32]) -> Result<(), [usize; 3]> {
        Err([0; 3])
    }
}

#[test]
fn a_method_whose_result_goes_through_memory() {
    let object: Box<dyn Filled<f64>> = Box::new(Scaled(3.0, 0));
    let other: Box<dyn Filled<f32>> = Box::new(Scaled(1.0, 0));
    assert!(other.filled(&[], &mut []).is_err());
    let f = |x: &[f64]| {
        let mut y = [0.0; 2];
        object.filled(x, &mut y).unwrap();
        y[0] * y[1]
    };
    assert_close!(cotangent::gradient(f, &[1.0, 2.0]), [72.0, 36.0]);
    assert_close!(cotangent::jvp(f, &[1.0, 2.0], &[1.0, 0.0]), (36.0, 72.0));
}

struct Nothing;

impl companion::Kernel for Nothing {
    fn into(&self, _: &[f64], _: &mut [f64]) {}
}

#[test]
fn an_object_of_another_crate_is_no_zero_because_those_that_are_seen_do_nothing() {
    let gradient_with = |kernel: &dyn companion::Kernel| {
        let f = |x: &[f64]| {
            let mut y = [0.5, 0.5];
            kernel.into(x, &mut y);
            y[0] * y[1] + x[0]
        };
        (cotangent::gradient(f, &[1.0, 2.0]), cotangent::jvp(f, &[1.0, 2.0], &[1.0, 0.0]))
    };
    assert_eq!(gradient_with(&Nothing), (vec![1.0, 0.0], (1.25, 1.0)));
    let unseen = companion::kernel();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gradient_with(&*unseen)));
    match result {
        Ok(derivatives) => assert_eq!(derivatives, (vec![9.0, 4.0], (5.0, 9.0))),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map_or("", |m| m);
            assert!(message.contains("could not be seen"), "{message}");
        }
    }
}

trait Step {
    fn apply(&self, value: f64) -> f64;

    /// As many methods before it, and the same type, as the object has that `main` is called through.
    fn priority(&self) -> i32 {
        0
    }
}

struct Shifted(f64);

impl Step for Shifted {
    fn apply(&self, value: f64) -> f64 {
        value + self.0
    }

    fn priority(&self) -> i32 {
        2
    }
}

struct Stretched(f64);

impl Step for Stretched {
    fn apply(&self, value: f64) -> f64 {
        value * self.0
    }
}

/// An iterator behind a `dyn`, and what it gave last.
struct Summing<'a> {
    inner: Box<dyn Iterator<Item = f64> + 'a>,
    last: f64,
}

impl Iterator for Summing<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.last += self.inner.next()?;
        Some(self.last)
    }
}

fn from_either_end(x: &[f64], from_the_back: bool) -> Box<dyn Iterator<Item = f64> + '_> {
    if from_the_back { Box::new(x.iter().rev().copied()) } else { Box::new(x.iter().map(|v| v * v)) }
}

functional! {
    fn steps_in_the_order_of_a_number_of_theirs(x: &[f64]) -> f64 {
        let mut steps: Vec<Box<dyn Step>> = vec![Box::new(Shifted(x[0])), Box::new(Stretched(x[1])), Box::new(Shifted(x[1]))];
        steps.sort_by_key(|step| step.priority());
        steps.iter().fold(x[0], |value, step| step.apply(value))
    } at [0.7, -0.4];

    fn boxed_iterators_from_either_end_behind_another(x: &[f64]) -> f64 {
        let sum = |from_the_back| Summing { inner: from_either_end(x, from_the_back), last: 0.0 }.map(|v| v * x[1]).sum::<f64>();
        sum(true) * 2.0 + sum(x[0] < 0.0)
    } at [0.7, -0.4, 1.3];

    fn boxed_iterators_around_boxed_iterators(x: &[f64]) -> f64 {
        let mut all: Box<dyn Iterator<Item = f64> + '_> = Box::new(x.iter().rev().copied());
        for factor in x {
            all = Box::new(all.map(move |v| v * factor + 1.0));
        }
        all.sum()
    } at [0.7, -0.4, 1.3];
}
