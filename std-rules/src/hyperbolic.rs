//! Hyperbolic functions and their inverses.
//!
//! The inverses are written in Rust in the standard library, by way of functions that have no derivative where these have one
//! (`asinh` at 0), so they have rules under their paths.
use cotangent_engine::rule::{Cost, Expr, Rule};

pub(crate) fn rules() -> Vec<Rule> {
    let rules = vec![
        libm!(Rule::new("sinh(x)", |[x], _| [Expr::cosh(x)]).intrinsic("llvm.sinh"), "sinh"),
        libm!(Rule::new("cosh(x)", |[x], _| [Expr::sinh(x)]).intrinsic("llvm.cosh"), "cosh"),
        libm!(Rule::new("tanh(x)", |[_], r| [(1.0 - r) * (1.0 + r)]).intrinsic("llvm.tanh"), "tanh"),
        libm!(
            Rule::new("asinh(x)", |[x], _| [1.0 / Expr::sqrt(x * x + 1.0)]).path("<f64>::asinh").path("<f32>::asinh"),
            "asinh"
        ),
        libm!(
            Rule::new("acosh(x)", |[x], _| [1.0 / Expr::sqrt((x - 1.0) * (x + 1.0))])
                .path("<f64>::acosh")
                .path("<f32>::acosh")
                .domain([1.3..4.0])
                .kink("x = 1", [1.0], [f64::INFINITY]),
            "acosh"
        ),
        libm!(
            Rule::new("atanh(x)", |[x], _| [1.0 / ((1.0 - x) * (1.0 + x))])
                .path("<f64>::atanh")
                .path("<f32>::atanh")
                .domain([-0.8..0.8])
                .kink("x = 1", [1.0], [f64::INFINITY])
                .kink("x = -1", [-1.0], [f64::INFINITY]),
            "atanh"
        ),
    ];
    rules.into_iter().map(|rule| rule.cost(Cost::Expensive)).collect()
}
