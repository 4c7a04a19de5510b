//! `Result<f64, ..>` whose error is an enum with a text and a number of one byte, beside a record with an `f32` that nobody reads.

use cotangent::{Shadow, autodiff, zeroed};
use std::num::ParseIntError;
use testing::assert_close;

#[derive(Debug)]
enum Bad {
    Text(String),
    Number(ParseIntError),
    Range(f64),
}

#[derive(Shadow, Clone, Debug)]
enum Leg {
    Fixed { rate: f64, dates: Vec<i64> },
    Perpetual(f64, f32),
}

fn parse(text: &str) -> Result<i64, Bad> {
    if text.is_empty() { Err(Bad::Text(text.into())) } else { text.parse::<i64>().map_err(Bad::Number) }
}

fn factor(p: &[f64], date: i64) -> Result<f64, Bad> {
    if date > 40 { Err(Bad::Range(p[0])) } else { Ok(p[1] * date as f64) }
}

impl Leg {
    fn value(&self, p: &[f64]) -> Result<f64, Bad> {
        Ok(match self {
            Leg::Fixed { rate, dates } => {
                dates.iter().map(|date| Ok(rate * factor(p, *date)?)).sum::<Result<f64, Bad>>()?
            }
            Leg::Perpetual(value, _) => *value,
        })
    }
}

#[test]
fn a_sum_of_results_is_told_from_numbers_in_their_errors() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    #[autodiff(along, Forward, Dual, Dual, Dual)]
    fn f(p: &[f64], legs: &[Leg]) -> f64 {
        let value = |leg: &Leg| match leg.value(p) {
            Ok(value) => value,
            Err(Bad::Range(at)) => 10.0 * at,
            Err(Bad::Text(_) | Bad::Number(_)) => 0.0,
        };
        legs.iter().map(value).sum()
    }
    let fixed = |rate: f64, dates: &[&str]| {
        let dates = dates.iter().map(|text| parse(text).unwrap()).collect();
        Leg::Fixed { rate, dates }
    };
    let legs = [fixed(0.3, &["1", "3"]), Leg::Perpetual(1.0, 2.0), fixed(0.4, &["2", "50"])];
    assert!(matches!(parse(""), Err(Bad::Text(text)) if text.is_empty()));
    assert!(matches!(parse("x"), Err(Bad::Number(why)) if why.to_string().contains("digit")));
    let (p, mut dp, mut shadow) = ([0.5, 0.02], [0.0; 2], zeroed(&legs));
    // 0.3 * 4 p1 + 1 + 10 p0
    assert_close!(d(&p, &mut dp, &legs, &mut shadow, 1.0), 0.024 + 1.0 + 5.0, 1e-14);
    assert_close!(dp[0], 10.0, 1e-14);
    assert_close!(dp[1], 1.2, 1e-14);
    let Leg::Fixed { rate, .. } = &shadow[0] else { panic!("{:?}", shadow[0]) };
    assert_close!(*rate, 0.08, 1e-14);
    let Leg::Perpetual(by, narrow) = &shadow[1] else { panic!("{:?}", shadow[1]) };
    assert_eq!((*by, *narrow), (1.0, 0.0));
    assert_close!(along(&p, &[0.0, 1.0], &legs, &zeroed(&legs)).1, 1.2, 1e-14);
}
