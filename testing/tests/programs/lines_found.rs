//! Texts that functions which stay calls put into the memory of their caller, where they are looked for: beside floats and texts of errors, so that all of them have
//! shadows.
use crate::functional;

/// What a configuration may have wrong.
#[derive(Debug)]
#[expect(dead_code)]
enum Error {
    Syntax { line: usize },
    Missing(String),
    Number(std::num::ParseIntError),
}

struct Loan {
    name: String,
    principal: f64,
    rate: Option<f64>,
}

type Line<'a> = Option<(usize, &'a str)>;

#[inline(never)]
fn find<'a>(slot: &mut Line<'a>, at: usize, all: &[&'a str]) {
    *slot = all.get(at).map(|text| (at, *text));
}

#[inline(never)]
fn find_further<'a>(slot: &mut Line<'a>, at: usize, all: &[&'a str]) {
    find(slot, at, all);
}

#[inline(never)]
fn found<'a>(at: usize, all: &[&'a str]) -> Line<'a> {
    all.get(at).map(|text| (at, *text))
}

trait Source {
    fn find<'a>(&self, slot: &mut Line<'a>, at: usize, all: &[&'a str]);
}

struct AsTheyStand;
struct Further(usize);

impl Source for AsTheyStand {
    #[inline(never)]
    fn find<'a>(&self, slot: &mut Line<'a>, at: usize, all: &[&'a str]) {
        *slot = all.get(at).map(|text| (at, *text));
    }
}

impl Source for Further {
    #[inline(never)]
    fn find<'a>(&self, slot: &mut Line<'a>, at: usize, all: &[&'a str]) {
        *slot = all.get(at).map(|text| (at + self.0, *text));
    }
}

struct Lines<'a> {
    all: Vec<&'a str>,
    last: Line<'a>,
}

impl Lines<'_> {
    #[inline(never)]
    fn find(&mut self, at: usize) {
        self.last = self.all.get(at).map(|text| (at, *text));
    }
}

/// Defines a function that reads the loans of a configuration, of which an expression gives the lines.
macro_rules! parsed {
    ($name:ident: |$all:ident, $at:ident| $find:expr, $line:expr, with $($declare:stmt),*) => {
        fn $name(x: &[f64]) -> Result<f64, Error> {
            let $all = ["[house]", "$0", "$1", "[car]", "$2"];
            $($declare)*
            let mut loans = Vec::new();
            let mut current: Option<(String, Vec<&str>)> = None;
            let finished = |(name, fields): (String, Vec<&str>)| -> Result<Loan, Error> {
                let get = |at: usize| fields.get(at).copied().ok_or_else(|| Error::Missing(at.to_string()));
                let param = |text: &str| -> Result<f64, Error> {
                    let index: usize = text.trim_start_matches('$').parse().map_err(Error::Number)?;
                    x.get(index).copied().ok_or(Error::Missing(text.to_owned()))
                };
                Ok(Loan { name, principal: param(get(0)?)?, rate: fields.get(1).map(|text| param(text)).transpose()? })
            };
            let mut $at = 0;
            loop {
                $find;
                $at += 1;
                let Some((number, line)) = $line else { break };
                if line.starts_with('[') {
                    if let Some(fields) = current.replace((line.to_string(), Vec::new())) {
                        loans.push(finished(fields)?);
                    }
                } else {
                    let Some((_, fields)) = current.as_mut() else { return Err(Error::Syntax { line: number + 1 }) };
                    fields.push(line);
                }
            }
            if let Some(fields) = current.take() {
                loans.push(finished(fields)?);
            }
            Ok(loans.iter().map(|l| l.principal * l.rate.unwrap_or(1.5) * l.name.len() as f64).sum())
        }
    };
}

parsed!(by_a_call: |all, at| find(&mut slot, at, &all), slot, with let mut slot = None);
parsed!(by_the_callee_of_a_call: |all, at| find_further(&mut slot, at, &all), slot, with let mut slot = None);
parsed!(handed_back: |all, at| slot = found(at, &all), slot, with let mut slot);
parsed!(
    by_objects: |all, at| sources[at % 2].find(&mut slot, at, &all), slot,
    with let mut slot = None, let sources: [Box<dyn Source>; 2] = [Box::new(AsTheyStand), Box::new(Further(1))]
);
parsed!(
    in_a_struct: |all, at| lines.find(at), lines.last,
    with let mut lines = Lines { all: all.to_vec(), last: None }
);

functional! {
    fn lines_that_a_call_puts_into_a_local(x: &[f64]) -> f64 { by_a_call(x).unwrap_or(-1.0) } at [10.0, 0.07, 0.3];

    fn lines_that_the_callee_of_a_call_puts_into_a_local(x: &[f64]) -> f64 {
        by_the_callee_of_a_call(x).unwrap_or(-1.0)
    } at [10.0, 0.07, 0.3];

    fn lines_that_a_function_hands_back(x: &[f64]) -> f64 { handed_back(x).unwrap_or(-1.0) } at [10.0, 0.07, 0.3];

    fn lines_that_objects_put_into_a_local(x: &[f64]) -> f64 { by_objects(x).unwrap_or(-1.0) } at [10.0, 0.07, 0.3];

    fn lines_that_a_method_keeps_in_its_struct(x: &[f64]) -> f64 { in_a_struct(x).unwrap_or(-1.0) } at [10.0, 0.07, 0.3];
}
