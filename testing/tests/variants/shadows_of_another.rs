//! Enums of one's own without `Shadow`: shadows of another variant are refused on the way, wherever they are in the argument.

use crate::assert_close;
use cotangent::autodiff;
use testing::refusal;

/// A discriminant of its own.
#[derive(Clone)]
enum Expression {
    Constant(f64),
    Variable(usize),
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
}
use Expression::{Constant, Product, Sum, Variable};

/// In the capacity of a vector, with one variant beside, and with several.
#[derive(Clone)]
enum Layer {
    Dense { w: Vec<f64>, b: Vec<f64> },
    Relu,
}
#[derive(Clone)]
enum Step {
    Weights(Vec<f64>),
    Relu,
    Scale(f64),
    Tanh,
}

/// Two variants that overlap, so that a float of the one is where a pointer of the other is.
#[derive(Clone)]
enum Overlap {
    Flat([f64; 5]),
    Tree(f64, usize, Vec<f64>, Box<f64>),
}

#[derive(Clone)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[derive(Clone)]
struct Model {
    expression: Expression,
    layers: Vec<Layer>,
    steps: Vec<Step>,
    overlap: [Overlap; 2],
    list: Option<Box<Node>>,
    factors: Option<Vec<f64>>,
    nested: Option<Overlap>,
    // No structure: may be anything in a shadow.
    seed: Option<usize>,
    kind: Kind,
    strict: bool,
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Doubled,
    Halved,
}

fn value(e: &Expression, x: f64) -> f64 {
    match e {
        Constant(c) => *c,
        Variable(power) => x.powi(*power as i32),
        Sum(a, b) => value(a, x) + value(b, x),
        Product(a, b) => value(a, x) * value(b, x),
    }
}

#[autodiff(model_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(model_forward, Forward, Dual, Const, Dual)]
fn model(m: &Model, x: f64) -> f64 {
    let mut s = value(&m.expression, x);
    for layer in &m.layers {
        s = match layer {
            Layer::Dense { w, b } => w.iter().zip(b).map(|(w, b)| w * s + b).sum(),
            Layer::Relu => s.max(0.0),
        };
    }
    for step in &m.steps {
        s = match step {
            Step::Weights(w) => w.iter().map(|w| w * s).sum(),
            Step::Relu => s.max(0.0),
            Step::Scale(factor) => factor * s,
            Step::Tanh => s.tanh(),
        };
    }
    for overlap in &m.overlap {
        if let Overlap::Tree(a, times, v, b) = overlap {
            s += a * v[0] * **b * *times as f64;
        }
    }
    let mut node = &m.list;
    while let Some(inner) = node {
        s += inner.value;
        node = &inner.next;
    }
    if let Some(factors) = &m.factors {
        s *= factors[0];
    }
    match &m.nested {
        Some(Overlap::Flat(all)) => s += all[4],
        Some(Overlap::Tree(.., b)) => s *= **b,
        None => {}
    }
    let s = match m.kind {
        Kind::Plain => s,
        Kind::Doubled => 2.0 * s,
        Kind::Halved => 0.5 * s,
    };
    let seed = m.seed.map_or(0.5, |seed| seed as f64 * x);
    if m.strict { s * seed } else { s + seed }
}

fn tree() -> Overlap {
    Overlap::Tree(0.5, 3, vec![1.5], Box::new(2.0))
}

fn boxed(e: Expression) -> Box<Expression> {
    Box::new(e)
}

fn list(values: &[f64]) -> Option<Box<Node>> {
    let (first, rest) = values.split_first()?;
    Some(Box::new(Node { value: *first, next: list(rest) }))
}

fn example() -> Model {
    Model {
        expression: Sum(boxed(Product(boxed(Constant(2.0)), boxed(Variable(1)))), boxed(Constant(3.0))),
        layers: vec![Layer::Dense { w: vec![0.3, 0.2], b: vec![0.1, 0.1] }, Layer::Relu],
        steps: vec![Step::Weights(vec![0.3, 0.4]), Step::Relu, Step::Scale(0.5), Step::Tanh],
        overlap: [tree(), Overlap::Flat([1.0; 5])],
        list: list(&[1.0, 2.0]),
        factors: Some(vec![1.1]),
        nested: Some(tree()),
        seed: Some(2),
        kind: Kind::Doubled,
        strict: true,
    }
}

