//! Absolute value, sign, minimum, maximum: functions that choose.
use cotangent_engine::rule::{Cond, Expr, Rule, select};

/// The partials of a choice between two arguments: all of it to the first where the condition holds or the second is NaN (then
/// the result is the first), otherwise all to the second.
fn choice(first: Cond, y: &Expr) -> [Expr; 2] {
    let one_if = |yes: f64, no: f64| select(first.clone(), yes, select(y.is_nan(), yes, no));
    [one_if(1.0, 0.0), one_if(0.0, 1.0)]
}

fn extremum(rule: Rule) -> Rule {
    rule.kink("x = y", [1.5, 1.5], [1.0, 0.0])
        .kink("x NaN", [f64::NAN, 1.5], [0.0, 1.0])
        .kink("y NaN", [1.5, f64::NAN], [1.0, 0.0])
        .note("at a tie the derivative goes to the first argument")
}

/// `1` or `-1` with the sign of `x`, and 0 where `x` is 0.
fn sign(x: &Expr) -> Expr {
    select(x.eq(0.0), 0.0, Expr::copysign(1.0, x)).named("sign(x)")
}

pub(crate) fn rules() -> Vec<Rule> {
    vec![
        libm!(
            Rule::new("abs(x)", |[x], _| [sign(x)]).intrinsic("llvm.fabs").kink("x = 0", [0.0], [0.0]).kink(
                "x < 0",
                [-1.5],
                [-1.0]
            ),
            "fabs"
        ),
        libm!(
            Rule::new("copysign(x, y)", |[x, y], _| [sign(x) * Expr::copysign(1.0, y), Expr::from(0.0)])
                .intrinsic("llvm.copysign")
                .kink("x = 0", [0.0, -1.0], [0.0, 0.0])
                .kink("x > 0 > y", [2.0, -1.0], [-1.0, 0.0])
                .kink("x, y < 0", [-2.0, -1.0], [1.0, 0.0])
                .note("`signum` is `copysign(1, x)`: its derivative is 0"),
            "copysign"
        ),
        libm!(
            extremum(Rule::new("max(x, y)", |[x, y], _| choice(x.ge(y), y)))
                .intrinsic("llvm.maxnum")
                .intrinsic("llvm.maximumnum")
                .intrinsic("llvm.maximum"),
            "fmax",
            "fmaximum",
            "fmaximum_num"
        ),
        libm!(
            extremum(Rule::new("min(x, y)", |[x, y], _| choice(x.le(y), y)))
                .intrinsic("llvm.minnum")
                .intrinsic("llvm.minimumnum")
                .intrinsic("llvm.minimum"),
            "fmin",
            "fminimum",
            "fminimum_num"
        ),
        libm!(
            Rule::new("fdim(x, y)", |[x, y], _| { [select(x.gt(y), 1.0, 0.0), select(x.gt(y), -1.0, 0.0)] })
                .kink("x = y", [1.5, 1.5], [0.0, 0.0])
                .note("the positive difference, `max(x - y, 0)`"),
            "fdim"
        ),
    ]
}
