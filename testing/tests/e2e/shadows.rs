//! Shadows of types of one's own: made by `zeroed`, compared before anything is computed.

use crate::assert_close;
use cotangent::{Shadow, autodiff, zeroed};
use std::cell::Cell;
use std::cmp::Ordering;
use std::num::NonZero;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testing::refusal;

#[derive(Shadow, Clone, Debug, PartialEq)]
enum Layer {
    Dense { w: Vec<f64>, b: Vec<f64> },
    Scale(f64),
    Relu,
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Net {
    name: String,
    layers: Vec<Layer>,
    activation: Activation,
    rounds: usize,
}

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Activation {
    Tanh,
    Identity,
}

fn forward(net: &Net, x: &[f64]) -> f64 {
    let mut values = x.to_vec();
    for _ in 0..net.rounds {
        for layer in &net.layers {
            values = match layer {
                Layer::Dense { w, b } => {
                    let row = |(i, b): (usize, &f64)| {
                        b + w[i * values.len()..][..values.len()].iter().zip(&values).map(|(w, v)| w * v).sum::<f64>()
                    };
                    b.iter().enumerate().map(row).collect()
                }
                Layer::Scale(factor) => values.iter().map(|v| v * factor).collect(),
                Layer::Relu => values.iter().map(|v| v.max(0.0)).collect(),
            };
        }
    }
    let sum: f64 = values.iter().map(|v| v * v).sum();
    if net.activation == Activation::Tanh { sum.tanh() } else { sum }
}

#[autodiff(net_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(net_forward, Forward, Dual, Const, Dual)]
fn evaluate(net: &Net, x: &[f64]) -> f64 {
    forward(net, x)
}

fn net() -> Net {
    Net {
        name: "small".into(),
        layers: vec![
            Layer::Dense { w: vec![0.5, -0.2, 0.1, 0.4], b: vec![0.1, 0.2] },
            Layer::Relu,
            Layer::Scale(0.7),
            Layer::Dense { w: vec![0.3, 0.6, -0.1, 0.2], b: vec![0.0, 0.3] },
        ],
        activation: Activation::Tanh,
        rounds: 2,
    }
}

/// Every float of a network.
fn floats(net: &mut Net) -> Vec<&mut f64> {
    let of = |layer| match layer {
        &mut Layer::Dense { ref mut w, ref mut b } => w.iter_mut().chain(b).collect(),
        Layer::Scale(factor) => vec![factor],
        Layer::Relu => vec![],
    };
    net.layers.iter_mut().flat_map(of).collect()
}

#[test]
fn a_zeroed_shadow_of_a_tree_of_structs_and_enums_takes_the_gradient() {
    let (net, x) = (net(), [0.8, 0.3]);
    let mut adjoint = zeroed(&net);
    assert_eq!((&adjoint.name[..], adjoint.rounds, adjoint.activation), ("small", 2, Activation::Tanh));
    assert!(floats(&mut adjoint).iter().all(|value| **value == 0.0));
    assert_close!(net_reverse(&net, &mut adjoint, &x, 1.0), forward(&net, &x));
    for (index, adjoint) in floats(&mut adjoint).into_iter().enumerate() {
        let mut tangent = zeroed(&net);
        *floats(&mut tangent)[index] = 1.0;
        assert_close!(net_forward(&net, &tangent, &x).1, *adjoint);
        let at = |step: f64| {
            let mut moved = net.clone();
            *floats(&mut moved)[index] += step;
            forward(&moved, &x)
        };
        assert_close!((at(1e-5) - at(-1e-5)) / 2e-5, *adjoint, 1e-8);
    }
}

#[test]
fn another_variant_is_refused_with_both_names_and_nothing_is_written() {
    let net = net();
    let mut shadow = zeroed(&net);
    shadow.layers[3] = Layer::Relu;
    let before = shadow.clone();
    let message = refusal(|| net_reverse(&net, &mut shadow, &[0.8, 0.3], 1.0));
    assert_eq!(
        message,
        "the shadow of `net.layers[3]` is the variant `Relu`, but `net.layers[3]` is the variant `Dense`"
    );
    assert_eq!(shadow, before);
    assert_eq!(refusal(|| net_forward(&net, &shadow, &[0.8, 0.3])), message);
}

#[test]
fn another_length_inside_of_a_variant_is_refused_with_its_path() {
    let net = net();
    let mut shadow = zeroed(&net);
    shadow.layers[0] = Layer::Dense { w: vec![0.0; 4], b: vec![0.0; 3] };
    assert_eq!(
        refusal(|| net_reverse(&net, &mut shadow, &[0.8, 0.3], 1.0)),
        "the shadow of `net.layers[0].b` has length 3, but `net.layers[0].b` has length 2"
    );
}

#[test]
fn what_is_no_structure_may_differ() {
    let net = net();
    let mut shadow = Net { name: String::new(), activation: Activation::Identity, rounds: 0, ..zeroed(&net) };
    net_reverse(&net, &mut shadow, &[0.8, 0.3], 1.0);
    let mut expected = zeroed(&net);
    net_reverse(&net, &mut expected, &[0.8, 0.3], 1.0);
    assert_eq!(shadow.layers, expected.layers);
    assert_eq!((shadow.rounds, shadow.activation), (0, Activation::Identity));
}

#[derive(Shadow)]
enum Expression {
    Constant(f64),
    Variable { index: usize },
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Sine(Box<Expression>),
    Shared(Rc<Expression>),
}
use Expression::{Constant, Product, Shared, Sine, Sum, Variable};

#[autodiff(expression_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(expression_forward, Forward, Dual, Dual, DualOnly)]
fn value(e: &Expression, x: &[f64]) -> f64 {
    match e {
        Constant(c) => *c,
        Variable { index } => x[*index],
        Sum(a, b) => value(a, x) + value(b, x),
        Product(a, b) => value(a, x) * value(b, x),
        Sine(a) => value(a, x).sin(),
        Shared(a) => value(a, x),
    }
}

fn expression() -> Expression {
    let shared = Rc::new(Product(Box::new(Constant(3.0)), Box::new(Variable { index: 0 })));
    Sum(
        Box::new(Sine(Box::new(Shared(shared.clone())))),
        Box::new(Product(Box::new(Shared(shared)), Box::new(Constant(0.5)))),
    )
}

#[test]
fn what_is_shared_in_an_expression_is_shared_in_its_shadow() {
    let e = expression();
    let (mut de, mut dx) = (zeroed(&e), [0.0]);
    assert_close!(expression_reverse(&e, &mut de, &[0.4], &mut dx, 1.0), 1.2f64.sin() + 0.6);
    // sin(c x) + c x / 2: both owners of the constant see the whole adjoint.
    let by_c = 0.4 * 1.2f64.cos() + 0.2;
    assert_close!(dx, [3.0 * 1.2f64.cos() + 1.5]);
    let Sum(a, b) = &de else { panic!("a sum") };
    let (Sine(a), Product(b, half)) = (&**a, &**b) else { panic!("a sine and a product") };
    let constant = |e: &Expression| match e {
        Shared(e) => match &**e {
            Product(c, _) => match **c {
                Constant(c) => c,
                _ => panic!("a constant"),
            },
            _ => panic!("a product"),
        },
        _ => panic!("shared"),
    };
    assert_close!([constant(a), constant(b)], [by_c; 2]);
    assert!(matches!(**half, Constant(adjoint) if (adjoint - 1.2).abs() < 1e-12));
    assert_close!(expression_forward(&e, &zeroed(&e), &[0.4], &[2.0]), 2.0 * dx[0]);
}

#[test]
fn a_clone_of_an_rc_is_refused_where_adjoints_would_go_to_the_values() {
    let shared = Rc::new(Constant(2.0));
    let e = Sum(Box::new(Shared(shared.clone())), Box::new(Shared(shared.clone())));
    let mut shadow = Sum(Box::new(Shared(shared.clone())), Box::new(Shared(shared.clone())));
    let message = refusal(|| expression_reverse(&e, &mut shadow, &[], &mut [], 1.0));
    assert!(message.starts_with("the shadow of `e.0.0.0` shares its memory with `e.0.0.0`"), "{message}");
    assert!(matches!(*shared, Constant(2.0)));
    // As a tangent it is only read.
    assert_close!(expression_forward(&e, &shadow, &[], &[]), 4.0);
}

/// Generics, constants, tuples, cells, a lifetime, and fields of types without a shadow.
#[derive(Shadow)]
struct Mixed<'a, T, const N: usize>
where
    T: Copy + 'static,
{
    name: &'a str,
    weights: [T; N],
    cell: Cell<T>,
    shared: Arc<Vec<T>>,
    pair: (T, Option<Box<T>>),
    #[shadow(clone)]
    kind: std::time::Duration,
    #[shadow(zeroed = |v: &Vec<num_complex::Complex<f64>>| vec![Default::default(); v.len()])]
    waves: Vec<num_complex::Complex<f64>>,
    empty: Empty,
}

#[derive(Shadow)]
struct Empty;

/// Names that are words of the language or of the expansion.
#[derive(Shadow)]
enum Names<T = f64> {
    r#True {
        r#type: Vec<T>,
        place: f64,
        zeros: Vec<f64>,
    },
    #[deprecated]
    Shadow(T, Never),
    Primal {},
}

