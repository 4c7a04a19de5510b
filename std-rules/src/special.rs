//! Gamma and error functions.
use cotangent_engine::rule::{ArgKind, Cost, Expr, Rule, select};
use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// Coefficients of the asymptotic series of the digamma function in `1 / z^2`, `B(2k) / 2k` without its sign.
const SERIES: [f64; 7] = [1.0 / 12.0, 1.0 / 120.0, 1.0 / 252.0, 1.0 / 240.0, 1.0 / 132.0, 691.0 / 32760.0, 1.0 / 12.0];
/// How far the argument is moved up before the series is used.
const STEPS: u32 = 8;

/// The digamma function, the logarithmic derivative of the gamma function. No C library has it, so it is written out: below
/// 1/2 by reflection, then moved up by the recurrence, then the asymptotic series; exact to a few units in the last
/// place away from its roots.
fn digamma(x: &Expr) -> Expr {
    let below = x.lt(0.5);
    let y = &select(below.clone(), 1.0 - x, x);
    let moved = (0..STEPS).map(|k| 1.0 / (y + f64::from(k))).reduce(|sum, term| sum + term);
    let z = &(y + f64::from(STEPS));
    let w = &(1.0 / (z * z));
    let series = SERIES.iter().rev().copied().fold(None, |inner: Option<Expr>, coefficient| {
        Some(match inner {
            None => Expr::from(coefficient),
            Some(inner) => coefficient - w * inner,
        })
    });
    let asymptotic = Expr::ln(z) - 0.5 / z - w * series.unwrap_or_else(|| Expr::from(0.0));
    let above = &(asymptotic - moved.unwrap_or_else(|| Expr::from(0.0)));
    // The distance from the nearest whole number, where it is used; elsewhere something harmless.
    let distance = select(below.clone(), x - Expr::rint(x), 0.25);
    select(below, above - PI / Expr::tan(PI * distance), above).named("digamma(x)")
}

/// The derivative of the error function.
fn bell(x: &Expr) -> Expr {
    FRAC_2_SQRT_PI * Expr::exp(-(x * x))
}

pub(crate) fn rules() -> Vec<Rule> {
    let poles = "`digamma` is the logarithmic derivative of the gamma function, written out in elementary functions";
    let rules = vec![
        libm!(Rule::new("erf(x)", |[x], _| [bell(x)]), "erf"),
        libm!(Rule::new("erfc(x)", |[x], _| [-bell(x)]), "erfc"),
        libm!(Rule::new("tgamma(x)", |[x], r| [r * digamma(x)]).domain([0.3..3.5]).note(poles), "tgamma"),
        libm!(Rule::new("lgamma(x)", |[x], _| [digamma(x)]).domain([0.2..6.0]).note(poles), "lgamma"),
        Rule::new("lgamma_r(x, &mut sign)", |[x, _], _| [digamma(x), Expr::from(0.0)])
            .kind(1, ArgKind::IntOut)
            .domain([0.2..6.0, 0.0..1.0])
            .symbols("lgamma_r", "lgammaf_r")
            .note("writes the sign of the gamma function, an integer"),
    ];
    rules.into_iter().map(|rule| rule.cost(Cost::Expensive)).collect()
}
