//! Rules of operations on floats, element by element where the operands are vectors.
use super::{Constant, Expr, Node};
use crate::maps::HashSet;
use std::ops::Range;

/// The derivative rule of one operation, in every width and under every name that it has.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name in messages and tables.
    pub name: &'static str,
    /// Where it applies.
    pub matches: Vec<Pattern>,
    /// What sort of thing each argument is.
    pub args: Vec<ArgKind>,
    /// The partial derivative for each argument.
    pub partials: Vec<Partial>,
    /// What computing the operation a second time costs.
    pub cost: Cost,
    /// Points without a derivative, and what the rule says there.
    pub kinks: Vec<Kink>,
    /// Remarks for the table.
    pub notes: Vec<&'static str>,
    /// For each argument, where tests sample it.
    pub domain: Vec<Range<f64>>,
}

/// What an operation is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// An instruction.
    Opcode(Opcode),
    /// An intrinsic without its type suffixes, in any float width, vectors included.
    Intrinsic(&'static str),
    /// A C symbol.
    Symbol(&'static str),
    /// A Rust path as a demangled symbol shows it, without hashes and generic arguments: `<f64>::asinh`; a segment `*` in
    /// the last place but one stands for any one segment.
    Path(&'static str),
}

/// The float instructions that have a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// `fadd`.
    FAdd,
    /// `fsub`.
    FSub,
    /// `fmul`.
    FMul,
    /// `fdiv`.
    FDiv,
    /// `frem`.
    FRem,
    /// `fneg`.
    FNeg,
    /// `fptrunc`.
    FPTrunc,
    /// `fpext`.
    FPExt,
    /// `sitofp`.
    SIToFP,
    /// `uitofp`.
    UIToFP,
    /// `fptosi`.
    FPToSI,
    /// `fptoui`.
    FPToUI,
    /// `fcmp`.
    FCmp,
}

impl Opcode {
    /// Every opcode with its name in IR.
    pub const ALL: &[(Opcode, &str)] = &[
        (Opcode::FAdd, "fadd"),
        (Opcode::FSub, "fsub"),
        (Opcode::FMul, "fmul"),
        (Opcode::FDiv, "fdiv"),
        (Opcode::FRem, "frem"),
        (Opcode::FNeg, "fneg"),
        (Opcode::FPTrunc, "fptrunc"),
        (Opcode::FPExt, "fpext"),
        (Opcode::SIToFP, "sitofp"),
        (Opcode::UIToFP, "uitofp"),
        (Opcode::FPToSI, "fptosi"),
        (Opcode::FPToUI, "fptoui"),
        (Opcode::FCmp, "fcmp"),
    ];

    /// Its name in IR.
    pub fn name(self) -> &'static str {
        Opcode::ALL.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// What sort of thing an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgKind {
    /// A float.
    Float,
    /// An integer.
    Int,
    /// A pointer through which the operation writes an integer, and does nothing else.
    IntOut,
}

/// The derivative of the result by one argument.
#[derive(Clone, Debug)]
pub enum Partial {
    /// Zero: the argument is an integer, or the result is locally constant in it.
    Inactive,
    /// An expression, in the type of the result.
    Of(Expr),
}

/// Free variables of a partial.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each argument, whether its value is used.
    pub args: Vec<bool>,
    /// Whether the result's value is used.
    pub result: bool,
}

/// What computing an operation a second time costs, compared with keeping its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cost {
    /// As little as a load: recompute freely.
    Cheap,
    /// Some ten cycles (division, square root): recompute rather than store.
    Moderate,
    /// A call of a library function: rather keep the result.
    Expensive,
}

/// A point where the function has no derivative, or none that is finite, and the value that the rule gives there.
#[derive(Clone, Debug, PartialEq)]
pub struct Kink {
    /// In words: `x = y = 0`.
    pub at: &'static str,
    /// The point.
    pub point: Vec<f64>,
    /// The partials there.
    pub partials: Vec<f64>,
}

