//! Trigonometric functions and their inverses.
//!
//! `sin_cos` is `sin` and `cos`. Squares that are taken from 1 are written as products, which keep their digits near the ends.
use cotangent_engine::rule::{Cost, Expr, Rule, select};

/// `1 / sqrt(1 - x^2)`.
fn arc(x: &Expr) -> Expr {
    1.0 / Expr::sqrt((1.0 - x) * (1.0 + x))
}

/// `atan2(y, x)`, its arguments being `x` and `y` of the table: scaled by the larger one, since the squares of small numbers
/// vanish.
fn atan2() -> Rule {
    libm!(
        Rule::new("atan2(x, y)", |[x, y], _| {
            let (ax, ay) = (&Expr::fabs(x), &Expr::fabs(y));
            let larger = &select(ax.gt(ay), ax, ay);
            let scale = &(1.0 / select(larger.eq(0.0), 1.0, larger));
            let (u, v) = (&(x * scale), &(y * scale));
            let square = u * u + v * v;
            let factor = &(scale / select(square.eq(0.0), 1.0, &square));
            [
                (v * factor).named("y / (x * x + y * y)"),
                -(u * factor).named("(x / (x * x + y * y))"),
            ]
        })
        .intrinsic("llvm.atan2")
        .domain([-2.0..2.0, 0.3..2.0])
        .kink("x = y = 0", [0.0, 0.0], [0.0, 0.0])
        .note("`x.atan2(y)` of Rust, the angle whose tangent is `x / y`; computed so that the squares neither vanish nor overflow"),
        "atan2"
    )
}

pub(crate) fn rules() -> Vec<Rule> {
    let infinite = [f64::INFINITY];
    let rules = vec![
        libm!(Rule::new("sin(x)", |[x], _| [Expr::cos(x)]).intrinsic("llvm.sin"), "sin"),
        libm!(Rule::new("cos(x)", |[x], _| [-Expr::sin(x)]).intrinsic("llvm.cos"), "cos"),
        libm!(Rule::new("tan(x)", |[_], r| [1.0 + r * r]).intrinsic("llvm.tan").domain([-1.2..1.2]), "tan"),
        libm!(
            Rule::new("asin(x)", |[x], _| [arc(x)])
                .intrinsic("llvm.asin")
                .domain([-0.8..0.8])
                .kink("x = 1", [1.0], infinite)
                .kink("x = -1", [-1.0], infinite),
            "asin"
        ),
        libm!(
            Rule::new("acos(x)", |[x], _| [-arc(x)])
                .intrinsic("llvm.acos")
                .domain([-0.8..0.8])
                .kink("x = 1", [1.0], [f64::NEG_INFINITY])
                .kink("x = -1", [-1.0], [f64::NEG_INFINITY]),
            "acos"
        ),
        libm!(Rule::new("atan(x)", |[x], _| [1.0 / (1.0 + x * x)]).intrinsic("llvm.atan"), "atan"),
        atan2(),
    ];
    rules.into_iter().map(|rule| rule.cost(Cost::Expensive)).collect()
}
