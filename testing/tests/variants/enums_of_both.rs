//! Enums with a float where another variant has a pointer, in vectors that functions of their own fill, clone and read: none of these sees both what the
//! floats come from and what they are read as.

use crate::functional;

#[derive(Clone)]
enum Term {
    Number(f64),
    Many(Vec<f64>),
    Boxed(Box<Term>),
}
use Term::{Boxed, Many, Number};

impl Term {
    fn value(&self) -> f64 {
        match self {
            Number(a) => a.sin(),
            Many(v) => v.iter().map(|t| t * t).sum(),
            Boxed(term) => 0.5 * term.value(),
        }
    }

    fn change(&mut self, by: f64) {
        match self {
            Number(a) => *a *= by,
            Many(v) => v[0] += by,
            Boxed(term) => term.change(by * by),
        }
    }
}

/// The compiler moves the argument's element as bits, joined with the pointer of the other variants.
#[inline(never)]
fn terms(x: &[f64]) -> Vec<Term> {
    let of = |(i, v): (usize, &f64)| match i % 3 {
        0 => Number(*v),
        1 => Many(vec![*v, 2.0]),
        _ => Boxed(Box::new(Number(v * v))),
    };
    x.iter().enumerate().map(of).collect()
}

/// The element is never read as a float.
#[inline(never)]
fn elements(x: &[f64]) -> Vec<Term> {
    x.iter().enumerate().map(|(i, v)| if i % 2 == 0 { Number(*v) } else { Many(vec![1.0, 2.0]) }).collect()
}

/// The compiler clones the float as if it were the pointer of another variant.
#[derive(Clone)]
enum Part {
    Nothing,
    One(f64),
    Many(Vec<f64>),
    Boxed(Box<Part>),
    Named(String, f64),
}

#[inline(never)]
fn part(kind: usize) -> Part {
    match kind % 5 {
        0 => Part::Nothing,
        1 => Part::One(1.5),
        2 => Part::Many(vec![1.0, 1.1, 1.2]),
        3 => Part::Boxed(Box::new(part(kind + 4))),
        _ => Part::Named(format!("part {kind}"), 0.75),
    }
}

impl Part {
    fn value(&self) -> f64 {
        match self {
            Part::Nothing => 0.3,
            Part::One(a) => a.sin(),
            Part::Many(v) => v.iter().map(|t| t * t).sum(),
            Part::Boxed(part) => 0.5 * part.value(),
            Part::Named(name, a) => a * name.len() as f64,
        }
    }

    fn change(&mut self, x: f64) {
        match self {
            Part::Nothing => *self = Part::One(x),
            Part::One(a) => *a *= x,
            Part::Many(v) => v[1] += x * x,
            Part::Boxed(part) => part.change(x),
            Part::Named(_, a) => *a -= x,
        }
    }
}

fn sum(terms: &[Term]) -> f64 {
    terms.iter().map(Term::value).sum()
}

functional! {
    fn terms_that_a_call_collects(x: &[f64]) -> f64 {
        sum(&terms(x))
    } at [0.7, 0.3, 0.9, 1.1];

    fn elements_that_are_only_moved(x: &[f64]) -> f64 {
        sum(&elements(x)) * x[1]
    } at [0.7, 0.3, 0.9, 1.1];

    fn terms_cloned_twice(x: &[f64]) -> f64 {
        let first = terms(x);
        let second = first.clone();
        let third = second.clone();
        sum(&first) + second.iter().map(Term::value).product::<f64>() + sum(&third)
    } at [0.7, 0.3, 0.9, 1.1];

    fn terms_cloned_and_changed(x: &[f64]) -> f64 {
        let mut first = terms(x);
        let second = first.clone();
        first.iter_mut().zip(x.iter().rev()).for_each(|(term, x)| term.change(*x));
        let third = first.clone();
        first[1].change(0.5);
        sum(&first) * sum(&second) * sum(&third)
    } at [0.7, 0.3, 0.9, 1.1];

    fn parts_cloned_between_changes(x: &[f64]) -> f64 {
        let parts: Vec<Part> = (0..5).map(part).collect();
        let mut second = parts.clone();
        second.iter_mut().zip(x).for_each(|(part, x)| part.change(*x));
        let third = second.clone();
        second[1].change(0.5);
        second.iter().map(Part::value).sum::<f64>() * third.iter().map(Part::value).sum::<f64>()
    } at [0.7, 0.3, 0.9, 1.1, -0.4];
}