impl Rule {
    /// A rule of `N` float arguments from the formulas of its partials; a partial that is the number 0 is inactive.
    pub fn new<const N: usize>(name: &'static str, partials: impl FnOnce([&Expr; N], &Expr) -> [Expr; N]) -> Rule {
        let args: [Expr; N] = std::array::from_fn(Expr::arg);
        let partials = partials(args.each_ref(), &Expr::result());
        Rule {
            name,
            matches: Vec::new(),
            args: vec![ArgKind::Float; N],
            partials: partials.into_iter().map(Partial::from).collect(),
            cost: Cost::Cheap,
            kinks: Vec::new(),
            notes: Vec::new(),
            domain: vec![-2.0..2.0; N],
        }
    }
    /// Applies to an instruction.
    pub fn opcode(self, opcode: Opcode) -> Rule {
        self.pattern(Pattern::Opcode(opcode))
    }
    /// Applies to an intrinsic in every width.
    pub fn intrinsic(self, name: &'static str) -> Rule {
        self.pattern(Pattern::Intrinsic(name))
    }
    /// Applies to a C function, by its names for `double` and `float`.
    pub fn symbols(self, double: &'static str, single: &'static str) -> Rule {
        self.pattern(Pattern::Symbol(double)).pattern(Pattern::Symbol(single))
    }
    /// Applies to a Rust function.
    pub fn path(self, path: &'static str) -> Rule {
        self.pattern(Pattern::Path(path))
    }
    /// Adds a pattern.
    pub fn pattern(mut self, pattern: Pattern) -> Rule {
        self.matches.push(pattern);
        self
    }
    /// Says that an argument is no float.
    pub fn kind(mut self, arg: usize, kind: ArgKind) -> Rule {
        self.args[arg] = kind;
        self
    }
    /// Says what recomputation costs.
    pub fn cost(mut self, cost: Cost) -> Rule {
        self.cost = cost;
        self
    }
    /// Writes down a convention, which a test checks.
    pub fn kink<const N: usize>(mut self, at: &'static str, point: [f64; N], partials: [f64; N]) -> Rule {
        self.kinks.push(Kink { at, point: point.to_vec(), partials: partials.to_vec() });
        self
    }
    /// Adds a remark to the table.
    pub fn note(mut self, text: &'static str) -> Rule {
        self.notes.push(text);
        self
    }
    /// Where tests sample the arguments (integers: from the whole numbers of the range).
    pub fn domain<const N: usize>(mut self, domain: [Range<f64>; N]) -> Rule {
        self.domain = domain.to_vec();
        self
    }
    /// Number of arguments.
    pub fn arity(&self) -> usize {
        self.args.len()
    }
    /// True where no argument has a partial: the result never carries a derivative.
    pub fn is_inactive(&self) -> bool {
        self.partials.iter().all(|partial| matches!(partial, Partial::Inactive))
    }
    /// True where the partial of an argument has no value somewhere, as the kinks tell: a tangent that is exactly zero makes no
    /// NaN with it (`0 * inf`).
    pub fn is_undefined_somewhere(&self, arg: usize) -> bool {
        self.kinks.iter().any(|kink| !kink.partials[arg].is_finite())
    }
    /// What the partial of an argument uses.
    pub fn needs(&self, arg: usize) -> Needs {
        self.partials[arg].needs(self.arity())
    }
    /// The partials for a use where some arguments are constants of the program: simpler, and in need of less.
    pub fn specialise(&self, constant: &mut dyn FnMut(usize) -> Option<Constant>) -> Vec<Partial> {
        let constants: Vec<_> = (0..self.arity()).map(constant).collect();
        if constants.iter().all(Option::is_none) {
            return self.partials.clone();
        }
        self.partials.iter().map(|partial| partial.specialise(&constants)).collect()
    }
}

impl Partial {
    /// The free variables.
    pub fn needs(&self, arity: usize) -> Needs {
        let mut needs = Needs { args: vec![false; arity], result: false };
        if let Partial::Of(expr) = self {
            expr.collect_needs(&mut needs, &mut HashSet::default());
        }
        needs
    }
    /// The number that it is, where it is one (0 where it is inactive): 1 and -1 need no multiplication.
    pub fn as_num(&self) -> Option<f64> {
        match self {
            Partial::Inactive => Some(0.0),
            Partial::Of(expr) => expr.as_num(),
        }
    }
}

impl From<Expr> for Partial {
    fn from(expr: Expr) -> Partial {
        if expr.is_zero() { Partial::Inactive } else { Partial::Of(expr) }
    }
}

impl Expr {
    fn collect_needs(&self, needs: &mut Needs, seen: &mut HashSet<usize>) {
        if !seen.insert(self.id()) {
            return;
        }
        let mut note = |index: Option<usize>| {
            if let Some(used) = index.and_then(|i| needs.args.get_mut(i)) {
                *used = true;
            }
        };
        match self.node() {
            Node::Arg(index) => note(Some(*index)),
            Node::FromInt(n) | Node::IntCall(_, n, _) => note(n.arg),
            Node::Select(super::Cond::Int(_, n, _), ..) => note(n.arg),
            Node::Result => needs.result = true,
            _ => {}
        }
        for child in self.children() {
            child.collect_needs(needs, seen);
        }
    }

    /// The expressions that it is computed from; of [`Node::WhenKnown`], the general form alone.
    pub fn children(&self) -> Vec<&Expr> {
        match self.node() {
            Node::Arg(_) | Node::Result | Node::Num(_) | Node::ByWidth { .. } | Node::FromInt(_) => Vec::new(),
            Node::Neg(a) | Node::Named(_, a) | Node::IntCall(_, _, a) | Node::WhenKnown(_, _, a) => vec![a],
            Node::Binary(_, a, b) | Node::Select(super::Cond::Int(..), a, b) => vec![a, b],
            Node::Select(super::Cond::Float(_, c, d), a, b) => vec![c, d, a, b],
            Node::Call(_, args) => args.iter().collect(),
        }
    }
}
