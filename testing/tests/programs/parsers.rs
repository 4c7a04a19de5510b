//! A formula is read into tokens, and evaluated by a parser that descends: numbers of the text are constants beside the floats of the argument.
use crate::assert_close;
use cotangent::{gradient, jvp};

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Variable(usize),
    Operator(char),
    Open,
    Close,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut all = vec![];
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        all.push(match c {
            ' ' => continue,
            '(' => Token::Open,
            ')' => Token::Close,
            'x' => Token::Variable(rest.next().and_then(|d| d.to_digit(10)).unwrap() as usize),
            '0'..='9' => {
                let mut number = c.to_string();
                while let Some(d) = rest.next_if(|d| d.is_ascii_digit() || *d == '.') {
                    number.push(d);
                }
                Token::Number(number.parse().unwrap())
            }
            c => Token::Operator(c),
        });
    }
    all
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    x: &'a [f64],
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut v = self.product()?;
        while let Some(Token::Operator(c @ ('+' | '-'))) = self.peek() {
            let c = *c;
            self.at += 1;
            let right = self.product()?;
            if c == '+' { v += right } else { v -= right }
        }
        Ok(v)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut v = self.power()?;
        while let Some(&Token::Operator(c @ ('*' | '/'))) = self.peek() {
            self.at += 1;
            let right = self.power()?;
            v = match c {
                '*' => v * right,
                _ if right == 0.0 => return Err("division by zero".into()),
                _ => v / right,
            };
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
        let token = self.peek().cloned().ok_or_else(|| "the end".to_string())?;
        self.at += 1;
        match token {
            Token::Number(n) => Ok(n),
            Token::Variable(i) => self.x.get(i).copied().ok_or(format!("no x{i}")),
            Token::Operator('-') => self.atom().map(|v| -v),
            Token::Open => {
                let v = self.sum()?;
                if self.peek() != Some(&Token::Close) {
                    return Err(format!("at {}", self.at));
                }
                self.at += 1;
                Ok(v)
            }
            token => Err(format!("unexpected {token:?}")),
        }
    }
}

fn value(text: &str, x: &[f64]) -> f64 {
    let tokens = tokens(text);
    match (Parser { tokens: &tokens, at: 0, x }).sum() {
        Ok(v) => v,
        Err(error) => error.len() as f64 * x[0],
    }
}

#[test]
fn numbers_of_a_formula_have_no_tangents() {
    let x = [0.3f64, 0.7, 1.2];
    let [a, b, c] = x;
    let power = c.powf(a.powf(1.5));
    let formulas = [
        ("x0 * (x1 + 2.5) ^ 2 - x2 / 3", [10.24, 6.4 * a, -1.0 / 3.0]),
        ("-(x0 - x1) * 2", [-2.0, 2.0, 0.0]),
        ("x2 ^ x0 ^ 1.5", [power * c.ln() * 1.5 * a.sqrt(), 0.0, power * a.powf(1.5) / c]),
        ("2*x0", [2.0, 0.0, 0.0]),
        ("x0 - 1", [1.0, 0.0, 0.0]),
        ("1 / x0", [-1.0 / (a * a), 0.0, 0.0]),
        ("7.5", [0.0; 3]),
        ("x0*x1", [b, a, 0.0]),
    ];
    for (text, expected) in formulas {
        assert_close!(gradient(|x: &[f64]| value(text, x), &x), expected);
        for (k, expected) in expected.into_iter().enumerate() {
            let mut v = [0.0; 3];
            v[k] = 1.0;
            assert_close!(jvp(|x: &[f64]| value(text, x), &x, &v), (value(text, &x), expected));
        }
    }
}
