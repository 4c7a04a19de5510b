//! Floats that are handed on by functions which stay calls and see none: they lie in enums and results beside texts, numbers and pointers.
use crate::functional;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
enum Cell {
    Text(&'static str),
    Number(f64),
}

impl Cell {
    fn value(self) -> f64 {
        match self {
            Cell::Text(text) => text.len() as f64,
            Cell::Number(a) => a.exp(),
        }
    }
}

#[inline(never)]
fn cell(k: usize, x: &[f64]) -> Result<Cell, &'static str> {
    match k % 3 {
        0 => Ok(Cell::Number(x[k])),
        1 => Ok(Cell::Text("abc")),
        _ => Err("none"),
    }
}

#[inline(never)]
fn pushed(x: &[f64], n: usize) -> Result<Vec<Cell>, &'static str> {
    let mut all = vec![];
    for k in 0..n {
        all.push(cell(k, x)?);
    }
    Ok(all)
}

#[inline(never)]
fn matched(x: &[f64], n: usize) -> Vec<Cell> {
    let mut all = vec![];
    for k in 0..n {
        match cell(k, x) {
            Ok(cell) => all.push(cell),
            Err(text) => all.push(Cell::Text(text)),
        }
    }
    all
}

#[inline(never)]
fn or_a_text(x: &[f64], n: usize) -> Vec<Cell> {
    let mut all = vec![];
    for k in 0..n {
        all.push(cell(k, x).unwrap_or(Cell::Text("zz")));
    }
    all
}

#[inline(never)]
fn collected(x: &[f64], n: usize) -> Result<Vec<Cell>, &'static str> {
    (0..n).map(|k| cell(k, x)).collect()
}

#[inline(never)]
fn mapped(x: &[f64], n: usize) -> HashMap<usize, Cell> {
    let mut map = HashMap::new();
    for k in 0..n {
        map.insert(k, if k == 1 { Cell::Text("abc") } else { Cell::Number(x[k]) });
    }
    map
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

#[inline(never)]
fn parts(x: &[f64], n: usize) -> Result<Vec<Part>, &'static str> {
    let mut all = vec![];
    for k in 0..n {
        all.push(part(k, x)?);
    }
    Ok(all)
}

fn value_of_part(part: &Part) -> f64 {
    match part {
        Part::Two(a, b) => a * b,
        Part::One(a) => a.exp(),
    }
}

enum Term {
    List(Vec<f64>),
    Number(f64),
    Count(usize),
}

#[inline(never)]
fn term(k: usize, x: &[f64]) -> Result<Term, String> {
    match k {
        0 => Ok(Term::Number(x[0])),
        1 => Ok(Term::List(vec![x[1], x[2]])),
        2 => Ok(Term::Count(7)),
        3 => Ok(Term::Number(x[2])),
        _ => Err("none".into()),
    }
}

#[inline(never)]
fn terms(x: &[f64], n: usize) -> Result<Vec<Term>, String> {
    let mut all = vec![];
    for k in 0..n {
        all.push(term(k, x)?);
    }
    Ok(all)
}

fn value_of_term(term: &Term) -> f64 {
    match term {
        Term::List(list) => list.iter().sum::<f64>().sin(),
        Term::Number(a) => a.exp(),
        Term::Count(n) => *n as f64,
    }
}

// A pointer, a float and a text at one place.
#[derive(Clone, Debug)]
enum Event {
    Shared(Rc<Vec<f64>>),
    Pair(f64, f64),
    Name(&'static str),
}

fn events(x: &[f64]) -> Vec<Event> {
    vec![Event::Pair(x[0], x[1]), Event::Name("abc"), Event::Shared(Rc::new(x.to_vec())), Event::Pair(x[1], 2.0)]
}

fn value_of_event(event: &Event) -> f64 {
    match event {
        Event::Shared(all) => all.iter().sum::<f64>().sin(),
        Event::Pair(a, b) => a.exp() * b,
        Event::Name(name) => name.len() as f64,
    }
}

#[inline(never)]
fn counted(event: Result<Event, &'static str>) -> Result<Event, usize> {
    event.map_err(|text| text.len())
}

#[inline(never)]
fn owned(event: Result<Event, &'static str>) -> Result<Event, String> {
    event.map_err(|text| text.to_string())
}

#[inline(never)]
fn turned(event: Result<Event, Cell>) -> Result<Cell, Event> {
    match event {
        Ok(event) => Err(event),
        Err(cell) => Ok(cell),
    }
}

#[inline(never)]
fn level_1(x: &[f64], k: usize) -> Result<Cell, &'static str> {
    if k == 1 { Ok(Cell::Text("ab")) } else { Ok(Cell::Number(*x.get(k).ok_or("few")?)) }
}

