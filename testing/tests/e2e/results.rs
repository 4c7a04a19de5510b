//! Arrays that are returned in a `Result` whose error is a text, and enums of floats that are cloned and taken apart: floats that LLVM moves as pointers and as
//! numbers.
use crate::functional;
use std::rc::Rc;

fn eliminated(mut m: [[f64; 3]; 3]) -> Result<[[f64; 3]; 3], &'static str> {
    for k in 0..3 {
        if m[k][k] == 0.0 {
            return Err("singular");
        }
        for i in k + 1..3 {
            for j in k..3 {
                m[i][j] -= m[k][j];
            }
        }
    }
    Ok(m)
}

fn checked<const N: usize>(mut m: [f64; N]) -> Result<[f64; N], &'static str> {
    for k in 0..N {
        if m[k] == 0.0 {
            return Err("zero");
        }
        for i in k + 1..N {
            m[i] -= m[k];
        }
    }
    Ok(m)
}

fn halved(m: [f64; 4]) -> Result<[f64; 4], String> {
    if m[0] < 0.0 {
        return Err(format!("{} entries", m.len()));
    }
    Ok(m.map(|v| 0.5 * v * m[0]))
}

// What nobody reads is moved all the same.
#[derive(Clone)]
#[allow(dead_code)]
enum Dose {
    Bolus(f64),
    Oral(f64, f64, f64),
}

// The capacity of one variant's vector lies where another has a pointer and the third a float.
enum Leg {
    Fixed(f64, Vec<f64>),
    Float(f64, Rc<Vec<f64>>, Vec<f64>),
    Bullet(f64, f64),
}

#[derive(Clone, Copy)]
struct Flags {
    on: bool,
    level: u8,
    a: f64,
    b: f64,
}

#[inline(never)]
fn next(f: Flags, x: f64) -> Flags {
    Flags { on: !f.on, level: f.level, a: f.a * x, b: f.b + f.a }
}

enum Part {
    One(f64),
    Two(f64, f64),
}

#[inline(never)]
fn part(k: usize, x: &[f64]) -> Result<Part, &'static str> {
    match k {
        0 => Ok(Part::One(x[0])),
        1 => Ok(Part::Two(x[1], x[0])),
        _ => Err("none"),
    }
}

fn value(part: &Part) -> f64 {
    match part {
        Part::Two(a, b) => a * b,
        Part::One(a) => a.exp(),
    }
}

#[inline(never)]
fn boxed(k: usize, x: &[f64]) -> Result<Box<Part>, &'static str> {
    Ok(Box::new(part(k, x)?))
}

functional! {
    fn an_eliminated_matrix(x: &[f64]) -> f64 {
        let m = eliminated([[x[0], x[1], 0.1], [1.2, 1.5, 0.3], [1.0, 0.4, 3.0]]).unwrap();
        m.iter().flatten().map(|v| v * v).sum()
    } at [2.4, 0.5];

    fn an_array_that_is_checked(x: &[f64]) -> f64 {
        let m = checked([x[0], x[1], x[2], 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        (0..9).map(|i| m[i]).product()
    } at [0.4, -0.7, 1.2];

    fn three_that_are_checked(x: &[f64]) -> f64 {
        checked([x[0], x[1], x[2]]).unwrap().iter().product()
    } at [0.4, -0.7, 1.2];

    fn an_array_or_a_text_with_numbers(x: &[f64]) -> f64 {
        halved([x[0], x[1], x[2], x[0]]).and_then(halved).map_or(0.0, |m| m.iter().product())
    } at [0.4, -0.7, 1.2];

    fn doses_cloned_and_kept(x: &[f64]) -> f64 {
        let mut doses = vec![Dose::Oral(1.0, x[0], x[1]), Dose::Bolus(0.5)];
        doses.swap(0, 1);
        let (mut sum, mut kept) = (0.0, vec![]);
        for dose in doses.clone() {
            match dose {
                Dose::Oral(_, amount, _) => {
                    sum += amount;
                    kept.push(dose)
                }
                other => kept.push(other),
            }
        }
        if let Dose::Oral(_, _, rate) = kept[1] { sum + rate } else { sum }
    } at [1.4, 0.7];

    fn legs_of_three_kinds_are_consumed(x: &[f64]) -> f64 {
        let float = Leg::Float(0.01, Rc::new(x.to_vec()), vec![0.5, 1.0]);
        let mut sum = 0.0;
        for leg in vec![Leg::Fixed(x[1], vec![0.5, 1.0]), Leg::Bullet(2.0, x[0]), float] {
            sum += match &leg {
                Leg::Fixed(rate, times) => times.iter().map(|t| rate * t).sum::<f64>(),
                Leg::Bullet(t, amount) => t * amount,
                Leg::Float(spread, index, times) => index.iter().zip(times).map(|(a, t)| a * t + spread).sum(),
            };
        }
        sum
    } at [0.03, 0.04];

    fn a_boxed_part(x: &[f64]) -> f64 { boxed(0, x).map_or(0.0, |p| value(&p)) + boxed(1, x).map_or(0.0, |p| value(&p)) } at [0.3, 0.7];

    fn parts_collected_in_a_result(x: &[f64]) -> f64 {
        (0..2).map(|k| part(k, x)).collect::<Result<Vec<_>, _>>().unwrap().iter().map(value).sum()
    } at [0.3, 0.7];

    fn records_with_flags_filtered_and_copied(x: &[f64]) -> f64 {
        let all: Vec<Flags> = x.iter().map(|&a| Flags { on: true, level: 1, a, b: a * a }).collect();
        let kept: Vec<Flags> = all.iter().filter(|f| f.on).copied().collect();
        kept.iter().map(|f| f.a * f.b + f64::from(f.level)).sum()
    } at [0.3, 0.7, 1.2];

    fn a_record_with_flags_is_folded_until_an_error(x: &[f64]) -> f64 {
        let start = Flags { on: true, level: 0, a: 1.0, b: 0.5 };
        x.iter().try_fold(start, |f, &x| Ok::<Flags, &'static str>(next(f, x))).map_or(0.0, |f| f.a * f.b)
    } at [0.3, 0.7];
}
