//! Enums in which LLVM sees a number, a character or part of a pointer of one variant where another has a float: what it moves in pieces.

use crate::functional;
use std::num::{ParseFloatError, ParseIntError};

#[derive(Clone)]
enum Token {
    Number(f64),
    Name(String),
    Operator(char),
}
enum ParseError {
    Unexpected(char),
    End,
    BadNumber(ParseFloatError),
    Unbound(String),
}
impl From<ParseFloatError> for ParseError {
    fn from(e: ParseFloatError) -> ParseError {
        ParseError::BadNumber(e)
    }
}
type Parsed<T> = Result<T, ParseError>;
enum Expression {
    Number(f64),
    Variable(String),
    Product(Box<Expression>, Box<Expression>),
    Let(String, Box<Expression>),
}

fn lex(text: &str) -> Parsed<Vec<Token>> {
    Ok(vec![Token::Name("a".to_string()), Token::Operator('*'), Token::Number(text[2..].parse()?)])
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}
impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }
    fn next(&mut self) -> Parsed<Token> {
        let token = self.tokens.get(self.at).cloned().ok_or(ParseError::End)?;
        self.at += 1;
        Ok(token)
    }
    fn expression(&mut self) -> Parsed<Expression> {
        let mut left = match self.next()? {
            Token::Number(v) => Expression::Number(v),
            Token::Name(name) if name == "let" => {
                let Token::Name(name) = self.next()? else { return Err(ParseError::End) };
                Expression::Let(name, Box::new(self.expression()?))
            }
            Token::Name(name) => Expression::Variable(name),
            Token::Operator(c) => return Err(ParseError::Unexpected(c)),
        };
        while let Some(Token::Operator(_)) = self.peek() {
            self.at += 1;
            let right = self.expression()?;
            left = Expression::Product(Box::new(left), Box::new(right));
        }
        Ok(left)
    }
}
fn evaluate(e: &Expression, a: f64) -> Parsed<f64> {
    Ok(match e {
        Expression::Number(v) => *v,
        Expression::Variable(name) if name == "a" => a,
        Expression::Variable(name) => return Err(ParseError::Unbound(name.clone())),
        Expression::Product(x, y) => evaluate(x, a)? * evaluate(y, a)?,
        Expression::Let(name, _) if name.is_empty() => return Err(ParseError::End),
        Expression::Let(_, body) => evaluate(body, a)?,
    })
}
fn calculated(text: &str, a: f64) -> Parsed<f64> {
    let mut parser = Parser { tokens: lex(text)?, at: 0 };
    let e = parser.expression()?;
    evaluate(&e, a)
}
fn told(e: &ParseError) -> f64 {
    match e {
        ParseError::Unexpected(c) => f64::from(*c as u32),
        ParseError::End => -1.0,
        ParseError::BadNumber(e) => -(e.to_string().len() as f64),
        ParseError::Unbound(name) => name.len() as f64,
    }
}

#[derive(Clone)]
enum Instruction {
    Push(f64),
    Load(usize),
    Add,
    Multiply,
    Jump(u16),
    Call { name: String, arguments: u8 },
    Halt,
}
enum MachineError {
    Underflow { at: usize },
    Unknown(String),
    BadNumber(ParseFloatError),
    BadCount(ParseIntError),
    Operator(char),
}
impl From<ParseFloatError> for MachineError {
    fn from(e: ParseFloatError) -> MachineError {
        MachineError::BadNumber(e)
    }
}
impl From<ParseIntError> for MachineError {
    fn from(e: ParseIntError) -> MachineError {
        MachineError::BadCount(e)
    }
}

fn assemble(text: &str) -> Result<Vec<Instruction>, MachineError> {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ok(match words.as_slice() {
            ["push", _] => Instruction::Push(3.0),
            ["load", i] => Instruction::Load(i.parse()?),
            ["add"] => Instruction::Add,
            ["multiply"] => Instruction::Multiply,
            ["jump", to] => Instruction::Jump(to.parse()?),
            ["call", name, n] => Instruction::Call { name: (*name).to_string(), arguments: n.parse()? },
            ["halt"] => Instruction::Halt,
            [word, ..] => return Err(MachineError::Operator(word.chars().next().unwrap())),
            [] => unreachable!("a line has words"),
        })
    };
    text.lines().map(line).collect()
}

