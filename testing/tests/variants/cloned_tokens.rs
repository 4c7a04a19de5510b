//! Tokens with a float in the place of a character, a flag or a narrow number, cloned out of a slice one by one: what clones them knows both, and what looks at
//! them has them inlined, so LLVM is tempted to cut the float where the narrow one ends.

use crate::functional;

#[derive(Clone)]
enum Token {
    Number(f64),
    Name(String),
    Operator(char),
    Open,
    Close,
}

fn parse(tokens: &[Token], at: &mut usize) -> Vec<f64> {
    let mut items = vec![];
    while *at < tokens.len() {
        let token = tokens[*at].clone();
        *at += 1;
        match token {
            Token::Number(v) => items.push(v),
            Token::Name(name) => items.push(name.len() as f64),
            Token::Operator(sign) => items.push(if sign == '-' { -1.0 } else { 1.0 }),
            Token::Open => items.push(parse(tokens, at).iter().map(|v| v * v).sum()),
            Token::Close => break,
        }
    }
    items
}

#[derive(Clone)]
enum Code {
    Push(f64),
    Name(String),
    Flag(bool),
    Both { on: bool, scale: f64 },
    Jump(u32),
    Again,
}

struct Machine {
    stack: Vec<f64>,
    at: usize,
}

impl Machine {
    fn run(&mut self, code: &[Code]) {
        while self.at < code.len() {
            let next = code[self.at].clone();
            self.at += 1;
            match next {
                Code::Push(v) => self.stack.push(v),
                Code::Name(name) => self.stack.push(name.len() as f64),
                Code::Flag(is_square) => {
                    if let (true, Some(a)) = (is_square, self.stack.pop()) {
                        self.stack.push(a * a);
                    }
                }
                Code::Both { on, scale } => {
                    if on {
                        self.stack.iter_mut().for_each(|v| *v *= scale);
                    }
                }
                Code::Jump(by) => self.at += by as usize,
                Code::Again => self.run(code),
            }
        }
    }
}

const X: [f64; 3] = [0.3, 0.8, 1.2];

functional! {
    fn numbers_beside_characters(x: &[f64]) -> f64 {
        use Token::{Close, Name, Number, Open, Operator};
        let name = Name("abc".to_owned());
        let tokens = [Number(x[0]), Operator('*'), Open, Number(x[1]), name, Open, Number(x[2]), Close, Close, Number(x[1])];
        parse(&tokens, &mut 0).iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at X;

    fn numbers_beside_flags_and_jumps(x: &[f64]) -> f64 {
        use Code::{Again, Both, Flag, Jump, Name, Push};
        let both = Both { on: true, scale: x[1] };
        let code = [Push(x[0]), Flag(true), Jump(1), Name("n".to_owned()), both, Again, Push(x[2]), Flag(false)];
        let mut machine = Machine { stack: vec![], at: 0 };
        machine.run(&code);
        machine.stack.iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at X;
}
