//! Expressions with texts, numbers and lists in their variants, taken apart by value: simplified, substituted, differentiated.

use crate::functional;

#[derive(Clone, Debug)]
enum Expr {
    Num(f64),
    Var(String),
    Index(u32),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
    Call(String, Vec<Expr>),
}

use Expr::*;

impl Expr {
    #[inline(never)]
    fn sample(x: &[f64]) -> Expr {
        Add(
            Box::new(Mul(Box::new(Num(x[0])), Box::new(Var("a".into())))),
            Box::new(Call("sin".into(), vec![Add(Box::new(Num(x[1])), Box::new(Neg(Box::new(Num(0.0))))), Index(2)])),
        )
    }

    fn simplify(self) -> Expr {
        match self {
            Add(a, b) => match (a.simplify(), b.simplify()) {
                (Num(a), Num(b)) => Num(a + b),
                (a, Num(0.0)) => a,
                (Num(0.0), b) => b,
                (a, b) => Add(Box::new(a), Box::new(b)),
            },
            Mul(a, b) => match (a.simplify(), b.simplify()) {
                (Num(a), Num(b)) => Num(a * b),
                (a, b) => Mul(Box::new(a), Box::new(b)),
            },
            Neg(a) => match a.simplify() {
                Num(a) => Num(-a),
                a => Neg(Box::new(a)),
            },
            Call(name, arguments) => Call(name, arguments.into_iter().map(Expr::simplify).collect()),
            other => other,
        }
    }

    fn substitute(self, name: &str, value: f64) -> Expr {
        match self {
            Var(n) if n == name => Num(value),
            Add(a, b) => Add(Box::new(a.substitute(name, value)), Box::new(b.substitute(name, value))),
            Mul(a, b) => Mul(Box::new(a.substitute(name, value)), Box::new(b.substitute(name, value))),
            Neg(a) => Neg(Box::new(a.substitute(name, value))),
            Call(n, arguments) => Call(n, arguments.into_iter().map(|a| a.substitute(name, value)).collect()),
            other => other,
        }
    }

    fn eval(&self, x: &[f64]) -> f64 {
        match self {
            Num(v) => *v,
            Var(_) => 1.5,
            Index(i) => x[*i as usize],
            Add(a, b) => a.eval(x) + b.eval(x),
            Mul(a, b) => a.eval(x) * b.eval(x),
            Neg(a) => -a.eval(x),
            Call(name, arguments) if name == "sin" => arguments.iter().map(|a| a.eval(x).sin()).sum(),
            Call(_, arguments) => arguments.iter().map(|a| a.eval(x)).sum(),
        }
    }

    fn derivative(&self) -> Expr {
        match self {
            Num(_) | Index(_) => Num(0.0),
            Var(_) => Num(1.0),
            Add(a, b) => Add(Box::new(a.derivative()), Box::new(b.derivative())),
            Mul(a, b) => Add(
                Box::new(Mul(Box::new(a.derivative()), b.clone())),
                Box::new(Mul(a.clone(), Box::new(b.derivative()))),
            ),
            Neg(a) => Neg(Box::new(a.derivative())),
            Call(_, arguments) => Call("cos".into(), arguments.clone()),
        }
    }
}

const X: [f64; 4] = [0.7, -0.4, 1.3, 0.9];

functional! {
    fn an_expression_is_simplified(x: &[f64]) -> f64 { Expr::sample(x).simplify().eval(x) } at X;
    fn a_clone_is_simplified(x: &[f64]) -> f64 { let e = Expr::sample(x); e.clone().simplify().eval(x) * e.eval(x) } at X;
    fn a_variable_is_substituted(x: &[f64]) -> f64 { Expr::sample(x).substitute("a", x[3]).eval(x) } at X;
    fn an_expression_is_substituted_and_simplified(x: &[f64]) -> f64 { Expr::sample(x).substitute("a", x[3]).simplify().eval(x) } at X;
    fn a_symbolic_derivative(x: &[f64]) -> f64 { Expr::sample(x).derivative().simplify().eval(x) } at X;
}