struct Machine {
    stack: Vec<f64>,
    variables: [f64; 4],
    at: usize,
}
impl Machine {
    fn pop(&mut self) -> Result<f64, MachineError> {
        self.stack.pop().ok_or(MachineError::Underflow { at: self.at })
    }
    fn run(&mut self, code: &[Instruction]) -> Result<f64, MachineError> {
        loop {
            let instruction = code[self.at].clone();
            self.at += 1;
            match instruction {
                Instruction::Push(v) => self.stack.push(v),
                Instruction::Load(i) => self.stack.push(self.variables[i]),
                Instruction::Add => {
                    let (a, b) = (self.pop()?, self.pop()?);
                    self.stack.push(a + b);
                }
                Instruction::Multiply => {
                    let (a, b) = (self.pop()?, self.pop()?);
                    self.stack.push(a * b);
                }
                Instruction::Jump(to) => self.at = usize::from(to),
                Instruction::Call { name, arguments } => {
                    let n = self.stack.len().checked_sub(usize::from(arguments));
                    let arguments = self.stack.split_off(n.ok_or(MachineError::Underflow { at: self.at })?);
                    let result = match (name.as_str(), &arguments[..]) {
                        ("sin", [x]) => x.sin(),
                        _ => return Err(MachineError::Unknown(name)),
                    };
                    self.stack.push(result);
                }
                Instruction::Halt => return self.pop(),
            }
        }
    }
}

functional! {
    fn a_literal_between_characters_and_names_is_constant(x: &[f64]) -> f64 {
        calculated("a*2", x[0]).unwrap_or_else(|e| told(&e)) + x[1]
    } at [0.7, 1.2];

    fn a_number_of_the_inputs_between_characters_and_names(x: &[f64]) -> f64 {
        let Ok(mut tokens) = lex("a*2") else { return 0.0 };
        if let Some(Token::Number(v)) = tokens.get_mut(2) {
            *v = x[1];
        }
        let e = Parser { tokens, at: 0 }.expression();
        e.and_then(|e| evaluate(&e, x[0])).unwrap_or_else(|e| told(&e))
    } at [0.7, 1.2];

    fn a_literal_between_numbers_of_sixteen_bits_is_constant(x: &[f64]) -> f64 {
        let Ok(code) = assemble("load 0\npush 3\nmultiply\nhalt") else { return -1.0 };
        let mut machine = Machine { stack: Vec::new(), variables: [x[0], x[1], 0.0, 0.0], at: 0 };
        match machine.run(&code) {
            Ok(v) => v,
            Err(MachineError::Underflow { at }) => at as f64,
            Err(MachineError::Unknown(name)) => name.len() as f64,
            Err(MachineError::Operator(c)) => f64::from(c as u32),
            Err(MachineError::BadNumber(e)) => -(e.to_string().len() as f64),
            Err(MachineError::BadCount(e)) => e.to_string().len() as f64,
        }
    } at [0.7, 1.2];
}

#[repr(C)]
#[derive(Clone, Copy)]
enum Packed {
    Numbers(u16, u8),
    Count(u32),
    Weighed((f32, u32)),
}
fn packed(i: usize, v: f64) -> Packed {
    match i % 3 {
        0 => Packed::Numbers(i as u16, i as u8),
        1 => Packed::Count(i as u32),
        _ => Packed::Weighed(((v * 0.5) as f32, i as u32)),
    }
}
#[inline(never)]
fn weight(p: Packed) -> f64 {
    match p {
        Packed::Numbers(a, b) => f64::from(a % 5) + f64::from(b % 5),
        Packed::Count(n) => f64::from(n % 5),
        Packed::Weighed((v, n)) => f64::from(v) * f64::from(n % 3 + 1),
    }
}
fn counted(p: Packed) -> Packed {
    match p {
        Packed::Count(n) => Packed::Count(n.wrapping_add(1)),
        p => p,
    }
}

#[test]
fn a_float_where_another_variant_has_two_numbers_is_moved_in_place() {
    fn f(x: &[f64]) -> f64 {
        let mut all = vec![packed(0, x[0]), packed(1, x[1]), packed(2, x[2]), packed(3, x[3]), packed(4, x[4])];
        for _ in 0..2 {
            for p in &mut all {
                *p = counted(*p);
            }
        }
        all.iter().enumerate().map(|(i, p)| weight(*p) * (i + 1) as f64).sum()
    }
    let x = [0.25, -1.25, 2.5, 0.75, 1.5];
    let expected = [0.0, 0.0, 4.5, 0.0, 0.0];
    assert_eq!(cotangent::gradient(f, &x), expected);
    let tangent = |i: usize| cotangent::jvp(f, &x, &[0, 1, 2, 3, 4].map(|k| f64::from(k == i))).1;
    assert_eq!([0, 1, 2, 3, 4].map(tangent), expected);
}

#[derive(Clone, Copy)]
enum Torn {
    Wide(u64, Option<u32>, u8),
    Row(char, [f32; 3], (f32, u32)),
    Nothing,
    Pair(f32, u8, (f32, u16)),
}
fn torn(i: usize, v: f64) -> Torn {
    match i % 4 {
        0 => Torn::Wide(i as u64, if i.is_multiple_of(2) { Some(i as u32) } else { None }, i as u8),
        1 => Torn::Row('Z', [(v * 0.5) as f32, v as f32, 0.5], (-v as f32, i as u32)),
        2 => Torn::Nothing,
        _ => Torn::Pair(-v as f32, i as u8, (v as f32, i as u16)),
    }
}
#[inline(never)]
fn sum_of_torn(t: Torn) -> f64 {
    match t {
        Torn::Wide(a, b, c) => (a % 5) as f64 + f64::from(b.unwrap_or(7) % 5) + f64::from(c % 5),
        Torn::Row(a, b, c) => {
            f64::from(a as u32 % 5) + f64::from(b[0] + b[1] * b[2]) + f64::from(c.0) * f64::from(c.1 % 3 + 1)
        }
        Torn::Nothing => 1.0,
        Torn::Pair(a, b, c) => f64::from(a * a) + f64::from(b % 5) + f64::from(c.0) * f64::from(c.1 % 3 + 1),
    }
}
fn all_torn(x: &[f64], i: usize, out: &mut Vec<Torn>) -> Option<Torn> {
    if i >= x.len() {
        return None;
    }
    let t = torn(i, x[i]);
    out.push(t);
    let rest = all_torn(x, i + 1, out);
    if i == 1 { rest } else { Some(t) }
}

