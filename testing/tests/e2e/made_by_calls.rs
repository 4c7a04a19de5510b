//! What calls make that know nothing of the arguments, and what of it is told apart from floats by the callees alone: tables, enums, texts beside vectors.

use crate::functional;
use std::borrow::Cow;

static TABLE: [f64; 5] = [0.5, 1.5, 2.5, 3.5, 4.5];
static ROWS: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

#[inline(never)]
fn table() -> Vec<f64> {
    TABLE.to_vec()
}

#[inline(never)]
fn boxed_table() -> Box<[f64; 4]> {
    Box::new([0.25, 0.5, 0.75, 1.25])
}

#[inline(never)]
fn rows() -> Vec<[f64; 3]> {
    ROWS.to_vec()
}

#[inline(never)]
fn ramp(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + 0.1 * i as f64).collect()
}

/// Nobody but its own methods looks inside.
struct Weights(Vec<f64>);

impl Weights {
    #[inline(never)]
    fn new(n: usize) -> Weights {
        Weights(ramp(n))
    }

    #[inline(never)]
    fn scale(&mut self, x: f64) {
        self.0.iter_mut().for_each(|v| *v *= x);
    }

    #[inline(never)]
    fn sum(&self) -> f64 {
        sum_of_squares(&self.0)
    }
}

fn sum_of_squares(v: &[f64]) -> f64 {
    v.iter().map(|t| t * t + t.sin()).sum()
}

/// Where one variant has a float, another has a vector's pointer.
enum Value {
    Nothing,
    One(f64),
    Many(Vec<f64>),
}

#[inline(never)]
fn value(kind: usize) -> Value {
    match kind % 3 {
        0 => Value::Nothing,
        1 => Value::One(1.5),
        _ => Value::Many(ramp(3)),
    }
}

#[inline(never)]
fn read(value: &Value) -> f64 {
    match value {
        Value::Nothing => 0.3,
        Value::One(a) => a.sin(),
        Value::Many(v) => v.iter().map(|t| t * t).sum(),
    }
}

#[inline(never)]
fn change(value: &mut Value, x: f64) {
    match value {
        Value::Nothing => *value = Value::One(x),
        Value::One(a) => *a *= x,
        Value::Many(v) => v[1] += x * x,
    }
}

/// Where one variant has a float, another has a vector's length.
enum Wide {
    One(f64),
    Many(Vec<f64>),
    Text(String, f64),
}

#[inline(never)]
fn wide(kind: usize) -> Wide {
    match kind % 3 {
        0 => Wide::One(1.5),
        1 => Wide::Many(ramp(3)),
        _ => Wide::Text(format!("text {kind}"), 0.5),
    }
}

#[inline(never)]
fn read_wide(wide: &Wide) -> f64 {
    match wide {
        Wide::One(a) => a.sin(),
        Wide::Many(v) => v.iter().map(|t| t * t).sum(),
        Wide::Text(text, a) => a * text.len() as f64,
    }
}

#[inline(never)]
fn change_wide(wide: &mut Wide, x: f64) {
    match wide {
        Wide::One(a) => *a *= x,
        Wide::Many(v) => v[1] += x * x,
        Wide::Text(_, a) => *a -= x,
    }
}

/// Two words.
enum Small {
    Count(u64),
    One(f64),
    Boxed(Box<f64>),
}

#[inline(never)]
fn small(kind: usize) -> Small {
    match kind % 3 {
        0 => Small::Count(3),
        1 => Small::One(1.25),
        _ => Small::Boxed(Box::new(0.75)),
    }
}

#[inline(never)]
fn read_small(small: &Small) -> f64 {
    match small {
        Small::Count(n) => *n as f64,
        Small::One(a) => *a,
        Small::Boxed(a) => a.sin(),
    }
}

#[inline(never)]
fn change_small(small: &mut Small, x: f64) {
    match small {
        Small::Count(n) => *n += 1,
        Small::One(a) => *a *= x,
        Small::Boxed(a) => **a += x,
    }
}

/// Tells nothing by itself.
#[inline(never)]
fn change_through(small: &mut Small, x: f64) {
    change_small(small, x);
}

#[inline(never)]
fn even(n: usize) -> Result<Vec<f64>, String> {
    if n.is_multiple_of(2) { Ok(ramp(n + 1)) } else { Err(format!("no {n}")) }
}

#[inline(never)]
fn one_of<'a>(k: usize, a: &'a [f64], b: &'a [f64]) -> &'a [f64] {
    if k > 1 { a } else { b }
}

const CYCLED: [[f64; 3]; 2] = [[0.5, 1.0, 0.25], [1.5, -0.5, 0.75]];

#[inline(never)]
fn cycled(n: usize) -> Vec<[f64; 3]> {
    CYCLED.iter().cycle().take(n).copied().collect()
}

