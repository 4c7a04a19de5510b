//! Functions that partials may call, and how LLVM and the C library name them.
use super::{Expr, Int, Node};

/// How a function is called in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// An intrinsic, overloaded on its width, vectors included.
    Intrinsic(&'static str),
    /// A function of the C library: its name for `double` and for `float`.
    Symbol(&'static str, &'static str),
}

/// A row of the tables below: constructor, documentation, callee.
macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident $name:ident ($($arg:ident),+) = $callee:expr;)*) => {
        /// A function of floats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function { $($(#[$doc])* $variant,)* }

        impl Function {
            /// Every function.
            pub const ALL: &[Function] = &[$(Function::$variant),*];

            /// Its name in formulas.
            pub fn name(self) -> &'static str {
                match self { $(Function::$variant => stringify!($name),)* }
            }

            /// How it is called.
            pub fn callee(self) -> Callee {
                match self { $(Function::$variant => $callee,)* }
            }

            /// Number of its arguments.
            pub fn arity(self) -> usize {
                match self { $(Function::$variant => [$(stringify!($arg)),+].len(),)* }
            }
        }

        impl Expr {
            $($(#[$doc])* pub fn $name($($arg: impl Into<Expr>),+) -> Expr {
                Expr::new(Node::Call(Function::$variant, vec![$($arg.into()),+]))
            })*
        }
    };
}

functions! {
    /// Square root.
    Sqrt sqrt(x) = Callee::Intrinsic("llvm.sqrt");
    /// `e^x`.
    Exp exp(x) = Callee::Intrinsic("llvm.exp");
    /// `2^x`.
    Exp2 exp2(x) = Callee::Intrinsic("llvm.exp2");
    /// Natural logarithm.
    Ln ln(x) = Callee::Intrinsic("llvm.log");
    /// Sine.
    Sin sin(x) = Callee::Intrinsic("llvm.sin");
    /// Cosine.
    Cos cos(x) = Callee::Intrinsic("llvm.cos");
    /// Tangent.
    Tan tan(x) = Callee::Intrinsic("llvm.tan");
    /// Hyperbolic sine.
    Sinh sinh(x) = Callee::Intrinsic("llvm.sinh");
    /// Hyperbolic cosine.
    Cosh cosh(x) = Callee::Intrinsic("llvm.cosh");
    /// `x^y`.
    Pow pow(x, y) = Callee::Intrinsic("llvm.pow");
    /// Absolute value.
    Fabs fabs(x) = Callee::Intrinsic("llvm.fabs");
    /// `x` with the sign of `y`.
    Copysign copysign(x, y) = Callee::Intrinsic("llvm.copysign");
    /// Nearest integer, ties to even.
    Rint rint(x) = Callee::Intrinsic("llvm.rint");
    /// Bessel function of the first kind, order 0.
    J0 j0(x) = Callee::Symbol("j0", "j0f");
    /// Bessel function of the first kind, order 1.
    J1 j1(x) = Callee::Symbol("j1", "j1f");
    /// Bessel function of the second kind, order 0.
    Y0 y0(x) = Callee::Symbol("y0", "y0f");
    /// Bessel function of the second kind, order 1.
    Y1 y1(x) = Callee::Symbol("y1", "y1f");
}

/// A function of an integer and a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntFunction {
    /// `x^n`.
    Powi,
    /// `x * 2^n`.
    Ldexp,
    /// Bessel function of the first kind, order `n`.
    Jn,
    /// Bessel function of the second kind, order `n`.
    Yn,
}

impl IntFunction {
    /// Every function.
    pub const ALL: &[IntFunction] = &[IntFunction::Powi, IntFunction::Ldexp, IntFunction::Jn, IntFunction::Yn];

    /// Its name in formulas.
    pub fn name(self) -> &'static str {
        match self {
            IntFunction::Powi => "powi",
            IntFunction::Ldexp => "ldexp",
            IntFunction::Jn => "jn",
            IntFunction::Yn => "yn",
        }
    }

    /// How it is called.
    pub fn callee(self) -> Callee {
        match self {
            IntFunction::Powi => Callee::Intrinsic("llvm.powi"),
            IntFunction::Ldexp => Callee::Intrinsic("llvm.ldexp"),
            IntFunction::Jn => Callee::Symbol("jn", "jnf"),
            IntFunction::Yn => Callee::Symbol("yn", "ynf"),
        }
    }
}

impl Expr {
    /// A function of an integer and a float; powers to a small constant are products.
    pub fn int_call(function: IntFunction, n: Int, x: impl Into<Expr>) -> Expr {
        let x = x.into();
        match (function, n.as_const()) {
            (IntFunction::Powi, Some(0)) => Expr::from(1.0),
            (IntFunction::Powi, Some(1)) | (IntFunction::Ldexp, Some(0)) => x,
            (IntFunction::Powi, Some(2)) => &x * &x,
            _ => Expr::new(Node::IntCall(function, n, x)),
        }
    }
    /// `x^n`.
    pub fn powi(x: impl Into<Expr>, n: Int) -> Expr {
        Expr::int_call(IntFunction::Powi, n, x)
    }
    /// `x * 2^n`.
    pub fn ldexp(x: impl Into<Expr>, n: Int) -> Expr {
        Expr::int_call(IntFunction::Ldexp, n, x)
    }
    /// Bessel function of the first kind.
    pub fn jn(n: Int, x: impl Into<Expr>) -> Expr {
        Expr::int_call(IntFunction::Jn, n, x)
    }
    /// Bessel function of the second kind.
    pub fn yn(n: Int, x: impl Into<Expr>) -> Expr {
        Expr::int_call(IntFunction::Yn, n, x)
    }
}
