//! Rounding to whole numbers and asking what kind of number it is: locally constant, so without a derivative.
use cotangent_engine::rule::{Expr, Rule};

fn flat(name: &'static str) -> Rule {
    Rule::new(name, |[_], _| [Expr::from(0.0)])
}

pub(crate) fn rules() -> Vec<Rule> {
    let rounded = |rule: Rule| rule.kink("x whole", [2.0], [0.0]);
    vec![
        libm!(rounded(flat("floor(x)")).intrinsic("llvm.floor"), "floor"),
        libm!(rounded(flat("ceil(x)")).intrinsic("llvm.ceil"), "ceil"),
        libm!(rounded(flat("trunc(x)")).intrinsic("llvm.trunc"), "trunc"),
        libm!(rounded(flat("round(x)")).intrinsic("llvm.round"), "round"),
        libm!(
            rounded(flat("round_ties_even(x)"))
                .intrinsic("llvm.rint")
                .intrinsic("llvm.nearbyint")
                .intrinsic("llvm.roundeven"),
            "rint",
            "nearbyint",
            "roundeven"
        ),
        libm!(
            flat("rounded to an integer")
                .intrinsic("llvm.lround")
                .intrinsic("llvm.llround")
                .intrinsic("llvm.lrint")
                .intrinsic("llvm.llrint"),
            "lround",
            "llround",
            "lrint",
            "llrint"
        ),
        libm!(flat("exponent of x").domain([0.5..2.0]), "logb", "ilogb"),
        libm!(
            Rule::new("nextafter(x, y)", |[_, _], _| [Expr::from(1.0), Expr::from(0.0)])
                .note("a step to the next float counts as none"),
            "nextafter"
        ),
        Rule::new("class of x", |[_, _], _| [Expr::from(0.0), Expr::from(0.0)])
            .kind(1, cotangent_engine::rule::ArgKind::Int)
            .intrinsic("llvm.is.fpclass"),
    ]
}