#[inline(never)]
fn level_2(x: &[f64], k: usize) -> Result<Option<Cell>, &'static str> {
    if k == 2 { Ok(None) } else { Ok(Some(level_1(x, k)?)) }
}

#[inline(never)]
fn level_3(x: &[f64], n: usize, out: &mut Vec<Option<Cell>>) -> Result<usize, &'static str> {
    for k in 0..n {
        out.push(level_2(x, k)?);
    }
    Ok(out.len())
}

#[inline(never)]
fn recursive(x: &[f64], n: usize, all: &mut Vec<Cell>) -> Result<(), &'static str> {
    if n == 0 {
        return Ok(());
    }
    recursive(x, n - 1, all)?;
    all.push(cell(n - 1, x)?);
    Ok(())
}

fn sum(all: Vec<Cell>) -> f64 {
    all.into_iter().map(Cell::value).sum()
}

struct Reader<'a> {
    left: usize,
    all: &'a [f64],
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<f64, String> {
        let v = self.part()?;
        Ok(v)
    }

    fn part(&mut self) -> Result<f64, String> {
        if self.left > 0 {
            self.left -= 1;
            let v = self.whole()?;
            return Ok(v);
        }
        self.all.first().copied().ok_or_else(|| "none".to_string())
    }
}

functional! {
    fn a_float_of_the_users_beside_texts_through_recursion(x: &[f64]) -> f64 {
        match (Reader { left: 2, all: x }).whole() {
            Ok(v) => v * v,
            Err(text) => text.len() as f64,
        }
    } at [0.7, 1.1];

    fn cells_pushed_out_of_results(x: &[f64]) -> f64 { sum(pushed(x, 2).unwrap()) } at [0.3, 0.7, 1.25];
    fn cells_pushed_or_the_error(x: &[f64]) -> f64 { sum(matched(x, 4)) } at [0.3, 0.7, 1.25, 0.9];
    fn cells_or_a_text(x: &[f64]) -> f64 { sum(or_a_text(x, 5)) } at [0.3, 0.7, 1.25, 0.9, 0.2];
    fn cells_collected_in_a_result(x: &[f64]) -> f64 { sum(collected(x, 2).unwrap()) } at [0.3, 0.7];

    fn cells_in_a_map(x: &[f64]) -> f64 {
        let map = mapped(x, 4);
        (0..4).map(|k| map[&k].clone().value() * (k + 1) as f64).sum()
    } at [0.3, 0.7, 1.25, 0.9];

    fn cells_through_recursion(x: &[f64]) -> f64 {
        let mut all = vec![];
        recursive(x, 2, &mut all).unwrap();
        sum(all)
    } at [0.3, 0.7];

    fn cells_through_three_calls(x: &[f64]) -> f64 {
        let mut all = vec![];
        let count = level_3(x, 4, &mut all).unwrap();
        count as f64 * sum(all.into_iter().flatten().collect())
    } at [0.3, 0.7, 0.2, 0.4];

    fn parts_of_one_float_and_of_two(x: &[f64]) -> f64 { parts(x, 2).unwrap().iter().map(value_of_part).sum() } at [0.3, 0.7];
    fn numbers_lists_and_counts(x: &[f64]) -> f64 { terms(x, 4).unwrap().iter().map(value_of_term).sum() } at [0.3, 0.7, 1.1];

    fn events_whose_error_becomes_a_number(x: &[f64]) -> f64 {
        events(x).into_iter().map(|e| value_of_event(&counted(Ok(e)).unwrap())).sum()
    } at [0.5, 0.75];

    fn events_whose_error_becomes_a_string(x: &[f64]) -> f64 {
        events(x).into_iter().map(|e| value_of_event(&owned(Ok(e)).unwrap())).sum()
    } at [0.5, 0.75];

    fn results_turned_round(x: &[f64]) -> f64 {
        events(x).into_iter().map(|e| value_of_event(&turned(Ok(e)).unwrap_err())).sum()
    } at [0.5, 0.75];
}
