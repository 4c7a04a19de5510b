//! Programs that are made of enums: expressions that are rewritten, documents, machines with states, queues of events, errors with texts.

use crate::functional;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone)]
enum Expr {
    Variable(usize),
    Constant(f64),
    Sum(Box<Expr>, Box<Expr>),
    Product(Vec<Expr>),
    Power(Box<Expr>, i32),
    Call(String, Box<Expr>),
}

impl Expr {
    #[inline(never)]
    fn new(x: &[f64]) -> Expr {
        let square = Expr::Power(Box::new(Expr::Variable(2)), 2);
        let product = Expr::Product(vec![Expr::Variable(0), Expr::Constant(x[1]), square]);
        let sum = Expr::Sum(Box::new(Expr::Constant(x[3])), Box::new(Expr::Variable(4)));
        Expr::Sum(Box::new(product), Box::new(Expr::Call("sin".to_owned(), Box::new(sum))))
    }

    fn value(&self, x: &[f64]) -> f64 {
        match self {
            Expr::Variable(i) => x[*i],
            Expr::Constant(c) => *c,
            Expr::Sum(a, b) => a.value(x) + b.value(x),
            Expr::Product(all) => all.iter().map(|e| e.value(x)).product(),
            Expr::Power(base, n) => base.value(x).powi(*n),
            Expr::Call(name, argument) if name == "sin" => argument.value(x).sin(),
            Expr::Call(_, argument) => argument.value(x),
        }
    }

    /// The same expression with constants in the place of variables.
    fn bound(&self, x: &[f64]) -> Expr {
        match self {
            Expr::Variable(i) => Expr::Constant(x[*i]),
            Expr::Constant(c) => Expr::Constant(*c),
            Expr::Sum(a, b) => Expr::Sum(Box::new(a.bound(x)), Box::new(b.bound(x))),
            Expr::Product(all) => Expr::Product(all.iter().map(|e| e.bound(x)).collect()),
            Expr::Power(base, n) => Expr::Power(Box::new(base.bound(x)), *n),
            Expr::Call(name, argument) => Expr::Call(name.clone(), Box::new(argument.bound(x))),
        }
    }
}

#[derive(Clone)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    Table(BTreeMap<String, Json>),
}

impl Json {
    #[inline(never)]
    fn new(x: &[f64]) -> Json {
        let mixed =
            vec![Json::Null, Json::Bool(true), Json::Number(x[1]), Json::Text("hey".into()), Json::Number(x[2])];
        let inner = Json::Object(vec![("e".into(), Json::Number(x[3] * x[4]))]);
        Json::Object(vec![("a".into(), Json::Number(x[0])), ("bc".into(), Json::List(mixed)), ("d".into(), inner)])
    }

    fn total(&self) -> f64 {
        match self {
            Json::Null => 0.0,
            Json::Bool(b) => f64::from(u8::from(*b)) + 0.5,
            Json::Number(n) => n * n,
            Json::Text(text) => text.len() as f64,
            Json::List(all) => all.iter().map(Json::total).sum(),
            Json::Object(all) => all.iter().map(|(key, value)| key.len() as f64 * value.total()).sum(),
            Json::Table(all) => all.iter().map(|(key, value)| key.len() as f64 * value.total()).sum(),
        }
    }

    fn scaled(self, by: f64) -> Json {
        match self {
            Json::Number(n) => Json::Number(n * by),
            Json::List(all) => Json::List(all.into_iter().map(|value| value.scaled(by)).collect()),
            Json::Object(all) => Json::Object(all.into_iter().map(|(key, value)| (key, value.scaled(by))).collect()),
            other => other,
        }
    }
}

enum State {
    Idle,
    Moving { at: f64, speed: f64 },
    Waiting { at: f64, until: u32, log: Vec<f64> },
    Done(f64, String),
}

