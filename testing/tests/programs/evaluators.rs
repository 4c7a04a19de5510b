//! Lexers, evaluators of trees and machines with a stack: values of several types, of which some come out of the program's text and some out of the input.

use crate::functional;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Operator(char),
    Open,
    Close,
}

fn lexed(text: &str) -> Result<Vec<Token>, String> {
    let (mut all, mut rest) = (vec![], text.chars().peekable());
    while let Some(&c) = rest.peek() {
        match c {
            ' ' => _ = rest.next(),
            '0'..='9' | '.' => {
                let mut number = String::new();
                while let Some(&d) = rest.peek() {
                    if !(d.is_ascii_digit() || d == '.') {
                        break;
                    }
                    number.push(d);
                    rest.next();
                }
                all.push(Token::Number(number.parse().map_err(|e| format!("{e:?}"))?));
            }
            'a'..='z' => {
                let mut name = String::new();
                while let Some(&d) = rest.peek() {
                    if !d.is_alphanumeric() {
                        break;
                    }
                    name.push(d);
                    rest.next();
                }
                all.push(Token::Name(name));
            }
            '(' | ')' => {
                rest.next();
                all.push(if c == '(' { Token::Open } else { Token::Close });
            }
            '+' | '-' | '*' | '/' | '^' => {
                rest.next();
                all.push(Token::Operator(c));
            }
            _ => return Err(format!("what is {c}?")),
        }
    }
    Ok(all)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    known: &'a HashMap<String, f64>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut v = self.product()?;
        while let Some(Token::Operator(c @ ('+' | '-'))) = self.peek() {
            self.at += 1;
            let right = self.product()?;
            if *c == '+' { v += right } else { v -= right }
        }
        Ok(v)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut v = self.power()?;
        while let Some(Token::Operator(c @ ('*' | '/'))) = self.peek() {
            self.at += 1;
            let right = self.power()?;
            if *c == '*' { v *= right } else { v /= right }
        }
        Ok(v)
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.atom()?;
        if self.peek() == Some(&Token::Operator('^')) {
            self.at += 1;
            return Ok(base.powf(self.power()?));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<f64, String> {
        let token = self.peek().ok_or("the end")?;
        self.at += 1;
        match token {
            Token::Number(n) => Ok(*n),
            Token::Name(function) if self.peek() == Some(&Token::Open) => {
                self.at += 1;
                let v = self.sum()?;
                self.at += 1;
                match function.as_str() {
                    "sin" => Ok(v.sin()),
                    "exp" => Ok(v.exp()),
                    other => Err(format!("no function {other}")),
                }
            }
            Token::Name(name) => self.known.get(name).copied().ok_or_else(|| format!("no {name}")),
            Token::Open => {
                let v = self.sum()?;
                if self.peek() != Some(&Token::Close) {
                    return Err("not closed".into());
                }
                self.at += 1;
                Ok(v)
            }
            Token::Operator('-') => Ok(-self.atom()?),
            token => Err(format!("unexpected {token:?}")),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(f64),
    Truth(bool),
}

enum Tree {
    Constant(f64),
    Truth(bool),
    Input(usize),
    Sum(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
}

fn value(tree: &Tree, x: &[f64]) -> Option<Value> {
    match tree {
        Tree::Constant(c) => Some(Value::Number(*c)),
        Tree::Truth(b) => Some(Value::Truth(*b)),
        Tree::Input(i) => x.get(*i).map(|v| Value::Number(*v)),
        Tree::Sum(a, b) => match (value(a, x)?, value(b, x)?) {
            (Value::Number(a), Value::Number(b)) => Some(Value::Number(a + b)),
            _ => None,
        },
        Tree::Product(a, b) => match (value(a, x)?, value(b, x)?) {
            (Value::Number(a), Value::Number(b)) => Some(Value::Number(a * b)),
            _ => None,
        },
        Tree::If(condition, a, b) => match value(condition, x)? {
            Value::Truth(true) => value(a, x),
            Value::Truth(false) => value(b, x),
            _ => None,
        },
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Push(f64),
    Load(usize),
    Store(usize),
    Add,
    Multiply,
    Twice,
    Swap,
    Less(usize),
    Repeat(usize),
    End,
}

#[derive(Debug)]
enum Fault {
    NothingLeft(usize),
    NoSuchPlace(usize),
    NoEnd,
}

struct Machine<'a> {
    stack: Vec<f64>,
    memory: Vec<f64>,
    counters: Vec<usize>,
    program: &'a [Step],
}

impl Machine<'_> {
    fn pop(&mut self, at: usize) -> Result<f64, Fault> {
        self.stack.pop().ok_or(Fault::NothingLeft(at))
    }

    fn run(&mut self) -> Result<f64, Fault> {
        let mut at = 0;
        for _ in 0..100 {
            match self.program[at] {
                Step::Push(v) => self.stack.push(v),
                Step::Load(place) => {
                    let v = *self.memory.get(place).ok_or(Fault::NoSuchPlace(place))?;
                    self.stack.push(v);
                }
                Step::Store(place) => {
                    let v = self.pop(at)?;
                    *self.memory.get_mut(place).ok_or(Fault::NoSuchPlace(place))? = v;
                }
                Step::Add => {
                    let (b, a) = (self.pop(at)?, self.pop(at)?);
                    self.stack.push(a + b);
                }
                Step::Multiply => {
                    let (b, a) = (self.pop(at)?, self.pop(at)?);
                    self.stack.push(a * b);
                }
                Step::Twice => {
                    let a = self.pop(at)?;
                    self.stack.extend([a, a]);
                }
                Step::Swap => {
                    let (b, a) = (self.pop(at)?, self.pop(at)?);
                    self.stack.extend([b, a]);
                }
                Step::Less(counter) => self.counters[counter] -= 1,
                Step::Repeat(to) if self.counters[0] != 0 => {
                    at = to;
                    continue;
                }
                Step::Repeat(_) => {}
                Step::End => return self.pop(at),
            }
            at += 1;
        }
        Err(Fault::NoEnd)
    }
}

trait Named {
    fn number(&self, x: &[f64], _: [u8; 3]) -> f64;
    fn name(&self, _: [u8; 3]) -> String {
        "plain".to_string()
    }
}

struct Less(f64);

struct Times(f64);

impl Named for Less {
    fn number(&self, x: &[f64], _: [u8; 3]) -> f64 {
        x[0] * x[0] - self.0
    }
    fn name(&self, _: [u8; 3]) -> String {
        format!("less {}", 1)
    }
}

impl Named for Times {
    fn number(&self, x: &[f64], _: [u8; 3]) -> f64 {
        x[0] * self.0
    }
}

functional! {
    fn numbers_of_a_lexer_with_errors_that_are_texts_have_no_tangents(x: &[f64]) -> f64 {
        let known: HashMap<String, f64> = ["x", "y", "z"].map(String::from).into_iter().zip(x.iter().copied()).collect();
        let all = ["x * sin(y) + z^2", "exp(-x*x)/(1 + y)", "2.5*x - -y", "w + 1", "(x", "x # 1", "3.25"];
        all.iter()
            .map(|text| {
                let value = lexed(text).and_then(|tokens| Parser { tokens: &tokens, at: 0, known: &known }.sum());
                value.unwrap_or_else(|error| error.len() as f64 * x[0])
            })
            .sum()
    } at [0.7, 1.3, 0.9];
    fn constants_of_a_tree_meet_inputs_in_an_option(x: &[f64]) -> f64 {
        let product = Tree::Product(Box::new(Tree::Input(0)), Box::new(Tree::Constant(3.0)));
        let choice = Tree::If(Box::new(Tree::Truth(true)), Box::new(Tree::Input(1)), Box::new(Tree::Constant(2.0)));
        match value(&Tree::Sum(Box::new(product), Box::new(choice)), x) {
            Some(Value::Number(v)) => v * v,
            _ => 0.0,
        }
    } at [1.3, 0.7];
    fn a_machine_with_constants_in_its_program(x: &[f64]) -> f64 {
        let program = [
            Step::Push(1.0), Step::Store(3), Step::Load(3), Step::Load(0), Step::Multiply, Step::Load(1), Step::Add, Step::Twice,
            Step::Multiply, Step::Store(3), Step::Less(0), Step::Repeat(2), Step::Load(3), Step::End,
        ];
        let mut memory = x.to_vec();
        memory.push(0.0);
        match (Machine { stack: vec![], memory, counters: vec![3], program: &program }).run() {
            Ok(v) => v,
            Err(Fault::NothingLeft(at)) => at as f64,
            Err(Fault::NoSuchPlace(place)) => -(place as f64),
            Err(Fault::NoEnd) => -1.0,
        }
    } at [0.3, 0.7, 2.1];
    fn a_machine_with_inputs_in_its_program(x: &[f64]) -> f64 {
        let program = vec![
            Step::Push(x[0]), Step::Push(x[1]), Step::Add, Step::Push(2.0), Step::Swap, Step::Multiply, Step::Twice, Step::Multiply, Step::End,
        ];
        (Machine { stack: vec![], memory: vec![], counters: vec![], program: &program }).run().unwrap_or(-1.0)
    } at [0.3, 0.7];
    fn infinities_of_a_table_have_no_tangents(x: &[f64]) -> f64 {
        let limits = [Value::Number(f64::INFINITY), Value::Truth(true), Value::Number(2.0), Value::Number(f64::NEG_INFINITY)];
        let mut all: Vec<Value> = limits.to_vec();
        all.extend(x.iter().map(|v| Value::Number(*v)));
        let numbers = all.iter().map(|v| match v {
            Value::Number(v) => v.clamp(-10.0, 10.0) / (1.0 + v.abs()),
            Value::Truth(t) => f64::from(*t),
        });
        numbers.sum()
    } at [0.3, 0.7];
    fn texts_that_objects_make_are_keys_of_a_map(x: &[f64]) -> f64 {
        let all: Vec<Box<dyn Named>> = vec![Box::new(Less(x[1])), Box::new(Times(x[1]))];
        let mut totals: HashMap<String, f64> = HashMap::new();
        for _ in 0..2 {
            for object in &all {
                let name = object.name([0; 3]);
                *totals.entry(name).or_insert(0.0) += object.number(x, [0; 3]);
            }
        }
        totals.values().sum()
    } at [1.5, 0.2];
}