functional! {
    fn copies_of_tables_are_changed(x: &[f64]) -> f64 {
        let (mut all, mut boxed, mut rows) = (table(), boxed_table(), rows());
        all[1] *= x[0];
        all.rotate_left(2);
        boxed[2] += x[1];
        let before = boxed.clone();
        boxed[0] = x[0];
        rows[1][0] = x[1];
        let mut other = rows.clone();
        other[0][1] += x[0];
        rows.swap(0, 1);
        let of_rows: f64 = rows.iter().zip(&other).map(|(a, b)| a[0] * b[1] + a[1] * b[0] * a[2]).sum();
        sum_of_squares(&all) * before.iter().zip(&*boxed).map(|(a, b)| a * b).sum::<f64>() + of_rows
    } at [0.7, 0.3];

    fn what_one_call_makes_another_changes_and_a_third_reads_is_given_back(x: &[f64]) -> f64 {
        let (mut a, mut b) = (Weights::new(4), Box::new(Weights::new(3)));
        a.scale(x[0]);
        b.scale(x[1]);
        a.sum() * b.sum()
    } at [0.7, 0.3];

    fn an_enum_of_floats_and_pointers_comes_from_a_call(x: &[f64]) -> f64 {
        let mut values: Vec<Value> = (0..6).map(value).collect();
        let mut last = value(2);
        change(&mut last, x[1]);
        values.iter_mut().zip([x[0], x[1], x[0], x[1], x[1], x[0]]).for_each(|(v, x)| change(v, x));
        read(&last) * values.iter().map(read).sum::<f64>()
    } at [0.7, 0.3];

    fn an_enum_of_floats_and_lengths_comes_from_a_call(x: &[f64]) -> f64 {
        let mut values: Vec<Wide> = (0..6).map(wide).collect();
        values.iter_mut().zip([x[0], x[1], x[0], x[1], x[1], x[0]]).for_each(|(v, x)| change_wide(v, x));
        values.iter().map(read_wide).map(f64::sin).sum()
    } at [0.7, 0.3];

    fn enums_are_exchanged_by_who_sees_no_float(x: &[f64]) -> f64 {
        let (mut a, mut b, mut c) = (small(0), small(1), small(2));
        change_small(&mut a, x[0]);
        change_small(&mut b, x[0]);
        change_small(&mut c, x[1]);
        std::mem::swap(&mut a, &mut b);
        change_small(&mut a, x[1]);
        read_small(&a) * read_small(&b) * read_small(&c)
    } at [0.7, 0.3];

    fn enums_are_exchanged_by_who_sees_calls_of_calls(x: &[f64]) -> f64 {
        let (mut a, mut b) = (small(2), small(1));
        change_through(&mut a, x[0]);
        change_through(&mut b, x[0]);
        std::mem::swap(&mut a, &mut b);
        change_through(&mut a, x[1]);
        change_through(&mut b, x[1]);
        read_small(&a) * read_small(&b)
    } at [0.7, 0.3];

    fn a_text_is_made_where_a_vector_was(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..5 {
            match even(i) {
                Ok(mut v) => {
                    v[0] = x[i % 2];
                    sum += sum_of_squares(&v);
                }
                Err(text) => sum += text.len() as f64 * x[i % 2],
            }
        }
        sum
    } at [0.7, 0.3];

    fn constants_of_a_call_and_active_floats_behind_one_pointer(x: &[f64]) -> f64 {
        let (a, mut b) = (ramp(2), x.to_vec());
        b[1] *= x[0];
        let (p, q) = if x[0] > 0.1 { (&a, &b) } else { (&b, &a) };
        let mut sum = 0.0;
        for k in 0..4 {
            sum += one_of(k, &a, &b)[k % 2] * x[k % 2] * one_of(3 - k, &a, &b)[1];
        }
        sum_of_squares(p) + 2.0 * sum_of_squares(q) + sum
    } at [0.7, 0.3], [0.05, 0.3];

    fn constants_of_a_call_are_borrowed_until_they_are_changed(x: &[f64]) -> f64 {
        let all = ramp(4);
        let (mut a, mut b) = (Cow::Borrowed(&all[..]), Cow::Borrowed(&all[..]));
        if x.len() > 1 {
            a.to_mut()[1] = x[0];
        }
        b.to_mut()[2] *= x[1];
        sum_of_squares(&a) * sum_of_squares(&b) + sum_of_squares(&all)
    } at [0.7, 0.3];

    fn constant_rows_are_copied_one_after_the_other_by_a_call(x: &[f64]) -> f64 {
        let mut rows = cycled(3);
        rows.push([x[0], 0.5, x[1]]);
        for row in rows.iter_mut() {
            row[2] += x[1] * row[0];
        }
        rows.iter().map(|row| row[0] * row[2] + sum_of_squares(row)).sum()
    } at [0.7, 0.3];
}