/// A literal beside active floats of four bytes, where another variant has numbers of one and two.
#[test]
fn a_literal_in_a_row_of_narrow_floats_has_no_tangent() {
    fn f(x: &[f64]) -> f64 {
        let mut all = vec![];
        let first = all_torn(x, 0, &mut all);
        let last = all_torn(x, 1, &mut all).or(first);
        let sum: f64 = all.iter().enumerate().map(|(i, t)| sum_of_torn(*t) * (i + 1) as f64).sum();
        sum + last.map_or(0.0, sum_of_torn)
    }
    let x = [0.25, -1.25, 2.5, 0.75, 1.5];
    // By v in `Row` 0.5 + 0.5 - 2, at places 2 and 6; in `Pair` 2 v + 1, at places 4 and 8.
    let expected = [0.0, -8.0, 0.0, 30.0, 0.0];
    assert_eq!(cotangent::gradient(f, &x), expected);
    let tangent = |i: usize| cotangent::jvp(f, &x, &[0, 1, 2, 3, 4].map(|k| f64::from(k == i))).1;
    assert_eq!([0, 1, 2, 3, 4].map(tangent), expected);
}

#[derive(Clone, Copy)]
enum Weighted {
    None,
    By(u32, f32),
}
#[inline(never)]
fn weighted(i: usize, v: f64) -> Result<Weighted, String> {
    match i {
        9 => Err("no".into()),
        _ if i.is_multiple_of(2) => Ok(Weighted::None),
        _ => Ok(Weighted::By(i as u32, (v * 0.5) as f32)),
    }
}

#[test]
fn records_of_four_byte_numbers_come_out_of_results() {
    fn f(x: &[f64]) -> f64 {
        let all: Vec<Weighted> = (0..5).map(|i| weighted(i, x[i])).collect::<Result<_, _>>().unwrap_or_default();
        let value = |w: &Weighted| match w {
            Weighted::None => 1.0,
            Weighted::By(n, w) => f64::from(n % 5) + f64::from(w * w),
        };
        all.iter().enumerate().map(|(i, w)| value(w) * (i + 1) as f64).sum()
    }
    let x = [0.25, -1.25, 2.5, 0.75, 1.5];
    let expected = [0.0, -1.25, 0.0, 1.5, 0.0];
    assert_eq!(cotangent::gradient(f, &x), expected);
    let tangent = |i: usize| cotangent::jvp(f, &x, &[0, 1, 2, 3, 4].map(|k| f64::from(k == i))).1;
    assert_eq!([0, 1, 2, 3, 4].map(tangent), expected);
}

#[derive(Clone)]
enum Part {
    Nothing,
    Row(Vec<f32>),
    Point(f32, u16),
    Wide(f64),
}

fn part(i: usize, v: f64) -> Part {
    match i % 5 {
        0 | 2 => Part::Nothing,
        1 => Part::Row(vec![v as f32; i % 3]),
        3 => Part::Point(v as f32, 3),
        _ => Part::Wide(v * 1.5),
    }
}

#[test]
fn half_of_a_pointer_beside_half_of_a_float_is_no_number() {
    fn f(x: &[f64]) -> f64 {
        let mut all = vec![];
        for i in 0..2 {
            all.push(part(i, x[i]));
        }
        all.push(part(1, x[1]));
        let copy = all.clone();
        all.extend(copy);
        let value = |part: &Part| match part {
            Part::Nothing => 0.5,
            Part::Row(a) => f64::from(a.iter().map(|t| t * t).sum::<f32>()),
            Part::Point(a, b) => f64::from(*a) * f64::from(*b),
            Part::Wide(a) => a * a,
        };
        all.iter().enumerate().map(|(k, part)| value(part) * (1.0 + 0.25 * k as f64)).sum()
    }
    // The squares lie at places 1, 2, 4 and 5: 2 v (1.25 + 1.5 + 2 + 2.25).
    let (x, expected) = ([-0.5, 0.25], [0.0, 3.5]);
    assert_eq!(cotangent::gradient(f, &x), expected);
    assert_eq!([[1.0, 0.0], [0.0, 1.0]].map(|u| cotangent::jvp(f, &x, &u).1), expected);
}
