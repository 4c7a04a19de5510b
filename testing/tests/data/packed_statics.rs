//! References that lead to active memory or to statics of packed structs, whose floats begin anywhere, as texts do.

use crate::functional;
use std::collections::HashMap;

#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Marked {
    tag: u8,
    a: f64,
    b: f64,
}

#[repr(Rust, packed)]
#[derive(Clone, Copy)]
struct Line {
    a: f64,
    b: f64,
}

#[repr(Rust, packed)]
#[derive(Clone, Copy)]
struct Narrow {
    tag: u16,
    a: f32,
}

static MARKED: [Marked; 2] = [Marked { tag: 1, a: 2.0, b: 3.0 }, Marked { tag: 2, a: 5.0, b: 7.0 }];
static LINE: Line = Line { a: 2.0, b: 3.0 };
const CONSTANT: Line = Line { a: 2.5, b: -3.0 };
static NARROW: [Narrow; 2] = [Narrow { tag: 3, a: 2.0 }, Narrow { tag: 2, a: 0.5 }];

#[inline(never)]
fn on_marked(of: &Marked, x: f64) -> f64 {
    let Marked { tag, a, b } = *of;
    (a * x + b) * f64::from(tag)
}

#[inline(never)]
fn on_line(of: &Line, x: f64) -> f64 {
    let Line { a, b } = *of;
    a * x + b
}

#[inline(never)]
fn on_narrow(of: &Narrow) -> f32 {
    let Narrow { tag, a } = *of;
    a * f32::from(tag)
}

#[inline(never)]
fn one_of<'a, T>(this: &'a T, that: &'a T, first: bool) -> &'a T {
    if first { this } else { that }
}

functional! {
    fn marked_ones_are_chosen(x: &[f64]) -> f64 {
        let own = Marked { tag: 3, a: x[0] * x[1], b: x[1] };
        let (this, that) = (one_of(&MARKED[1], &own, x[0] > 1.0), one_of(&MARKED[0], &own, x[0] < 1.0));
        on_marked(this, x[1]) + on_marked(that, x[0])
    } at [1.2, 0.7], [0.4, 0.9];

    fn lines_are_chosen(x: &[f64]) -> f64 {
        let own = Line { a: x[0] * x[1], b: x[1] };
        let (this, that) = (one_of(&LINE, &own, x[0] > 1.0), one_of(&CONSTANT, &own, x[0] < 1.0));
        on_line(this, x[1]) + on_line(that, x[0])
    } at [1.2, 0.7], [0.4, 0.9];

    fn lines_lie_in_a_row(x: &[f64]) -> f64 {
        let own = Line { a: x[0] * x[1], b: x[1] };
        let all: Vec<&Line> = vec![&LINE, &own, &CONSTANT];
        all.iter().map(|line| on_line(line, x[0])).sum()
    } at [1.2, 0.7];

    fn lines_have_names(x: &[f64]) -> f64 {
        let mut all: HashMap<String, Line> = HashMap::new();
        all.insert("one".to_string(), Line { a: x[0] * x[1], b: x[1] });
        all.insert(format!("two {}", 3), LINE);
        all.insert("three".into(), CONSTANT);
        ["one", "two 3", "three"].iter().map(|name| on_line(&all[*name], x[0]) * name.len() as f64).sum()
    } at [1.2, 0.7];

    fn records_of_texts_and_lines_are_sorted(x: &[f64]) -> f64 {
        let mut all: Vec<(&str, Line)> = vec![("beta", Line { a: x[0], b: x[1] }), ("alpha", LINE)];
        all.sort_by(|a, b| a.0.cmp(b.0));
        all.iter().enumerate().map(|(i, (name, line))| on_line(line, x[i]) * name.len() as f64).sum()
    } at [1.2, 0.7];

    fn narrow_ones_lie_in_a_row(x: &[f32]) -> f32 {
        let own = Narrow { tag: 4, a: x[0] * x[1] };
        let all: Vec<&Narrow> = vec![&NARROW[0], &own, &NARROW[1]];
        all.iter().map(|narrow| on_narrow(narrow) * x[1]).sum()
    } at [1.25, 0.75];
}
