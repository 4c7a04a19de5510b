//! The arithmetic instructions and the conversions between float types.
use cotangent_engine::rule::{ArgKind, Cost, Expr, Opcode, Rule};

fn one() -> Expr {
    Expr::from(1.0)
}

fn none() -> Expr {
    Expr::from(0.0)
}

pub(crate) fn rules() -> Vec<Rule> {
    vec![
        Rule::new("x + y", |[_, _], _| [one(), one()]).opcode(Opcode::FAdd),
        Rule::new("x - y", |[_, _], _| [one(), -one()]).opcode(Opcode::FSub),
        Rule::new("x * y", |[x, y], _| [y.into(), x.into()]).opcode(Opcode::FMul),
        // The reciprocal is one node, hence one division for both partials.
        Rule::new("x / y", |[_, y], r| {
            let reciprocal = &(1.0 / y);
            [reciprocal.into(), -(r * reciprocal)]
        })
        .opcode(Opcode::FDiv)
        .domain([-2.0..2.0, 0.5..3.0])
        .cost(Cost::Moderate),
        Rule::new("-x", |[_], _| [-one()]).opcode(Opcode::FNeg),
        // The quotient is a whole number, which `r` gives back exactly: `x - r = y * quotient`.
        libm!(
            Rule::new("x % y", |[x, y], r| [one(), Expr::rint((r - x) / y)])
                .opcode(Opcode::FRem)
                .domain([-5.0..5.0, 0.7..2.0])
                .note("`y` times the whole quotient is held where the quotient jumps: the partials are those of `x - q * y`")
                .kink("x = 2 * y", [3.0, 1.5], [1.0, -2.0]),
            "fmod"
        )
        .cost(Cost::Expensive),
        libm!(
            Rule::new("remainder(x, y)", |[x, y], r| [one(), Expr::rint((r - x) / y)])
                .domain([-5.0..5.0, 0.7..2.0])
                .note("nearest multiple; the quotient counts as constant where it jumps"),
            "remainder"
        )
        .cost(Cost::Expensive),
        libm!(
            Rule::new("fma(x, y, z)", |[x, y, _], _| [y.into(), x.into(), one()])
                .intrinsic("llvm.fma")
                .intrinsic("llvm.fmuladd"),
            "fma"
        )
        .cost(Cost::Moderate),
        libm!(
            Rule::new("ldexp(x, n)", |[_, _], _| [Expr::ldexp(one(), cotangent_engine::rule::int(1)), none()])
                .kind(1, ArgKind::Int)
                .domain([-2.0..2.0, -3.0..4.0])
                .intrinsic("llvm.ldexp"),
            "ldexp",
            "scalbn"
        )
        .cost(Cost::Expensive),
    ]
}

pub(crate) fn conversions() -> Vec<Rule> {
    vec![
        Rule::new("f32 to f64", |[_], _| [one()]).opcode(Opcode::FPExt),
        Rule::new("f64 to f32", |[_], _| [one()])
            .opcode(Opcode::FPTrunc)
            .note("the rounding counts as none; the adjoint is widened"),
        Rule::new("canonicalize", |[_], _| [one()]).intrinsic("llvm.canonicalize").intrinsic("llvm.arithmetic.fence"),
        Rule::new("integer to float", |[_], _| [none()])
            .kind(0, ArgKind::Int)
            .opcode(Opcode::SIToFP)
            .opcode(Opcode::UIToFP),
        Rule::new("float to integer", |[_], _| [none()])
            .opcode(Opcode::FPToSI)
            .opcode(Opcode::FPToUI)
            .intrinsic("llvm.fptosi.sat")
            .intrinsic("llvm.fptoui.sat"),
        Rule::new("comparison", |[_, _], _| [none(), none()]).opcode(Opcode::FCmp),
    ]
}
