//! Symbolic expressions over the arguments and the result of an operation.
//!
//! Expressions are shared trees: a part that is used twice is one node, and is emitted once. The constructors fold what
//! is exact on constants (`x * 1`, `x + 0` is *not* folded, since it changes the sign of a zero), nothing else.
use super::{Function, IntFunction};
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

/// A symbolic floating-point expression.
#[derive(Clone, Debug)]
pub struct Expr(Arc<Node>);

/// What an [`Expr`] is made of.
#[derive(Clone, Debug)]
pub enum Node {
    /// An argument of the operation.
    Arg(usize),
    /// The operation's result.
    Result,
    /// A number, rounded to the width at hand.
    Num(f64),
    /// One number where the operation is in single precision, another in double.
    ByWidth {
        /// In single precision.
        single: f64,
        /// In double precision.
        double: f64,
    },
    /// The negative.
    Neg(Expr),
    /// An arithmetic operation.
    Binary(BinaryOp, Expr, Expr),
    /// A function of floats.
    Call(Function, Vec<Expr>),
    /// A function of an integer and a float.
    IntCall(IntFunction, Int, Expr),
    /// An integer as a float.
    FromInt(Int),
    /// `then` where the condition holds, otherwise `otherwise`; both are computed.
    Select(Cond, Expr, Expr),
    /// An expression with a name that stands for it in texts.
    Named(&'static str, Expr),
    /// The first form where the argument is a constant of the program, the second where it is not.
    WhenKnown(usize, Expr, Expr),
}

/// The arithmetic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// `a * b`, but 0 where `a` is 0, whatever `b` is (infinite, not a number).
    Strong,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A comparison of floats.
    Float(Compare, Expr, Expr),
    /// A comparison of an integer with a constant.
    Int(Compare, Int, i64),
}

/// How two things are compared. Of floats, all but [`Compare::Ne`] and [`Compare::Unordered`] are false where one is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal (true where one is NaN, as in Rust).
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// One of them is NaN (never true of integers).
    Unordered,
}

/// A symbolic integer: an integer argument plus a constant, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    /// The argument that it is counted from.
    pub arg: Option<usize>,
    /// What is added.
    pub offset: i64,
}

/// The integer argument at an index.
pub fn int(arg: usize) -> Int {
    Int { arg: Some(arg), offset: 0 }
}

/// `then` where the condition holds, otherwise `otherwise`. Both are computed, so neither may rely on the condition for more
/// than its own value.
pub fn select(cond: Cond, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Expr {
    let (then, otherwise) = (then.into(), otherwise.into());
    match cond.decided() {
        Some(true) => then,
        Some(false) => otherwise,
        None => Expr::new(Node::Select(cond, then, otherwise)),
    }
}

/// `a * b`, but 0 where `a` is 0: for a factor whose zero means "not there".
pub fn strong(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::binary(BinaryOp::Strong, a.into(), b.into())
}

/// A constant that depends on the width.
pub fn by_width(single: f64, double: f64) -> Expr {
    Expr::new(Node::ByWidth { single, double })
}

/// `known` where argument `arg` is a constant of the program, which often allows a cheaper form; otherwise `unknown`.
pub fn when_known(arg: usize, known: impl Into<Expr>, unknown: impl Into<Expr>) -> Expr {
    Expr::new(Node::WhenKnown(arg, known.into(), unknown.into()))
}

impl Expr {
    /// Wraps a node.
    pub fn new(node: Node) -> Expr {
        Expr(Arc::new(node))
    }
    /// An argument.
    pub fn arg(index: usize) -> Expr {
        Expr::new(Node::Arg(index))
    }
    /// The result.
    pub fn result() -> Expr {
        Expr::new(Node::Result)
    }
    /// The same expression, shown under a name.
    pub fn named(self, name: &'static str) -> Expr {
        Expr::new(Node::Named(name, self))
    }
    /// What it is made of.
    pub fn node(&self) -> &Node {
        &self.0
    }
    /// Identity of the shared node: equal for clones of one expression.
    pub fn id(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
    /// The value of a plain number.
    pub fn as_num(&self) -> Option<f64> {
        match *self.node() {
            Node::Num(value) => Some(value),
            _ => None,
        }
    }
    /// True for the number 0 (of either sign).
    pub fn is_zero(&self) -> bool {
        self.as_num() == Some(0.0)
    }
    /// `self == other`.
    pub fn eq(&self, other: impl Into<Expr>) -> Cond {
        Cond::Float(Compare::Eq, self.clone(), other.into())
    }
    /// `self < other`.
    pub fn lt(&self, other: impl Into<Expr>) -> Cond {
        Cond::Float(Compare::Lt, self.clone(), other.into())
    }
    /// `self <= other`.
    pub fn le(&self, other: impl Into<Expr>) -> Cond {
        Cond::Float(Compare::Le, self.clone(), other.into())
    }
    /// `self > other`.
    pub fn gt(&self, other: impl Into<Expr>) -> Cond {
        Cond::Float(Compare::Gt, self.clone(), other.into())
    }
    /// `self >= other`.
    pub fn ge(&self, other: impl Into<Expr>) -> Cond {
        Cond::Float(Compare::Ge, self.clone(), other.into())
    }
    /// True where it is not a number.
    pub fn is_nan(&self) -> Cond {
        Cond::Float(Compare::Unordered, self.clone(), self.clone())
    }
    /// An arithmetic operation, folded where that is exact.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        match (op, a.as_num(), b.as_num()) {
            (BinaryOp::Add, Some(x), Some(y)) => Expr::from(x + y),
            (BinaryOp::Sub, Some(x), Some(y)) => Expr::from(x - y),
            (BinaryOp::Mul, Some(x), Some(y)) => Expr::from(x * y),
            (BinaryOp::Mul, Some(1.0), _) => b,
            (BinaryOp::Mul | BinaryOp::Div, _, Some(1.0)) => a,
            (BinaryOp::Mul, Some(-1.0), _) => -b,
            (BinaryOp::Strong, Some(0.0), _) => a,
            (BinaryOp::Strong, Some(_), _) => Expr::binary(BinaryOp::Mul, a, b),
            _ => Expr::new(Node::Binary(op, a, b)),
        }
    }
}

