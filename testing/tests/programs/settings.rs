//! Enums with flags, texts, vectors and numbers beside floats: settings, instructions, states, lists.

use crate::functional;
use std::collections::BTreeMap;

#[expect(dead_code, reason = "a variant that is never made")]
enum State {
    Start,
    Running { at: f64, count: u32 },
    Logged { text: String, value: f64 },
    Failed(u32, String),
    Done(f64),
}

fn step(s: State, x: &[f64]) -> State {
    match s {
        State::Start => State::Running { at: x[0], count: 0 },
        State::Running { at, count } if count > 2 => State::Logged { text: format!("n{count}"), value: at },
        State::Running { at, count } => State::Running { at: at * x[1] + 0.1, count: count + 1 },
        State::Logged { mut text, value } => {
            text.push('!');
            if text.len() > 4 {
                State::Done(value * text.len() as f64)
            } else {
                State::Logged { text, value: value.sin() }
            }
        }
        s => s,
    }
}

fn run(s: State, x: &[f64], n: usize) -> State {
    if n == 0 { s } else { run(step(s, x), x, n - 1) }
}

#[derive(Clone)]
enum List {
    Nil,
    Cons(f64, Box<List>),
    Named(String, u32, Box<List>),
}

impl List {
    fn push(self, v: f64) -> List {
        List::Cons(v, Box::new(self))
    }
    fn doubled(self) -> List {
        match self {
            List::Nil => List::Nil,
            List::Cons(v, rest) => List::Cons(2.0 * v, Box::new(rest.doubled())),
            List::Named(mut name, k, rest) => {
                name.push('x');
                List::Named(name, k + 1, Box::new(rest.doubled()))
            }
        }
    }
    fn sum(&self) -> f64 {
        match self {
            List::Nil => 0.0,
            List::Cons(v, rest) => v * v + rest.sum(),
            List::Named(name, k, rest) => name.len() as f64 * *k as f64 * rest.sum(),
        }
    }
    fn reversed(self) -> List {
        let (mut out, mut at) = (List::Nil, self);
        loop {
            match at {
                List::Nil => return out,
                List::Cons(v, rest) => {
                    out = List::Cons(v, Box::new(out));
                    at = *rest;
                }
                List::Named(name, k, rest) => {
                    out = List::Named(name, k, Box::new(out));
                    at = *rest;
                }
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Setting {
    Flag(bool),
    Gain(f64),
    Pair(f64, f64),
    Table(Vec<f64>),
    Name(String),
}

impl Setting {
    fn total(&self) -> f64 {
        match self {
            Setting::Flag(b) => {
                if *b {
                    1.5
                } else {
                    0.5
                }
            }
            Setting::Gain(g) => *g,
            Setting::Pair(a, b) => a * b,
            Setting::Table(t) => t.iter().map(|v| v * v).sum(),
            Setting::Name(n) => n.len() as f64,
        }
    }
    fn scale(&mut self, by: f64) {
        match self {
            Setting::Flag(b) => *b = !*b,
            Setting::Gain(g) => *g *= by,
            Setting::Pair(a, b) => {
                *a *= by;
                *b += by;
            }
            Setting::Table(t) => t.iter_mut().for_each(|v| *v *= by),
            Setting::Name(n) => n.push('x'),
        }
    }
}

#[inline(never)]
fn settings(x: &[f64]) -> Vec<Setting> {
    vec![
        Setting::Flag(true),
        Setting::Gain(x[0]),
        Setting::Pair(x[1], x[2]),
        Setting::Table(x.to_vec()),
        Setting::Name("ab".into()),
        Setting::Flag(false),
    ]
}

#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Op {
    Push(f64),
    Add,
    Mul,
    Scale(f64, f64),
    Skip(u8),
    Jump(bool),
}

#[inline(never)]
fn program(x: &[f64]) -> Vec<Op> {
    vec![
        Op::Push(x[0]),
        Op::Push(x[1]),
        Op::Add,
        Op::Scale(x[2], 0.5),
        Op::Skip(1),
        Op::Add,
        Op::Push(x[3]),
        Op::Jump(true),
        Op::Mul,
    ]
}

fn execute(ops: &[Op]) -> f64 {
    let (mut stack, mut at) = (Vec::new(), 0);
    while at < ops.len() {
        match ops[at] {
            Op::Push(v) => stack.push(v),
            Op::Add => {
                let (a, b) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a + b);
            }
            Op::Mul => {
                let (a, b) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a * b);
            }
            Op::Scale(a, b) => {
                let t = stack.pop().unwrap();
                stack.push(a * t + b);
            }
            Op::Skip(n) => at += n as usize,
            Op::Jump(b) => {
                if !b {
                    at += 1
                }
            }
        }
        at += 1;
    }
    stack.pop().unwrap()
}

#[derive(Clone, Default)]
struct Config {
    values: BTreeMap<String, Value>,
}
#[derive(Clone, PartialEq)]
enum Value {
    Int(i64),
    Float(f64),
    Text(String),
}
impl Config {
    fn set(&mut self, k: &str, v: Value) -> &mut Self {
        self.values.insert(k.to_string(), v);
        self
    }
    fn float(&self, k: &str) -> Option<f64> {
        match self.values.get(k)? {
            Value::Float(v) => Some(*v),
            Value::Int(i) => Some(*i as f64),
            _ => None,
        }
    }
    fn merged(mut self, other: Config) -> Config {
        for (k, v) in other.values {
            self.values.insert(k, v);
        }
        self
    }
}
impl Value {
    fn sum(&self) -> f64 {
        match self {
            Value::Float(v) => *v,
            Value::Int(i) => *i as f64,
            Value::Text(t) => t.len() as f64,
        }
    }
}

const X: [f64; 4] = [0.7, -0.4, 1.3, 0.9];

functional! {
    fn states_follow_each_other_by_recursion(x: &[f64]) -> f64 {
        match run(State::Start, x, 12) {
            State::Done(v) => v,
            State::Failed(k, t) => f64::from(k) + t.len() as f64,
            State::Running { at, .. } => at,
            State::Logged { value, .. } => value,
            State::Start => 0.0,
        }
    } at X;

    fn a_list_is_doubled(x: &[f64]) -> f64 {
        let l = List::Nil.push(x[0]).push(x[1]);
        let l = List::Named("ab".into(), 3, Box::new(l)).push(x[2]);
        l.clone().doubled().sum() + l.sum()
    } at X;

    fn a_list_is_reversed(x: &[f64]) -> f64 {
        let l = List::Named("ab".into(), 3, Box::new(List::Nil.push(x[0]).push(x[1]))).push(x[2]);
        l.reversed().doubled().sum()
    } at X;

    fn settings_cloned(x: &[f64]) -> f64 {
        let all = settings(x);
        let mut other = all.clone();
        other.iter_mut().for_each(|s| s.scale(x[3]));
        all.iter().zip(&other).map(|(a, b)| a.total() * b.total()).sum()
    } at X;
    fn settings_filtered(x: &[f64]) -> f64 {
        let kept: Vec<Setting> = settings(x).into_iter().filter(|s| !matches!(s, Setting::Flag(false) | Setting::Name(_))).collect();
        kept.iter().map(Setting::total).product()
    } at X;
    fn bytecode(x: &[f64]) -> f64 { execute(&program(x)) } at X;
    fn bytecode_optimised(x: &[f64]) -> f64 {
        let all = program(x);
        let mut out: Vec<Op> = Vec::new();
        for op in all.iter().copied() {
            match (out.last().copied(), op) {
                (Some(Op::Push(a)), Op::Scale(b, c)) => { out.pop(); out.push(Op::Push(a * b + c)); }
                (_, op) => out.push(op),
            }
        }
        execute(&out) + execute(&all)
    } at X;
    fn bytecode_reversed_twice(x: &[f64]) -> f64 {
        let mut all = program(x);
        all.reverse();
        let all: Vec<Op> = all.into_iter().rev().collect();
        execute(&all)
    } at X;
    fn config_merged(x: &[f64]) -> f64 {
        let mut a = Config::default();
        a.set("rate", Value::Float(x[0])).set("n", Value::Int(3)).set("bias", Value::Float(x[1]));
        let mut b = Config::default();
        b.set("rate", Value::Float(x[2] * x[0])).set("name", Value::Text("abc".into()));
        let c = a.clone().merged(b);
        c.float("rate").unwrap() * a.float("rate").unwrap() + c.values.values().map(Value::sum).sum::<f64>() * c.float("n").unwrap_or(0.0)
    } at X;
}