impl State {
    #[inline(never)]
    fn next(self, x: &[f64], k: u32) -> State {
        match self {
            State::Idle => State::Moving { at: x[0], speed: x[1] },
            State::Moving { at, speed } if at > 1.5 => State::Waiting { at, until: k + 2, log: vec![at, speed] },
            State::Moving { at, speed } => State::Moving { at: at + speed * 0.5, speed: speed * x[2].cos() + 0.3 },
            State::Waiting { at, until, log } if k >= until => State::Done(at * log[1], k.to_string()),
            State::Waiting { at, until, mut log } => {
                log.push(at * x[3]);
                State::Waiting { at: at + log[0] * 0.1, until, log }
            }
            done => done,
        }
    }
}

enum Event {
    Payment { at: f64, amount: f64 },
    Rate(f64),
    Close,
    Note(String),
}

#[derive(Clone)]
enum Shape {
    Dot(f64),
    Line(f64, f64),
    Path(Vec<f64>),
}

impl Shape {
    #[inline(never)]
    fn parsed(x: &[f64], k: usize) -> Result<Shape, String> {
        match k {
            0 => Ok(Shape::Dot(x[0])),
            1 => Ok(Shape::Line(x[1], x[2])),
            2 => Ok(Shape::Path(x.to_vec())),
            k => Err(format!("no {k}")),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Shape::Dot(a) => *a,
            Shape::Line(a, b) => a * b,
            Shape::Path(all) => all.iter().map(|a| a * a).sum(),
        }
    }
}

const X: [f64; 5] = [-0.65, 0.33, 0.4, 0.47, -0.57];

functional! {
    fn an_expression_is_rewritten(x: &[f64]) -> f64 {
        let e = Expr::new(x);
        e.value(x) * e.bound(x).value(&[])
    } at X;

    fn a_document_is_cloned_and_scaled(x: &[f64]) -> f64 {
        let document = Json::new(x);
        document.total() + document.clone().scaled(x[1]).total()
    } at X;

    fn a_document_with_a_table(x: &[f64]) -> f64 {
        let table = [("a".to_owned(), Json::Number(x[0])), ("bc".to_owned(), Json::new(x))].into_iter().collect();
        Json::Table(table).total() * x[3]
    } at X;

    fn a_machine_goes_from_state_to_state(x: &[f64]) -> f64 {
        let last = (0..12).fold(State::Idle, |state, k| state.next(x, k));
        match last {
            State::Idle => 0.0,
            State::Moving { at, speed } => at * speed,
            State::Waiting { at, log, .. } => at + log.iter().sum::<f64>(),
            State::Done(value, text) => value * text.len() as f64,
        }
    } at [1.1, 0.7, 1.3, 0.9];

    fn events_make_events(x: &[f64]) -> f64 {
        let first = Event::Payment { at: 1.0, amount: x[1] };
        let second = Event::Payment { at: 2.0, amount: x[2] };
        let all = [Event::Rate(x[0]), first, Event::Note("n".into()), second, Event::Rate(x[3]), Event::Close];
        let (mut queue, mut rate, mut sum) = (VecDeque::from(all), 0.0, 0.0);
        while let Some(event) = queue.pop_front() {
            match event {
                Event::Payment { at, amount } => {
                    sum += amount * f64::exp(-rate * at);
                    if at < 2.5 && amount > 0.35 {
                        queue.push_back(Event::Payment { at: at + 1.5, amount: amount * 0.9 });
                    }
                }
                Event::Rate(r) => rate = r * 0.1,
                Event::Close => queue.push_back(Event::Rate(rate * 2.0)),
                Event::Note(text) => sum += text.len() as f64,
            }
        }
        sum
    } at X;

    fn errors_are_partitioned_from_shapes(x: &[f64]) -> f64 {
        let all: Vec<Result<Shape, String>> = (0..5).map(|k| Shape::parsed(x, k)).collect();
        let (good, bad): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
        let good: Vec<Shape> = good.into_iter().flatten().collect();
        good.iter().map(Shape::size).sum::<f64>() * bad.len() as f64
    } at X;

    fn shapes_are_collected_or_an_error_is(x: &[f64]) -> f64 {
        let all = |n: usize| (0..n).map(|k| Shape::parsed(x, k)).collect::<Result<Vec<Shape>, String>>();
        let size = all(3).map_or(1.0, |shapes| shapes.iter().map(Shape::size).sum());
        size * all(4).map_or_else(|error| error.len() as f64, |shapes| shapes.len() as f64)
    } at X;
}