impl Cond {
    /// The outcome, where the operands are constants.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Cond::Float(op, a, b) => Some(op.holds(&a.as_num()?, &b.as_num()?)),
            Cond::Int(op, a, b) => a.as_const().map(|a| op.holds(&a, b)),
        }
    }
}

impl Compare {
    /// Compares two things.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Compare::Eq => a == b,
            Compare::Ne => a != b,
            Compare::Lt => a < b,
            Compare::Le => a <= b,
            Compare::Gt => a > b,
            Compare::Ge => a >= b,
            Compare::Unordered => a.partial_cmp(b).is_none(),
        }
    }
}

impl Int {
    /// A constant.
    pub fn constant(value: i64) -> Int {
        Int { arg: None, offset: value }
    }
    /// The value of a constant.
    pub fn as_const(self) -> Option<i64> {
        if self.arg.is_none() { Some(self.offset) } else { None }
    }
    /// As a float.
    pub fn float(self) -> Expr {
        match self.as_const() {
            // Exponents and orders are 32-bit integers, which an f64 holds exactly.
            Some(value) => Expr::from(value as f64),
            None => Expr::new(Node::FromInt(self)),
        }
    }
    /// `self == value`.
    pub fn eq(self, value: i64) -> Cond {
        Cond::Int(Compare::Eq, self, value)
    }
    /// `self < value`.
    pub fn lt(self, value: i64) -> Cond {
        Cond::Int(Compare::Lt, self, value)
    }
}

impl Add<i64> for Int {
    type Output = Int;
    fn add(self, value: i64) -> Int {
        Int { offset: self.offset.wrapping_add(value), ..self }
    }
}

impl Sub<i64> for Int {
    type Output = Int;
    fn sub(self, value: i64) -> Int {
        Int { offset: self.offset.wrapping_sub(value), ..self }
    }
}

impl From<f64> for Expr {
    fn from(value: f64) -> Expr {
        Expr::new(Node::Num(value))
    }
}

impl From<&Expr> for Expr {
    fn from(value: &Expr) -> Expr {
        value.clone()
    }
}

impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        match self.node() {
            Node::Num(value) => Expr::from(-value),
            Node::Neg(inner) => inner.clone(),
            _ => Expr::new(Node::Neg(self)),
        }
    }
}

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        -self.clone()
    }
}

/// The four operators, for each mixture of owned and borrowed expressions and numbers.
macro_rules! operator {
    ($trait:ident, $method:ident) => {
        operator!(@ $trait, $method, Expr, Expr);
        operator!(@ $trait, $method, Expr, &Expr);
        operator!(@ $trait, $method, &Expr, Expr);
        operator!(@ $trait, $method, &Expr, &Expr);
        operator!(@ $trait, $method, Expr, f64);
        operator!(@ $trait, $method, &Expr, f64);
        operator!(@ $trait, $method, f64, Expr);
        operator!(@ $trait, $method, f64, &Expr);
    };
    (@ $trait:ident, $method:ident, $left:ty, $right:ty) => {
        impl $trait<$right> for $left {
            type Output = Expr;
            fn $method(self, right: $right) -> Expr {
                Expr::binary(BinaryOp::$trait, Expr::from(self), Expr::from(right))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_exact_only() {
        let x = Expr::arg(0);
        assert_eq!((1.0 * &x).to_string(), "x");
        assert_eq!((&x / 1.0).to_string(), "x");
        assert_eq!((-1.0 * &x).to_string(), "-x");
        assert_eq!((-(-&x)).to_string(), "x");
        assert_eq!((0.0 * &x).to_string(), "0 * x", "0 * NaN is not 0");
        assert_eq!((&x + 0.0).to_string(), "x + 0", "-0 + 0 is not -0");
        assert_eq!(strong(0.0, &x).to_string(), "0");
    }

    #[test]
    fn decided_conditions_choose_a_branch() {
        let x = Expr::arg(0);
        assert_eq!(select(Expr::from(1.0).lt(2.0), &x, 5.0).to_string(), "x");
        assert_eq!(select(Int::constant(3).eq(0), &x, 5.0).to_string(), "5");
        assert_eq!(select(int(1).eq(0), &x, 5.0).to_string(), "if n = 0 { x } else { 5 }");
    }

    #[test]
    fn comparisons_follow_ieee() {
        assert!(Compare::Ne.holds(&f64::NAN, &f64::NAN));
        assert!(Compare::Unordered.holds(&f64::NAN, &1.0));
        assert!(!Compare::Ge.holds(&f64::NAN, &1.0));
        assert!(!Compare::Unordered.holds(&1, &2));
    }
}
