//! Enums that are moved by value where a float of one variant shares its place with something else in another, and is as wide or wider.

use crate::functional;
use std::collections::HashMap;

/// A state machine that hands itself on.
enum Tank {
    Idle(f64),
    Filling { levels: Vec<f64>, steps: u32 },
    Full(f64, f64),
}

fn stepped(tank: Tank, inflow: f64) -> Tank {
    match tank {
        Tank::Idle(rest) => Tank::Filling { levels: vec![rest * inflow], steps: 1 },
        Tank::Filling { mut levels, steps } if steps < 3 => {
            levels.push(inflow * inflow);
            Tank::Filling { levels, steps: steps + 1 }
        }
        Tank::Filling { levels, .. } => Tank::Full(levels.iter().sum(), inflow),
        Tank::Full(level, last) => Tank::Idle(level * last * inflow),
    }
}

fn run(inflows: &[f64]) -> f64 {
    match inflows.iter().fold(Tank::Idle(1.0), |tank, inflow| stepped(tank, *inflow)) {
        Tank::Idle(rest) => rest,
        Tank::Filling { levels, steps } => levels[0] * f64::from(steps),
        Tank::Full(level, last) => level * last,
    }
}

/// Floats of two widths, and a number.
#[derive(Clone, Copy)]
enum Measured {
    Coarse(f32),
    Fine(f64),
    Count(u32),
}

fn value(measured: Measured) -> f64 {
    match measured {
        Measured::Coarse(a) => f64::from(a) * 2.0,
        Measured::Fine(b) => b * b,
        Measured::Count(n) => f64::from(n),
    }
}

#[inline(never)]
fn chosen(first: Measured, second: Measured, is_first: bool) -> Measured {
    if is_first { first } else { second }
}

/// A flag in the place of a float.
#[derive(Clone)]
enum Setting {
    On(bool),
    Range(f64, f64),
    Table(Vec<f64>),
}

/// What grows, with floats of two widths beside vectors and texts.
enum Entry {
    Plain(f64, f32),
    Listed(Vec<f64>, u32),
    Named(String, f32),
}

fn weighed(entry: &Entry) -> f64 {
    match entry {
        Entry::Plain(a, w) => a * f64::from(*w),
        Entry::Listed(all, n) => all.iter().map(|v| v * v).sum::<f64>() * f64::from(*n),
        Entry::Named(name, w) => name.len() as f64 * f64::from(*w),
    }
}

enum Formula {
    Number(f64),
    Name(String),
    Negative(Box<Formula>),
    Sum(Box<Formula>, Box<Formula>),
}

fn evaluated(formula: &Formula, names: &HashMap<String, f64>) -> Result<f64, String> {
    Ok(match formula {
        Formula::Number(v) => *v,
        Formula::Name(name) => *names.get(name).ok_or_else(|| format!("no {name}"))?,
        Formula::Negative(inner) => -evaluated(inner, names)?,
        Formula::Sum(a, b) => evaluated(a, names)? + evaluated(b, names)?,
    })
}

functional! {
    fn a_state_machine_that_ends_idle(x: &[f64]) -> f64 { run(x) } at [0.4, 1.2, -0.3, 0.7, 0.9];

    fn a_state_machine_that_ends_full(x: &[f64]) -> f64 { run(x) } at [0.4, 1.2, -0.3, 0.7];

    fn a_state_machine_that_ends_with_its_vector(x: &[f64]) -> f64 { run(x) } at [0.4, 1.2];

    fn floats_of_two_widths_at_one_place(x: &[f64]) -> f64 {
        let mut all = vec![
            Measured::Fine(x[0]),
            Measured::Coarse(3.0),
            Measured::Fine(x[1] * x[0]),
            Measured::Count(2),
            Measured::Fine(x[2]),
        ];
        all.swap(0, 2);
        all.reverse();
        let (again, first) = (all[1], all.remove(0));
        all.push(again);
        all.insert(2, first);
        all.iter().zip(1..).map(|(m, i)| value(*m) * f64::from(i)).sum()
    } at [0.4, 1.2, -0.3];

    fn one_of_two_widths_is_chosen(x: &[f64]) -> f64 {
        value(chosen(Measured::Fine(x[0] * x[1]), Measured::Coarse(1.0), x[2] < 0.0))
            + value(chosen(Measured::Coarse(1.5), Measured::Fine(x[2]), x[2] > 0.0))
            + value(chosen(Measured::Count(2), Measured::Fine(x[1]), x[2] > 0.0))
    } at [0.4, 1.2, -0.3];

    fn flags_at_the_place_of_floats_are_cloned(x: &[f64]) -> f64 {
        let all = vec![Setting::On(true), Setting::Range(x[0], x[1]), Setting::Table(x.to_vec())];
        let value = |setting: &Setting| match setting {
            Setting::On(is_on) => if *is_on { 1.5 } else { 2.0 },
            Setting::Range(a, b) => a * b,
            Setting::Table(all) => all.iter().map(|v| v * v).sum(),
        };
        all.clone().iter().map(value).product()
    } at [0.4, 1.2, -0.3];

    fn entries_grow_and_are_replaced(x: &[f64]) -> f64 {
        let (mut all, mut sum) = (Vec::new(), 0.0);
        for (i, v) in x.iter().enumerate() {
            all.push(match i % 3 {
                0 => Entry::Plain(*v, 2.0),
                1 => Entry::Listed(vec![*v, v * v], 2),
                _ => Entry::Named(format!("{i}"), 0.5),
            });
            let middle = i / 2;
            if let Entry::Listed(list, _) = &mut all[middle] {
                list.push(v * 2.0);
                sum += list[0] * list[list.len() - 1];
            } else if let Entry::Plain(a, w) = std::mem::replace(&mut all[middle], Entry::Listed(vec![*v; 3], 1)) {
                sum += a * f64::from(w);
            }
        }
        sum + all.iter().zip(1..).map(|(entry, i)| weighed(entry) * f64::from(i)).sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7, 0.9, 1.1, 0.8, 0.6, 1.3, 0.2, -0.4];

    fn a_formula_without_names_is_evaluated(x: &[f64]) -> f64 {
        let sum = Formula::Sum(Box::new(Formula::Number(x[0] * x[1])), Box::new(Formula::Number(x[1])));
        let named = evaluated(&Formula::Name("a".into()), &HashMap::new());
        evaluated(&Formula::Negative(Box::new(sum)), &HashMap::new()).unwrap() + named.unwrap_or(0.5)
    } at [0.7, 1.3];
}
