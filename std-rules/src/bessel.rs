//! Bessel functions of whole order.
use cotangent_engine::rule::{ArgKind, Cost, Expr, Rule, int};

pub(crate) fn rules() -> Vec<Rule> {
    let n = int(0);
    let two = cotangent_engine::rule::Int::constant(2);
    let rules = vec![
        libm!(Rule::new("j0(x)", |[x], _| [-Expr::j1(x)]).domain([-5.0..5.0]), "j0"),
        libm!(
            Rule::new("j1(x)", |[x], _| [0.5 * (Expr::j0(x) - Expr::jn(two, x))]).domain([-5.0..5.0]).kink(
                "x = 0",
                [0.0],
                [0.5]
            ),
            "j1"
        ),
        libm!(
            Rule::new("jn(n, y)", |[_, y], _| { [Expr::from(0.0), 0.5 * (Expr::jn(n - 1, y) - Expr::jn(n + 1, y))] })
                .kind(0, ArgKind::Int)
                .domain([0.0..5.0, 0.5..6.0]),
            "jn"
        ),
        libm!(Rule::new("y0(x)", |[x], _| [-Expr::y1(x)]).domain([0.5..6.0]), "y0"),
        libm!(Rule::new("y1(x)", |[x], r| [Expr::y0(x) - r / x]).domain([0.5..6.0]), "y1"),
        libm!(
            Rule::new("yn(n, y)", |[_, y], _| { [Expr::from(0.0), 0.5 * (Expr::yn(n - 1, y) - Expr::yn(n + 1, y))] })
                .kind(0, ArgKind::Int)
                .domain([0.0..5.0, 0.8..6.0]),
            "yn"
        ),
    ];
    rules.into_iter().map(|rule| rule.cost(Cost::Expensive)).collect()
}
