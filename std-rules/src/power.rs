//! Powers and roots.
use cotangent_engine::rule::{ArgKind, Cost, Expr, Rule, by_width, int, select, when_known};

/// `powi`: for a constant exponent `n * x^(n-1)`. For any other the power is already there in the result, so that a division
/// by `x`, which leaves loops where `x` does not change in them, takes the place of a second call. Where `x` is so
/// small or large that the quotient would lose what `x^(n-1)` still holds, small exponents are products, and for `n > 3`
/// `r * x` has the same limit and sign.
fn powi() -> Rule {
    Rule::new("powi(x, n)", |[x, _], r| {
        let n = int(1);
        let known = select(n.eq(0), 0.0, n.float() * Expr::powi(x, n - 1));
        let quotient = &(r * (1.0 / x));
        let magnitude = &Expr::fabs(x);
        let limit = &(r * x);
        let inner = select(
            magnitude.lt(by_width(2f64.powi(-60), 2f64.powi(-500))),
            limit,
            select(magnitude.gt(by_width(f64::from(f32::MAX), f64::MAX)), limit, quotient),
        );
        let general = select(n.lt(0), quotient, inner);
        let power = &select(n.eq(0), 0.0, select(n.eq(1), 1.0, select(n.eq(2), x, select(n.eq(3), x * x, general))))
            .named("(r / x)");
        [when_known(1, known, n.float() * power), Expr::from(0.0)]
    })
    .kind(1, ArgKind::Int)
    .intrinsic("llvm.powi")
    .symbols("__powidf2", "__powisf2")
    .cost(Cost::Expensive)
    .domain([0.4..1.8, -4.0..8.0])
    .note("`r / x` is 0, 1, `x`, `x * x` for `n` from 0 to 3, and the limit where the quotient has none")
    .kink("x = 0, n = 0", [0.0, 0.0], [0.0, 0.0])
    .kink("x = 0, n = 1", [0.0, 1.0], [1.0, 0.0])
    .kink("x = 0, n = 2", [0.0, 2.0], [0.0, 0.0])
    .kink("x = 0, n = 5", [0.0, 5.0], [0.0, 0.0])
    .kink("x = 0, n = -1", [0.0, -1.0], [f64::NEG_INFINITY, 0.0])
    .kink("x infinite, n = 5", [f64::INFINITY, 5.0], [f64::INFINITY, 0.0])
}

/// `powf`: with the exponent kept at 0 where `y` is 0, so that `0 * x^(-1)` never arises; the logarithm is taken of 1 where the
/// limit of `r * ln(x)` is 0.
fn powf() -> Rule {
    libm!(
        Rule::new("powf(x, y)", |[x, y], r| {
            let base = y * Expr::pow(x, select(y.eq(0.0), 0.0, y - 1.0));
            // `0^y` is 0 or 1 unless `y` is negative: the result tells, so that `y` is not needed.
            let origin = select(r.le(1.0), 1.0, x);
            let at_zero = select(r.eq(0.0), 1.0, select(x.eq(0.0), origin, x));
            [base, r * Expr::ln(select(x.gt(0.0), x, at_zero))]
        })
        .intrinsic("llvm.pow")
        .cost(Cost::Expensive)
        .domain([0.3..3.0, -2.5..2.5])
        .kink("x = y = 0", [0.0, 0.0], [0.0, 0.0])
        .kink("x = 0, y = 1", [0.0, 1.0], [1.0, 0.0])
        .kink("x = 0, y = 0.5", [0.0, 0.5], [f64::INFINITY, 0.0])
        .kink("x = 0, y = 2", [0.0, 2.0], [0.0, 0.0])
        .kink("x < 0, y whole", [-2.0, 2.0], [-4.0, f64::NAN])
        .note("for `x < 0` the function is not defined beside whole `y`: the partial by `y` is NaN"),
        "pow"
    )
}

pub(crate) fn rules() -> Vec<Rule> {
    vec![
        powi(),
        powf(),
        libm!(
            Rule::new("sqrt(x)", |[_], r| [0.5 / r])
                .intrinsic("llvm.sqrt")
                .cost(Cost::Moderate)
                .domain([0.1..4.0])
                .kink("x = 0", [0.0], [f64::INFINITY]),
            "sqrt"
        ),
        libm!(
            Rule::new("cbrt(x)", |[_], r| [1.0 / (3.0 * (r * r))]).cost(Cost::Expensive).domain([0.2..4.0]).kink(
                "x = 0",
                [0.0],
                [f64::INFINITY]
            ),
            "cbrt"
        ),
        libm!(
            Rule::new("hypot(x, y)", |[x, y], r| {
                let length = &select(r.eq(0.0), 1.0, r);
                [x / length, y / length]
            })
            .cost(Cost::Expensive)
            .domain([-3.0..3.0, 0.3..3.0])
            .kink("x = y = 0", [0.0, 0.0], [0.0, 0.0]),
            "hypot"
        ),
    ]
}