#[derive(Shadow)]
enum Never {}

#[autodiff(names_reverse, Reverse, Duplicated, Active)]
fn names(n: &Names) -> f64 {
    match n {
        Names::r#True { r#type, place, zeros } => r#type[0] * place * zeros[0],
        _ => 0.0,
    }
}

#[test]
fn names_that_are_words() {
    let n = |length| Names::r#True { r#type: vec![2.0; length], place: 3.0, zeros: vec![5.0] };
    let mut d = zeroed(&n(1));
    assert_close!(names_reverse(&n(1), &mut d, 1.0), 30.0);
    assert!(matches!(d, Names::r#True { r#type, place: 10.0, zeros } if r#type == [15.0] && zeros == [6.0]));
    let message = refusal(|| names_reverse(&n(1), &mut n(2), 1.0));
    assert_eq!(message, "the shadow of `n.type` has length 2, but `n.type` has length 1");
    let message = refusal(|| names_reverse(&n(1), &mut Names::Primal {}, 1.0));
    assert_eq!(message, "the shadow of `n` is the variant `Primal`, but `n` is the variant `True`");
}

#[autodiff(mixed_reverse, Reverse, Duplicated, Active)]
#[autodiff(mixed_forward, Forward, Dual, Dual)]
fn mixed(m: &Mixed<f64, 2>) -> f64 {
    let waves: f64 = m.waves.iter().map(|w| w.norm_sqr()).sum();
    let shared: f64 = m.shared.iter().map(|v| v * v).sum();
    let boxed = m.pair.1.as_deref().copied().unwrap_or(1.0);
    m.weights[0] * m.weights[1] * m.cell.get() + shared * m.pair.0 * boxed + waves * m.name.len() as f64
}

#[test]
fn generic_types_with_fields_of_all_kinds() {
    let m = Mixed {
        name: "ab",
        weights: [2.0, 3.0],
        cell: Cell::new(5.0),
        shared: Arc::new(vec![1.0, 2.0]),
        pair: (7.0, Some(Box::new(11.0))),
        kind: std::time::Duration::from_secs(3),
        waves: vec![num_complex::Complex::new(1.0, 2.0)],
        empty: Empty,
    };
    let mut d = zeroed(&m);
    assert_close!(mixed_reverse(&m, &mut d, 1.0), 30.0 + 5.0 * 77.0 + 10.0);
    assert_eq!((d.name, d.kind), (m.name, m.kind));
    assert_close!(d.weights, [15.0, 10.0]);
    assert_close!([d.cell.get(), d.pair.0, *d.pair.1.unwrap()], [6.0, 55.0, 35.0]);
    assert_close!(d.shared[..], [154.0, 308.0]);
    assert_close!([d.waves[0].re, d.waves[0].im], [4.0, 8.0]);
    let tangent = Mixed {
        weights: [1.0, 0.5],
        cell: Cell::new(2.0),
        shared: Arc::new(vec![0.5, 1.0]),
        pair: (1.0, Some(Box::new(3.0))),
        waves: vec![num_complex::Complex::new(1.0, 0.5)],
        ..zeroed(&m)
    };
    let by_field = [15.0 + 5.0, 6.0 * 2.0, 77.0 + 308.0, 55.0 + 35.0 * 3.0, 4.0 + 4.0];
    assert_close!(mixed_forward(&m, &tangent), (425.0, by_field.iter().sum::<f64>()));
    let mut short = zeroed(&m);
    short.waves.clear();
    assert_eq!(
        refusal(|| mixed_reverse(&m, &mut short, 1.0)),
        "the shadow of `m.waves` has length 0, but `m.waves` has length 1"
    );
}

/// A list of one's own, written in place.
#[derive(Shadow)]
struct List {
    value: f64,
    next: Option<Box<List>>,
}

#[autodiff(scale_reverse, Reverse, Duplicated, Active)]
#[autodiff(scale_forward, Forward, Dual, Active)]
fn scale(list: &mut List, factor: f64) {
    let mut node = Some(list);
    while let Some(list) = node {
        list.value *= factor;
        node = list.next.as_deref_mut();
    }
}

#[test]
fn a_list_that_is_written_in_place() {
    let list = || List { value: 2.0, next: Some(Box::new(List { value: 3.0, next: None })) };
    let (mut x, mut dx) = (list(), zeroed(&list()));
    (dx.value, dx.next.as_mut().unwrap().value) = (10.0, 100.0);
    assert_close!(scale_reverse(&mut x, &mut dx, 5.0), 320.0);
    assert_close!([dx.value, dx.next.as_ref().unwrap().value], [50.0, 500.0]);
    let mut shadow = List { value: 0.0, next: None };
    let message = refusal(|| scale_forward(&mut list(), &mut shadow, 1.0, 1.0));
    assert_eq!(message, "the shadow of `list.next` is the variant `None`, but `list.next` is the variant `Some`");
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Value(f32),
    One,
    Two,
}
#[inline(never)]
fn marked(m: Mark) -> f64 {
    match m {
        Mark::Value(v) => f64::from(v * v),
        Mark::One => 1.0,
        Mark::Two => 2.0,
    }
}
#[cotangent::autodiff(d_marks, Reverse, Duplicated, Active)]
fn marks(v: &[Mark]) -> f64 {
    let mut w = v.to_vec();
    w.swap(0, 2);
    w.iter().enumerate().map(|(i, m)| marked(*m) * (i + 1) as f64).sum()
}

/// In a copy that is made of the values, another variant is put where the first one was before the sweep goes back.
#[test]
fn variants_of_a_shadow_that_is_only_read_stay() {
    let v = [Mark::Value(2.0), Mark::One, Mark::Two, Mark::Value(3.0)];
    let mut shadow = [Mark::Value(0.0), Mark::One, Mark::Two, Mark::Value(0.0)];
    assert_eq!(d_marks(&v, &mut shadow, 1.0), 2.0 + 2.0 + 3.0 * 4.0 + 4.0 * 9.0);
    assert_eq!(shadow, [Mark::Value(12.0), Mark::One, Mark::Two, Mark::Value(24.0)]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Counted {
    Numbers(u32, u32),
    Pair(f32, f32),
}
#[inline(never)]
fn counted(c: Counted) -> f64 {
    match c {
        Counted::Numbers(m, n) => f64::from(m * n),
        Counted::Pair(a, b) => f64::from(a * b),
    }
}
#[cotangent::autodiff(d_pairs, Reverse, Duplicated, Active)]
fn pairs(c: &[Counted]) -> f64 {
    let mut all = c.to_vec();
    all.swap(0, 1);
    all.iter().zip(1..).map(|(c, i)| counted(*c) * f64::from(i)).sum()
}

/// Adjoints are added to what is there, of whatever sign, also where another variant has a number.
#[test]
fn adjoints_are_added_to_a_negative_zero_and_to_what_was_there() {
    let c = [Counted::Pair(2.0, 3.0), Counted::Numbers(2, 2), Counted::Pair(5.0, 7.0)];
    let mut shadow = [Counted::Pair(-0.0, 0.0), Counted::Numbers(2, 2), Counted::Pair(0.5, -0.0)];
    assert_eq!(d_pairs(&c, &mut shadow, 1.0), 4.0 + 2.0 * 6.0 + 3.0 * 35.0);
    assert_eq!(shadow, [Counted::Pair(6.0, 4.0), Counted::Numbers(2, 2), Counted::Pair(21.5, 15.0)]);
}

/// A run of a simulation, with what the standard library has beside floats.
#[derive(Shadow, Clone)]
struct Run {
    step: Duration,
    rounds: NonZero<u32>,
    last: Ordering,
    log: PathBuf,
    begun: Instant,
    heat: Vec<f64>,
}

#[autodiff(advance_reverse, Reverse, Duplicated, Const, Active)]
fn advance(run: &mut Run, rate: f64) -> f64 {
    for _ in 0..run.rounds.get() {
        run.step += Duration::from_millis(250);
        let h = run.step.as_secs_f64();
        let before = run.heat[0];
        run.heat.iter_mut().for_each(|v| *v -= h * rate * *v * *v);
        run.last = run.heat[0].total_cmp(&before);
    }
    run.rounds = run.rounds.saturating_add(1);
    if run.last == Ordering::Less { run.heat.iter().sum() } else { 0.0 }
}

#[test]
fn durations_and_other_types_of_std_without_floats_stay_in_a_shadow() {
    let run = Run {
        step: Duration::from_millis(500),
        rounds: NonZero::new(3).expect("not zero"),
        last: Ordering::Equal,
        log: PathBuf::from("run.log"),
        begun: Instant::now(),
        heat: vec![0.5, 0.25],
    };
    let mut d = zeroed(&run);
    let mut changed = run.clone();
    let value = advance_reverse(&mut changed, &mut d, 0.125, 1.0);
    assert_close!(value, advance(&mut run.clone(), 0.125));
    assert_eq!((d.step, d.rounds.get(), d.last, &d.log, d.begun), (run.step, 3, Ordering::Equal, &run.log, run.begun));
    let of = |heat: &[f64]| advance(&mut Run { heat: heat.to_vec(), ..run.clone() }, 0.125);
    assert_close!(d.heat, testing::differences::gradient(of, &run.heat), 1e-7);
}
