//! The text of expressions, for the table of rules and for dumps.
use super::{BinaryOp, Compare, Cond, Expr, Int, Node, Partial};
use std::fmt;

/// Names of the arguments in formulas: integer arguments are `n` (the rules have one at most).
fn argument(index: usize) -> String {
    match index {
        0..=2 => ["x", "y", "z"][index].to_owned(),
        _ => format!("x{index}"),
    }
}

/// How tightly an expression's outermost operation binds: choices 0, sums 1, products 2, signs 3, the rest 4.
fn strength(expr: &Expr) -> u8 {
    match expr.node() {
        Node::Select(..) | Node::WhenKnown(..) => 0,
        Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => 1,
        Node::Binary(BinaryOp::Mul | BinaryOp::Div, ..) => 2,
        Node::Neg(_) => 3,
        Node::Num(value) if value.is_sign_negative() => 3,
        _ => 4,
    }
}

/// An operand, in parentheses where it binds less tightly than asked.
struct Operand<'e>(&'e Expr, u8);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if strength(self.0) < self.1 { write!(f, "({})", self.0) } else { write!(f, "{}", self.0) }
    }
}

/// Numbers whose closed form says more than their digits.
fn closed_form(value: f64) -> Option<&'static str> {
    use std::f64::consts;
    let forms: [(f64, &str); 5] = [
        (consts::LN_2, "ln(2)"),
        (consts::LN_10, "ln(10)"),
        (consts::LOG2_E, "log2(e)"),
        (consts::LOG10_E, "log10(e)"),
        (consts::FRAC_2_SQRT_PI, "2/sqrt(pi)"),
    ];
    if value == consts::PI {
        return Some("pi");
    }
    forms.into_iter().find(|form| form.0 == value).map(|form| form.1)
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            Node::Arg(index) => f.write_str(&argument(*index)),
            Node::Result => f.write_str("r"),
            Node::Num(value) => number(*value, f),
            Node::ByWidth { single, double } => {
                write!(f, "{{f32: {}, f64: {}}}", Expr::from(*single), Expr::from(*double))
            }
            Node::Neg(a) => write!(f, "-{}", Operand(a, 3)),
            Node::Binary(BinaryOp::Add, a, b) => write!(f, "{} + {}", Operand(a, 1), Operand(b, 2)),
            Node::Binary(BinaryOp::Sub, a, b) => write!(f, "{} - {}", Operand(a, 1), Operand(b, 2)),
            Node::Binary(BinaryOp::Mul, a, b) => write!(f, "{} * {}", Operand(a, 2), Operand(b, 3)),
            Node::Binary(BinaryOp::Div, a, b) => write!(f, "{} / {}", Operand(a, 2), Operand(b, 3)),
            Node::Binary(BinaryOp::Strong, a, b) => write!(f, "strong({a}, {b})"),
            Node::Call(function, args) => {
                let args: Vec<String> = args.iter().map(Expr::to_string).collect();
                write!(f, "{}({})", function.name(), args.join(", "))
            }
            Node::IntCall(function, n, x) => match function {
                super::IntFunction::Powi | super::IntFunction::Ldexp => write!(f, "{}({x}, {n})", function.name()),
                super::IntFunction::Jn | super::IntFunction::Yn => write!(f, "{}({n}, {x})", function.name()),
            },
            Node::FromInt(n) if n.offset == 0 => write!(f, "{n}"),
            Node::FromInt(n) => write!(f, "({n})"),
            Node::Select(cond, a, b) => match b.node() {
                Node::Select(..) => write!(f, "if {cond} {{ {a} }} else {b}"),
                _ => write!(f, "if {cond} {{ {a} }} else {{ {b} }}"),
            },
            Node::Named(name, _) => f.write_str(name),
            Node::WhenKnown(arg, known, unknown) => {
                let name = if *arg == 0 { "x" } else { "n" };
                write!(f, "{known} for constant {name}, otherwise {unknown}")
            }
        }
    }
}

/// A number: its closed form, a power of two where it is a far one, or its digits.
fn number(value: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(text) = closed_form(value) {
        return f.write_str(text);
    }
    let exponent = value.abs().log2();
    if exponent.fract() == 0.0 && exponent.abs() > 16.0 && exponent.is_finite() {
        return write!(f, "{}2^{exponent}", if value < 0.0 { "-" } else { "" });
    }
    if value.abs() == f64::MAX || value.abs() == f64::from(f32::MAX) {
        return write!(f, "{}MAX", if value < 0.0 { "-" } else { "" });
    }
    write!(f, "{value}")
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.arg, self.offset) {
            (None, value) => write!(f, "{value}"),
            (Some(_), 0) => f.write_str("n"),
            (Some(_), offset) if offset < 0 => write!(f, "n - {}", offset.unsigned_abs()),
            (Some(_), offset) => write!(f, "n + {offset}"),
        }
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compare::Eq => "=",
            Compare::Ne => "!=",
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
            Compare::Unordered => "unordered with",
        })
    }
}

impl fmt::Display for Cond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cond::Float(Compare::Unordered, a, b) if a.id() == b.id() => write!(f, "{a} is NaN"),
            Cond::Float(op, a, b) => write!(f, "{a} {op} {b}"),
            Cond::Int(op, a, b) => write!(f, "{a} {op} {b}"),
        }
    }
}

impl fmt::Display for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partial::Inactive => f.write_str("0"),
            Partial::Of(expr) => expr.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::int;
    use super::*;

    #[test]
    fn parentheses_where_they_are_needed() {
        let (x, y, r) = (&Expr::arg(0), &Expr::arg(1), &Expr::result());
        assert_eq!((-(r / y)).to_string(), "-(r / y)");
        assert_eq!(((1.0 - r) * (1.0 + r)).to_string(), "(1 - r) * (1 + r)");
        assert_eq!((x - (y - r)).to_string(), "x - (y - r)");
        assert_eq!((x / (y * r)).to_string(), "x / (y * r)");
        assert_eq!((int(1).float() * Expr::powi(x, int(1) - 1)).to_string(), "n * powi(x, n - 1)");
        assert_eq!((r * std::f64::consts::LN_2).to_string(), "r * ln(2)");
    }
}
