//! References to tables of the program beside references to what depends on the argument, as values of one tree: nodes are moved as words, and as far as is known a pointer
//! to one may lead to a table.

use crate::{assert_close, functional};
use cotangent::{autodiff, zeroed};
use std::borrow::Cow;
use std::collections::BTreeMap;

static TABLE: [f64; 3] = [0.5, -1.5, 2.5];
/// Zeros, what is as small as an address or a count, and a float.
static ODD: [f64; 5] = [0.0, -0.0, 5e-324, 1e-310, 1.5];
static ROWS: [&[f64]; 3] = [&[1.0], &[2.0, 3.0], &TABLE];
static NARROW: [f32; 3] = [0.5, 1.5, 2.5];

/// A function beside floats, of which some are zero.
type Step = (fn(f64) -> f64, f64, f64);
static STEPS: [Step; 3] = [(f64::sin, 2.5, 0.0), (f64::exp, 0.0, 1.5), (f64::cos, 0.5, 0.25)];

struct Plan {
    rate: f64,
    steps: usize,
    name: &'static str,
    more: &'static [f64],
    is_open: bool,
}

static PLAN: Plan = Plan { rate: 1.5, steps: 3, name: "abc", more: &TABLE, is_open: true };

enum Kept {
    One(f64),
    Table(&'static [f64]),
    Own(Vec<f64>),
    Text(&'static str),
}

#[derive(Clone, Copy)]
enum Small {
    One(f64),
    Table(&'static [f64]),
    Count(u64),
}

fn squares(row: &[f64]) -> f64 {
    row.iter().map(|v| v * v).sum()
}

functional! {
    fn made_of_a_list(x: &[f64]) -> f64 {
        let rows: BTreeMap<&str, &[f64]> = BTreeMap::from([("a", &TABLE[..]), ("b", x), ("c", &[1.0, 2.0])]);
        rows.values().map(|row| squares(row)).sum::<f64>() * x[0]
    } at [1.1, 0.53, 0.75, 0.2];

    fn inserted_in_a_loop(x: &[f64]) -> f64 {
        let own = x.to_vec();
        let mut rows: BTreeMap<u16, &[f64]> = BTreeMap::new();
        for i in 0..40 {
            rows.insert(i * 7 % 40, match i % 3 { 0 => &ODD, 1 => x, _ => &own[1..3] });
        }
        rows.iter().map(|(k, row)| f64::from(*k) * squares(row)).sum::<f64>() * x[0]
    } at [1.1, 0.53, 0.75, 0.2];

    fn single_numbers(x: &[f64]) -> f64 {
        let mut of: BTreeMap<usize, &f64> = BTreeMap::new();
        for i in 0..20 {
            of.insert(i * 7 % 20, if i % 2 == 0 { &TABLE[i % 3] } else { &x[i % 4] });
        }
        of.iter().map(|(k, v)| (1.0 + *k as f64) * **v * **v).sum::<f64>() * x[1]
    } at [1.1, 0.53, 0.75, 0.2];

    fn owned_where_they_are_changed(x: &[f64]) -> f64 {
        let mut rows: BTreeMap<u16, Cow<'static, [f64]>> = BTreeMap::new();
        for i in 0..20 {
            let row = if i % 2 == 0 { Cow::Borrowed(&TABLE[..]) } else { Cow::Owned(vec![x[i % 4]; i % 5 + 1]) };
            rows.insert(i as u16, row);
        }
        rows.values_mut().step_by(3).for_each(|row| row.to_mut()[0] *= x[0]);
        rows.iter().map(|(k, row)| f64::from(*k) * squares(row)).sum()
    } at [1.1, 0.53, 0.75, 0.2];

    fn variants_that_own_or_refer(x: &[f64]) -> f64 {
        let mut kept: BTreeMap<u16, Kept> = BTreeMap::new();
        for i in 0..30u16 {
            kept.insert(i * 7 % 30, match i % 4 {
                0 => Kept::One(x[1] * f64::from(i)),
                1 => Kept::Table(&TABLE),
                2 => Kept::Own(x.to_vec()),
                _ => Kept::Text("four"),
            });
        }
        for value in kept.values_mut() {
            match value {
                Kept::One(v) => *v *= x[0],
                Kept::Own(row) => row[0] += x[3],
                Kept::Table(_) | Kept::Text(_) => {}
            }
        }
        let value = |kept: &Kept| match kept {
            Kept::One(v) => v * v,
            Kept::Table(row) => row.iter().sum::<f64>() * x[0],
            Kept::Own(row) => squares(row),
            Kept::Text(text) => text.len() as f64,
        };
        kept.iter().map(|(k, kept)| f64::from(*k) * value(kept)).sum()
    } at [1.1, 0.53, 0.75, 0.2];

    fn small_variants_of_tables_of_tables(x: &[f64]) -> f64 {
        let mut small: BTreeMap<u64, Small> = BTreeMap::new();
        for i in 0..30u64 {
            small.insert(i * 7 % 30, match i % 3 {
                0 => Small::One(x[1] * i as f64),
                1 => Small::Table(ROWS[i as usize % 3]),
                _ => Small::Count(i),
            });
        }
        let value = |small: &Small| match small {
            Small::One(v) => v * v,
            Small::Table(row) => row.iter().sum::<f64>() * x[0],
            Small::Count(n) => *n as f64 * x[2],
        };
        small.iter().map(|(k, small)| *k as f64 * value(small)).sum()
    } at [1.1, 0.53, 0.75, 0.2];

    fn records_with_names_and_tables(x: &[f64]) -> f64 {
        let own = Plan { rate: x[0] * x[1], steps: 2, name: "de", more: ROWS[1], is_open: false };
        let mut plans: BTreeMap<&str, &Plan> = BTreeMap::new();
        for key in ["q", "w", "e", "r", "t", "y", "u", "i", "o", "p", "a", "s", "d", "f"] {
            plans.insert(key, if key < "k" { &PLAN } else { &own });
        }
        let value = |plan: &&Plan| {
            let last = if plan.is_open { x[0] } else { 0.0 };
            plan.rate * plan.rate * plan.steps as f64 * x[2] + plan.more.iter().sum::<f64>() * x[plan.name.len()] + last
        };
        plans.values().map(value).sum()
    } at [1.1, 0.53, 0.75, 0.2];

    fn trees_of_trees(x: &[f64]) -> f64 {
        let mut rows: BTreeMap<u32, BTreeMap<u32, &[f64]>> = BTreeMap::new();
        for i in 0..40 {
            rows.entry(i % 5).or_default().insert(i, if i % 3 == 0 { x } else { &TABLE });
        }
        let inner = |rows: &BTreeMap<u32, &[f64]>| rows.iter().map(|(k, row)| f64::from(*k) * row[0] * row[1]).sum::<f64>();
        rows.iter().map(|(k, rows)| f64::from(*k) * inner(rows)).sum::<f64>() * x[3]
    } at [1.1, 0.53, 0.75, 0.2];

    fn a_number_beside_a_function(x: &[f64]) -> f64 {
        let factor = if x[0] > 0.0 { &STEPS[0].1 } else { &x[1] };
        let other = if x[0] > 0.0 { &STEPS[1].1 } else { &x[1] };
        *factor * (STEPS[0].0)(x[0]) + *other * x[1]
    } at [1.1, 0.53, 0.75, 0.2];

    fn steps_of_the_program_and_of_ones_own(x: &[f64]) -> f64 {
        let own: Step = (f64::exp, x[1], 0.5);
        let mut steps: BTreeMap<usize, &Step> = BTreeMap::new();
        for i in 0..16 {
            steps.insert(i * 7 % 16, if i % 2 == 0 { &STEPS[i % 3] } else { &own });
        }
        steps.values().map(|step| (step.1 * x[0]).exp() * (step.2 + x[2])).sum::<f64>() * (STEPS[2].0)(x[1])
    } at [1.1, 0.53, 0.75, 0.2];
}

#[autodiff(of_narrow, Reverse, Duplicated, Active)]
fn narrow(x: &[f32]) -> f32 {
    let mut rows: BTreeMap<u32, &[f32]> = BTreeMap::new();
    for i in 0..30 {
        rows.insert(i * 7 % 30, if i % 2 == 0 { &NARROW } else { x });
    }
    rows.iter().map(|(k, row)| *k as f32 * row.iter().map(|v| v * v).sum::<f32>()).sum()
}

/// Keys of odd numbers have the argument: their sum is 225.
#[test]
fn narrow_tables_have_no_part_in_the_derivative() {
    let x = [1.0f32, 0.5, 2.0];
    let mut shadow = zeroed(&x);
    of_narrow(&x, &mut shadow, 1.0);
    assert_close!(shadow.map(f64::from), [450.0, 225.0, 900.0]);
}