/// What it is called, and how it makes one part of a shadow another variant than the example's.
type Change = (&'static str, fn(&mut Model));

const CHANGES: [Change; 18] = [
    ("a leaf for a tree", |m| m.expression = Constant(0.0)),
    ("a tree for a leaf", |m| {
        m.expression = Sum(boxed(Product(boxed(m.expression.clone()), boxed(Variable(1)))), boxed(Constant(3.0)));
    }),
    ("another operation", |m| m.expression = Product(boxed(m.expression.clone()), boxed(Constant(0.0)))),
    ("nothing for vectors", |m| m.layers[0] = Layer::Relu),
    ("vectors for nothing", |m| m.layers[1] = Layer::Dense { w: vec![], b: vec![] }),
    ("nothing for a vector", |m| m.steps[0] = Step::Relu),
    ("nothing for nothing", |m| m.steps[1] = Step::Tanh),
    ("a vector for nothing", |m| m.steps[1] = Step::Weights(vec![1.0])),
    ("a vector for a float", |m| m.steps[2] = Step::Weights(vec![1.0])),
    ("floats for pointers", |m| m.overlap[0] = Overlap::Flat([0.0; 5])),
    ("pointers for floats", |m| m.overlap[1] = tree()),
    ("no list", |m| m.list = None),
    ("a short list", |m| m.list = list(&[0.0])),
    ("a long list", |m| m.list = list(&[0.0; 3])),
    ("no vector", |m| m.factors = None),
    ("nothing for some", |m| m.nested = None),
    ("some of the other", |m| m.nested = Some(Overlap::Flat([0.0; 5]))),
    ("a vector of another length", |m| m.factors = Some(vec![])),
];

#[test]
fn a_shadow_of_another_variant_is_refused_wherever_it_is() {
    let m = example();
    for (what, change) in CHANGES {
        let mut shadow = example();
        change(&mut shadow);
        for message in
            [refusal(|| model_forward(&m, &shadow, 0.7)), refusal(|| model_reverse(&m, &mut shadow, 0.7, 1.0))]
        {
            let named =
                if what.ends_with("length") { "elements, the primal's" } else { "the primal's with the number" };
            assert!(message.contains(named), "{what}: {message}");
        }
    }
}

#[test]
fn variants_that_lead_nowhere_may_differ() {
    let m = example();
    let expected = model_forward(&m, &example(), 0.7);
    let other = Model { seed: None, kind: Kind::Halved, strict: false, ..example() };
    assert_close!([expected.0, expected.1], [model_forward(&m, &other, 0.7).0, model_forward(&m, &other, 0.7).1]);
    let other = Model { kind: Kind::Plain, ..other };
    let mut adjoint = other.clone();
    assert_close!(model_reverse(&m, &mut adjoint, 0.7, 1.0), expected.0);
    // The directional derivative along the model itself, by the adjoint that was added to the model's own values.
    let (of_list, before) = (adjoint.list.unwrap(), other.list.unwrap());
    let at = |step: f64| {
        let mut moved = example();
        moved.list.as_mut().unwrap().value += step;
        model(&moved, 0.7)
    };
    assert_close!(of_list.value - before.value, (at(1e-4) - at(-1e-4)) / 2e-4, 1e-8);
    assert!(adjoint.seed.is_none() && !adjoint.strict && matches!(adjoint.kind, Kind::Plain));
}

#[autodiff(each_reverse, Reverse, Duplicated, Active)]
fn each(items: &[Step]) -> f64 {
    items.iter().map(|item| if let Step::Scale(factor) = item { factor * factor } else { 1.0 }).product()
}

#[test]
fn the_outermost_variants_are_compared_before_anything_is_computed() {
    let items = [Step::Scale(3.0), Step::Tanh];
    let mut adjoint = [Step::Scale(0.0), Step::Tanh];
    assert_close!(each_reverse(&items, &mut adjoint, 1.0), 9.0);
    assert!(matches!(adjoint[0], Step::Scale(6.0)));
    let message = refusal(|| each_reverse(&items, &mut [Step::Scale(0.0), Step::Relu], 1.0));
    assert!(message.starts_with("the shadow of `items[1]` is the variant"), "{message}");
}

#[derive(Clone)]
struct View<'a> {
    data: &'a [f64],
    factor: f64,
}

#[autodiff(view_reverse, Reverse, Duplicated, Active)]
#[autodiff(view_forward, Forward, Dual, DualOnly)]
fn view(v: &View) -> f64 {
    v.data.iter().map(|x| x * x * v.factor).sum()
}

#[derive(Clone)]
struct Owners {
    weights: std::rc::Rc<Vec<f64>>,
    order: std::sync::Arc<Vec<usize>>,
    scale: std::sync::Arc<f64>,
}

#[autodiff(owners_reverse, Reverse, Duplicated, Active)]
fn owners(o: &Owners) -> f64 {
    o.order.iter().map(|i| o.weights[*i]).product::<f64>() * *o.scale
}

#[test]
fn a_shadow_that_leads_to_the_primals_own_floats_is_refused_in_reverse_mode() {
    let data = vec![1.0, 2.0];
    let v = View { data: &data, factor: 2.0 };
    assert!(refusal(|| view_reverse(&v, &mut v.clone(), 1.0)).starts_with("a shadow shares memory with its primal"));
    assert_eq!(data, [1.0, 2.0]);
    // As a tangent it is read, and what is empty is nowhere.
    assert_close!(view_forward(&v, &v.clone()), 30.0);
    let nothing = View { data: &[], factor: 1.0 };
    assert_close!(view_reverse(&nothing, &mut nothing.clone(), 1.0), 0.0);

    let o = Owners { weights: vec![2.0, 3.0].into(), order: vec![0, 1].into(), scale: 5.0.into() };
    let zero = Owners { weights: vec![0.0; 2].into(), scale: 0.0.into(), ..o.clone() };
    assert_close!(owners_reverse(&o, &mut zero.clone(), 1.0), 30.0);
    assert_close!([zero.weights[0], zero.weights[1], *zero.scale], [15.0, 10.0, 6.0]);
    for mut shared in
        [Owners { weights: o.weights.clone(), ..zero.clone() }, Owners { scale: o.scale.clone(), ..zero.clone() }]
    {
        let message = refusal(|| owners_reverse(&o, &mut shared, 1.0));
        assert!(message.starts_with("a shadow shares memory with its primal"), "{message}");
    }
    assert_eq!((&o.weights[..], *o.scale), (&[2.0, 3.0][..], 5.0));
}
