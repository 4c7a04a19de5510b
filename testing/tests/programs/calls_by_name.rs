//! Trees that hold texts beside what is computed: functions by their names, with errors that say the name again; species with rows that may be empty.

use crate::functional;
use std::collections::HashMap;

enum Expr {
    Number(f64),
    Name(String),
    Call(String, Vec<Expr>),
}

enum Failure {
    Unknown(String),
    Arity { name: String, got: usize },
}

fn value(expr: &Expr, names: &HashMap<&str, f64>) -> Result<f64, Failure> {
    Ok(match expr {
        Expr::Number(v) => *v,
        Expr::Name(name) => *names.get(name.as_str()).ok_or_else(|| Failure::Unknown(name.clone()))?,
        Expr::Call(name, arguments) => {
            let values = arguments.iter().map(|a| value(a, names)).collect::<Result<Vec<f64>, Failure>>()?;
            match (name.as_str(), values.as_slice()) {
                ("sin", [a]) => a.sin(),
                ("mul", [a, b]) => a * b,
                ("sin" | "mul", _) => return Err(Failure::Arity { name: name.clone(), got: values.len() }),
                _ => return Err(Failure::Unknown(name.to_string())),
            }
        }
    })
}

fn called(expr: &Expr, x: &[f64]) -> f64 {
    match value(expr, &HashMap::from([("a", x[0]), ("b", x[1])])) {
        Ok(v) => v,
        Err(Failure::Unknown(name)) => name.len() as f64 * x[0],
        Err(Failure::Arity { name, got }) => (name.len() + got) as f64 * x[1],
    }
}

fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    Expr::Call(name.to_owned(), arguments)
}

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

enum Growth {
    Logistic { rate: f64, limit: f64 },
    Decay(f64),
    Seasonal { amplitude: f64, phase: f64, base: Box<Growth> },
}

impl Growth {
    fn rate(&self, number: f64, time: f64) -> f64 {
        match self {
            Growth::Logistic { rate, limit } => rate * (1.0 - number / limit),
            Growth::Decay(rate) => -rate,
            Growth::Seasonal { amplitude, phase, base } => {
                base.rate(number, time) * (1.0 + amplitude * (time + phase).sin())
            }
        }
    }
}

struct Species {
    numbers: Vec<f64>,
    diet: Vec<(usize, f64)>,
    growth: Growth,
}

functional! {
    fn functions_by_name_and_errors_that_say_it(x: &[f64]) -> f64 {
        let good = call("mul", vec![call("sin", vec![name("a")]), name("b")]);
        let many = call("sin", vec![name("a"), Expr::Number(2.0)]);
        let unknown = call("cube", vec![name("b")]);
        called(&good, x) + called(&many, x) + called(&unknown, x) + called(&name("c"), x)
    } at [0.7, 1.2];

    fn a_food_web_with_one_that_eats_nothing(x: &[f64]) -> f64 {
        let base = Box::new(Growth::Logistic { rate: x[1], limit: 3.0 });
        let seasonal = Growth::Seasonal { amplitude: 0.3, phase: x[2], base };
        let mut species = vec![
            Species { numbers: vec![x[0]], diet: vec![], growth: seasonal },
            Species { numbers: vec![0.5], diet: vec![(0, 0.4)], growth: Growth::Decay(0.2) },
            Species { numbers: vec![0.2], diet: vec![(1, x[1]), (0, 0.01)], growth: Growth::Decay(x[2] * 0.3) },
        ];
        for time in 0..3 {
            let now: Vec<f64> = species.iter().map(|s| *s.numbers.last().unwrap()).collect();
            let grown = species.iter().zip(&now).map(|(s, n)| n * s.growth.rate(*n, f64::from(time)));
            let mut change: Vec<f64> = grown.collect();
            for (i, one) in species.iter().enumerate() {
                for &(j, share) in &one.diet {
                    let eaten = share * now[i] * now[j];
                    change[i] += 0.6 * eaten;
                    change[j] -= eaten;
                }
            }
            for (one, by) in species.iter_mut().zip(&change) {
                let next = one.numbers[one.numbers.len() - 1] + 0.1 * by;
                one.numbers.push(next.max(0.0));
            }
        }
        species.iter().map(|s| s.numbers.iter().sum::<f64>() * (s.diet.len() + 1) as f64).sum()
    } at [0.8, 0.6, 0.7];
}
