//! Trees of formulas that are read from a text, with errors that own texts: the numbers of the text are constants, also where they lie in the place of a pointer.

use crate::functional;
use std::collections::HashMap;
use std::iter::Peekable;
use std::str::Chars;

enum Expr {
    Number(f64),
    Variable(String),
    Both(Box<Expr>, char, Box<Expr>),
}

enum Error {
    Unexpected(Option<char>),
    Unbound(String),
}

struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser { chars: text.chars().peekable() }
    }

    fn skip(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn formula(&mut self, least: u8) -> Result<Expr, Error> {
        let mut left = self.atom()?;
        loop {
            self.skip();
            let Some(&operator) = self.chars.peek() else { return Ok(left) };
            let rank = match operator {
                '+' => 1,
                '*' => 2,
                _ => return Ok(left),
            };
            if rank < least {
                return Ok(left);
            }
            self.chars.next();
            let right = self.formula(rank + 1)?;
            left = Expr::Both(Box::new(left), operator, Box::new(right));
        }
    }

    fn atom(&mut self) -> Result<Expr, Error> {
        self.skip();
        match self.chars.peek().copied() {
            Some(c) if c.is_ascii_digit() => {
                let mut number = 0.0;
                while let Some(digit) = self.chars.next_if(char::is_ascii_digit) {
                    number = number * 10.0 + digit.to_digit(10).unwrap() as f64;
                }
                Ok(Expr::Number(number))
            }
            Some(c) if c.is_alphabetic() => {
                let mut name = String::new();
                while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric()) {
                    name.push(c);
                }
                Ok(Expr::Variable(name))
            }
            Some('(') => {
                self.chars.next();
                let inner = self.formula(1)?;
                self.expect(')')?;
                Ok(inner)
            }
            other => Err(Error::Unexpected(other)),
        }
    }

    fn expect(&mut self, c: char) -> Result<(), Error> {
        self.skip();
        self.chars.next_if_eq(&c).map(|_| ()).ok_or_else(|| Error::Unexpected(self.chars.peek().copied()))
    }
}

fn evaluated(formula: &Expr, values: &HashMap<&str, f64>) -> Result<f64, Error> {
    Ok(match formula {
        Expr::Number(number) => *number,
        Expr::Variable(name) => *values.get(name.as_str()).ok_or_else(|| Error::Unbound(name.clone()))?,
        Expr::Both(left, operator, right) => {
            let (left, right) = (evaluated(left, values)?, evaluated(right, values)?);
            if *operator == '+' { left + right } else { left * right }
        }
    })
}

functional! {
    fn numbers_of_a_text_are_constants(x: &[f64]) -> f64 {
        let values = HashMap::from([("a", x[0]), ("b", x[1])]);
        let mut sum = 0.0;
        for text in ["a + 2", "a * (b + 12) * 3", "b * c", "7 * (a"] {
            sum += match Parser::new(text).formula(1).and_then(|formula| evaluated(&formula, &values)) {
                Ok(value) => value,
                Err(Error::Unbound(name)) => name.len() as f64 * x[0],
                Err(Error::Unexpected(None)) => x[1] * x[1],
                Err(Error::Unexpected(_)) => 1.0,
            };
        }
        sum
    } at [0.3, 0.7];
}
