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

/// What is wrong with a policy, and a policy: `TooOld` and the age have other widths.
enum Refusal {
    TooOld(u64),
    Nothing,
    Because(String),
}

enum Policy {
    Life { age: u8, sum: f64 },
    Motor { value: f64 },
    Home(Vec<f64>),
}

fn rated(policy: &Policy, base: f64) -> Result<f64, Refusal> {
    match policy {
        Policy::Life { age, .. } if *age > 80 => Err(Refusal::TooOld(u64::from(*age))),
        Policy::Life { age, .. } => Ok(base * f64::from(*age) * 0.01),
        _ => Ok(base),
    }
}

fn base(policy: &Policy) -> Result<f64, Refusal> {
    match policy {
        Policy::Life { sum, .. } => Ok(*sum),
        Policy::Motor { value } if *value < 0.0 => Err(Refusal::Because("a debt".to_owned())),
        Policy::Motor { value } => Ok(*value),
        Policy::Home(values) => values.first().copied().ok_or(Refusal::Nothing),
    }
}

#[inline(never)]
fn base_called(policy: &Policy) -> Result<f64, Refusal> {
    base(policy)
}

fn policies(x: &[f64]) -> Vec<Policy> {
    let old = Policy::Life { age: 85, sum: x[2] };
    vec![Policy::Life { age: 45, sum: x[0] }, Policy::Motor { value: x[1] }, Policy::Home(vec![x[1] * x[2]]), old]
}

fn premium(result: Result<f64, Refusal>) -> f64 {
    match result {
        Ok(value) => value.sin(),
        Err(Refusal::TooOld(age)) => age as f64 * 1e-2,
        Err(Refusal::Nothing) => 0.1,
        Err(Refusal::Because(text)) => text.len() as f64,
    }
}

/// The same with a number of the other width.
#[derive(Clone)]
enum Rejected {
    NoStock(u32),
    TooFew { got: u16 },
    Unknown(String),
}

enum Line {
    Item { number: u32, amount: u16, price: f64 },
    Bundle(Vec<(u16, f64)>),
    Service { hours: f64, rate: f64, tier: u8 },
    Note(String),
}

#[inline(never)]
fn total(line: &Line) -> Result<f64, Rejected> {
    match line {
        Line::Item { number, amount: 0, .. } => Err(Rejected::NoStock(*number)),
        Line::Item { amount, price, .. } => Ok(f64::from(*amount) * price),
        Line::Bundle(items) if items.len() < 2 => Err(Rejected::TooFew { got: items.len() as u16 }),
        Line::Bundle(items) => Ok(items.iter().map(|(n, price)| f64::from(*n) * price).sum()),
        Line::Service { tier, .. } if *tier > 3 => Err(Rejected::TooFew { got: u16::from(*tier) }),
        Line::Service { hours, rate, .. } => Ok(hours * rate),
        Line::Note(text) => Err(Rejected::Unknown(text.clone())),
    }
}

fn discounted(line: &Line, value: f64) -> Result<f64, Rejected> {
    match line {
        Line::Item { number, .. } if *number > 900 => Err(Rejected::NoStock(*number)),
        Line::Item { amount, .. } if *amount > 5 => Ok(value * 0.9),
        Line::Service { tier, .. } => Ok(value * (1.0 - 0.1 * f64::from(*tier))),
        _ => Ok(value),
    }
}

fn fee(rejected: &Rejected) -> f64 {
    match rejected {
        Rejected::NoStock(number) => f64::from(*number),
        Rejected::TooFew { got } => f64::from(*got),
        Rejected::Unknown(text) => text.len() as f64,
    }
}

functional! {
    fn computed_floats_and_numbers_share_a_place_in_a_vector_of_results(x: &[f64]) -> f64 {
        let rate = |policy: Policy| {
            let base = base(&policy)?;
            rated(&policy, base)
        };
        policies(x).into_iter().map(rate).collect::<Vec<_>>().into_iter().map(premium).sum()
    } at [0.9, 0.4, 1.3];

    fn computed_floats_and_numbers_are_parted(x: &[f64]) -> f64 {
        let rate = |policy: Policy| {
            let base = base_called(&policy)?;
            rated(&policy, base)
        };
        let (good, bad): (Vec<_>, Vec<_>) = policies(x).into_iter().map(rate).partition(Result::is_ok);
        good.into_iter().map(premium).sum::<f64>() * bad.into_iter().map(premium).sum::<f64>()
    } at [0.9, 0.4, 1.3];

    fn computed_floats_beside_narrow_numbers(x: &[f64]) -> f64 {
        let items = vec![(1, x[1]), (2, x[2])];
        let lines = vec![
            Line::Item { number: 10, amount: 7, price: x[0] },
            Line::Bundle(items),
            Line::Service { hours: x[3], rate: x[0], tier: 2 },
            Line::Note("by hand".to_owned()),
        ];
        let one = |line: Line| total(&line).and_then(|value| discounted(&line, value));
        let (good, bad): (Vec<_>, Vec<_>) = lines.into_iter().map(one).partition(Result::is_ok);
        let fees: f64 = bad.iter().map(|r| r.as_ref().map_or_else(fee, |_| 0.0)).sum();
        good.into_iter().flatten().map(|v| v * v).sum::<f64>() + fees
    } at [0.9, 0.7, 0.3, 0.8];
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

#[derive(Clone, Copy)]
enum Wide {
    One(f64),
    Narrow(f32, u32),
}
#[inline(never)]
fn wide(i: usize, v: f64) -> Wide {
    if i % 2 == 0 { Wide::One(v) } else { Wide::Narrow(v as f32, 7) }
}
#[inline(never)]
fn of_wide(w: Wide) -> f64 {
    match w {
        Wide::One(v) => v * v,
        Wide::Narrow(v, n) => f64::from(v) + f64::from(n),
    }
}

#[inline(never)]
fn two_or_one(i: usize, v: f64) -> Result<(f32, f32), f64> {
    if i % 2 == 0 { Ok((v as f32, 2.0 * v as f32)) } else { Err(v * v) }
}
#[inline(never)]
fn of_two_or_one(r: Result<(f32, f32), f64>) -> f64 {
    match r {
        Ok((a, b)) => f64::from(a * b),
        Err(e) => e * e,
    }
}

/// Only the callees see that a float of the one variant lies where another variant has one of another width.
#[test]
fn floats_of_two_widths_in_the_variants_of_callees_are_copied_with_their_adjoints() {
    let enums = |x: &[f64]| {
        let all = [wide(0, x[0]), wide(1, x[1])];
        all.iter().map(|w| of_wide(*w)).sum()
    };
    assert_eq!(cotangent::gradient(enums, &[0.25, -1.25]), [0.5, 1.0]);
    let results = |x: &[f64]| {
        let all: Vec<_> = (0..x.len()).map(|i| two_or_one(i, x[i])).collect();
        all.iter().map(|r| of_two_or_one(*r)).sum()
    };
    assert_eq!(cotangent::gradient(results, &[0.25, 1.0]), [1.0, 4.0]);
}
