//! An interpreter of rule expressions, the oracle for emission. Single precision is double precision rounded after each operation:
//! exact for arithmetic and square roots, and within the tolerance for the rest.
use cotangent_engine::rule::{BinaryOp, Cond, Expr, Function, Int, IntFunction, Node, Partial};

/// What an expression is evaluated at.
pub struct At<'a> {
    /// The arguments; integers are whole numbers.
    pub args: &'a [f64],
    /// The result of the operation.
    pub result: f64,
    /// Whether in single precision.
    pub single: bool,
}

/// Rounds to single precision where asked to.
pub fn round(value: f64, single: bool) -> f64 {
    if single { f64::from(value as f32) } else { value }
}

/// The value of a partial.
pub fn partial(partial: &Partial, at: &At) -> f64 {
    match partial {
        Partial::Inactive => 0.0,
        Partial::Of(expr) => eval(expr, at),
    }
}

/// The value of an expression.
pub fn eval(expr: &Expr, at: &At) -> f64 {
    let value = match expr.node() {
        Node::Arg(index) => at.args[*index],
        Node::Result => at.result,
        Node::Num(value) => *value,
        Node::ByWidth { single, double } => {
            if at.single {
                *single
            } else {
                *double
            }
        }
        Node::Neg(a) => -eval(a, at),
        Node::Binary(op, a, b) => {
            let (a, b) = (eval(a, at), eval(b, at));
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Strong if a == 0.0 => 0.0,
                BinaryOp::Strong => a * b,
            }
        }
        Node::Call(function, args) => {
            let args: Vec<f64> = args.iter().map(|arg| eval(arg, at)).collect();
            call(*function, &args)
        }
        Node::IntCall(function, n, x) => int_call(*function, int(*n, at), eval(x, at)),
        Node::FromInt(n) => int(*n, at) as f64,
        Node::Select(condition, a, b) => {
            // Both branches, as the emitted code does.
            let (a, b) = (eval(a, at), eval(b, at));
            if cond(condition, at) { a } else { b }
        }
        Node::Named(_, inner) | Node::WhenKnown(_, _, inner) => eval(inner, at),
    };
    round(value, at.single)
}

fn cond(cond: &Cond, at: &At) -> bool {
    match cond {
        Cond::Float(op, a, b) => op.holds(&eval(a, at), &eval(b, at)),
        Cond::Int(op, n, value) => op.holds(&int(*n, at), value),
    }
}

fn int(n: Int, at: &At) -> i64 {
    let value = n.arg.map_or(0.0, |arg| at.args[arg]);
    assert!(value.fract() == 0.0, "an integer argument was used that was not asked for");
    value as i64 + n.offset
}

fn call(function: Function, args: &[f64]) -> f64 {
    let x = args[0];
    match function {
        Function::Sqrt => x.sqrt(),
        Function::Exp => x.exp(),
        Function::Exp2 => x.exp2(),
        Function::Ln => x.ln(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tan => x.tan(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Pow => x.powf(args[1]),
        Function::Fabs => x.abs(),
        Function::Copysign => x.copysign(args[1]),
        Function::Rint => x.round_ties_even(),
        Function::J0 => libm::j0(x),
        Function::J1 => libm::j1(x),
        Function::Y0 => libm::y0(x),
        Function::Y1 => libm::y1(x),
    }
}

fn int_call(function: IntFunction, n: i64, x: f64) -> f64 {
    let n = i32::try_from(n).expect("exponents and orders are 32-bit integers");
    match function {
        IntFunction::Powi => x.powi(n),
        IntFunction::Ldexp => libm::ldexp(x, n),
        IntFunction::Jn => libm::jn(n, x),
        IntFunction::Yn => libm::yn(n, x),
    }
}
