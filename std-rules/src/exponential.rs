//! Exponentials and logarithms.
use cotangent_engine::rule::{Cost, Rule};
use std::f64::consts::{LN_2, LN_10, LOG2_E, LOG10_E};

pub(crate) fn rules() -> Vec<Rule> {
    let rules = vec![
        libm!(Rule::new("exp(x)", |[_], r| [r.into()]).intrinsic("llvm.exp"), "exp"),
        libm!(Rule::new("exp2(x)", |[_], r| [r * LN_2]).intrinsic("llvm.exp2"), "exp2"),
        libm!(Rule::new("exp10(x)", |[_], r| [r * LN_10]).intrinsic("llvm.exp10"), "exp10"),
        libm!(Rule::new("exp_m1(x)", |[_], r| [r + 1.0]), "expm1"),
        libm!(
            Rule::new("ln(x)", |[x], _| [1.0 / x]).intrinsic("llvm.log").domain([0.2..4.0]).kink(
                "x = 0",
                [0.0],
                [f64::INFINITY]
            ),
            "log"
        ),
        libm!(
            Rule::new("log2(x)", |[x], _| [LOG2_E / x]).intrinsic("llvm.log2").domain([0.2..4.0]).kink(
                "x = 0",
                [0.0],
                [f64::INFINITY]
            ),
            "log2"
        ),
        libm!(
            Rule::new("log10(x)", |[x], _| [LOG10_E / x]).intrinsic("llvm.log10").domain([0.2..4.0]).kink(
                "x = 0",
                [0.0],
                [f64::INFINITY]
            ),
            "log10"
        ),
        libm!(
            Rule::new("ln_1p(x)", |[x], _| [1.0 / (1.0 + x)]).domain([-0.7..3.0]).kink(
                "x = -1",
                [-1.0],
                [f64::INFINITY]
            ),
            "log1p"
        ),
    ];
    rules.into_iter().map(|rule| rule.cost(Cost::Expensive)).collect()
}
