//! Rules at a place where some arguments are constants.
//!
//! `x.powi(2)` is `x * x` to everybody but a general rule. With the constants put in and folded, its partial is `2 * x`,
//! which needs neither a call nor the result: the plan then keeps less.
use super::{Cond, Expr, Function, Int, Node, Partial};
use crate::maps::HashMap;

/// The value of a constant argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A float (of a vector, the value of every lane).
    Float(f64),
    /// An integer.
    Int(i64),
}

impl Partial {
    /// Puts constants in the place of arguments.
    pub fn specialise(&self, constants: &[Option<Constant>]) -> Partial {
        match self {
            Partial::Inactive => Partial::Inactive,
            Partial::Of(expr) => Partial::from(Substitution { constants, done: HashMap::default() }.expr(expr)),
        }
    }
}

struct Substitution<'c> {
    constants: &'c [Option<Constant>],
    done: HashMap<usize, Expr>,
}

impl Substitution<'_> {
    fn constant(&self, arg: usize) -> Option<Constant> {
        self.constants.get(arg).copied().flatten()
    }

    fn int(&self, n: Int) -> Int {
        match n.arg.and_then(|arg| self.constant(arg)) {
            Some(Constant::Int(value)) => Int::constant(value) + n.offset,
            _ => n,
        }
    }

    fn cond(&mut self, cond: &Cond) -> Cond {
        match cond {
            Cond::Float(op, a, b) => Cond::Float(*op, self.expr(a), self.expr(b)),
            Cond::Int(op, n, value) => Cond::Int(*op, self.int(*n), *value),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(done) = self.done.get(&expr.id()) {
            return done.clone();
        }
        let new = match expr.node() {
            Node::Arg(index) => match self.constant(*index) {
                Some(Constant::Float(value)) => Expr::from(value),
                _ => expr.clone(),
            },
            Node::Result | Node::Num(_) | Node::ByWidth { .. } => expr.clone(),
            Node::Neg(a) => -self.expr(a),
            Node::Named(_, a) => {
                let new = self.expr(a);
                if new.id() == a.id() { expr.clone() } else { new }
            }

            Node::Binary(op, a, b) => Expr::binary(*op, self.expr(a), self.expr(b)),
            Node::Call(function, args) => {
                let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
                call(*function, args)
            }
            Node::IntCall(function, n, x) => {
                let x = self.expr(x);
                Expr::int_call(*function, self.int(*n), x)
            }
            Node::FromInt(n) => self.int(*n).float(),
            Node::Select(cond, a, b) => {
                let cond = self.cond(cond);
                match cond.decided() {
                    Some(true) => self.expr(a),
                    Some(false) => self.expr(b),
                    None => Expr::new(Node::Select(cond, self.expr(a), self.expr(b))),
                }
            }
            Node::WhenKnown(arg, known, unknown) => match self.constant(*arg) {
                Some(_) => self.expr(known),
                None => self.expr(unknown),
            },
        };
        self.done.insert(expr.id(), new.clone());
        new
    }
}

/// A call, folded where the constant exponents 0, 1 and 2 make it exact.
fn call(function: Function, args: Vec<Expr>) -> Expr {
    if let (Function::Pow, [x, y]) = (function, &args[..]) {
        match y.as_num() {
            Some(0.0) => return Expr::from(1.0),
            Some(1.0) => return x.clone(),
            Some(2.0) => return x * x,
            _ => {}
        }
    }
    Expr::new(Node::Call(function, args))
}

#[cfg(test)]
mod tests {
    use super::super::{Rule, int, select, when_known};
    use super::*;

    #[test]
    fn constants_make_a_rule_need_less() {
        let power = Rule::new("power", |[x, _], r| {
            let n = int(1);
            let known = select(n.eq(0), 0.0, n.float() * Expr::powi(x, n - 1));
            [when_known(1, known, n.float() * (r / x)), Expr::from(0.0)]
        });
        assert!(power.needs(0).result && power.needs(0).args == [true, true]);
        let at = |n| power.specialise(&mut |i| (i == 1).then_some(Constant::Int(n)));
        assert_eq!(at(2)[0].to_string(), "2 * x");
        assert_eq!(at(1)[0].to_string(), "1");
        assert!(matches!(at(0)[0], Partial::Inactive));
        assert_eq!(at(5)[0].to_string(), "5 * powi(x, 4)");
        let needs = at(2)[0].needs(2);
        assert!(!needs.result && needs.args == [true, false]);
        assert_eq!(power.specialise(&mut |_| None)[0].needs(2), power.needs(0));
    }
}
