//! Objects, closures and iterators in boxes that hold others of their kind, and call them more than once: each level is known only when the one around it is.

use crate::functional;
use std::cell::RefCell;
use std::rc::Rc;

trait Source {
    fn at(&self, t: f64) -> f64;
    fn advance(&mut self) -> Option<f64>;
    fn skip_to(&mut self, n: usize) -> Option<f64> {
        for _ in 0..n {
            self.advance()?;
        }
        self.advance()
    }
}

struct Samples(Vec<f64>, usize);

impl Source for Samples {
    fn at(&self, t: f64) -> f64 {
        self.0[0] * t
    }

    fn advance(&mut self) -> Option<f64> {
        self.1 += 1;
        self.0.get(self.1 - 1).copied()
    }
}

struct Mapped<F>(Box<dyn Source>, F);

impl<F: Fn(f64) -> f64> Source for Mapped<F> {
    fn at(&self, t: f64) -> f64 {
        self.0.at((self.1)(t)) + self.0.at(0.5)
    }

    fn advance(&mut self) -> Option<f64> {
        self.0.advance().map(&self.1)
    }
}

type Floats<'a> = Box<dyn Iterator<Item = f64> + 'a>;

struct Triples<I>(I);

impl<I: Iterator<Item = f64>> Iterator for Triples<I> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let first = self.0.next()?;
        Some((1..3).fold(first, |sum, _| sum + self.0.next().unwrap_or(0.0)))
    }
}

fn running(all: Floats<'_>) -> Floats<'_> {
    let add = |sum: &mut f64, v: f64| {
        *sum += v;
        Some(*sum)
    };
    Box::new(Triples(all).scan(0.0, add))
}

trait Observer {
    fn moved(&self, who: &'static str, to: f64);
    fn total(&self) -> f64;
}

struct Log(RefCell<Vec<(&'static str, f64)>>);

impl Observer for Log {
    fn moved(&self, who: &'static str, to: f64) {
        self.0.borrow_mut().push((who, to));
    }

    fn total(&self) -> f64 {
        self.0.borrow().iter().map(|(who, to)| to * who.len() as f64).sum()
    }
}

const X: [f64; 5] = [0.2, 0.9, 0.4, 0.3, 0.35];

functional! {
    fn closures_in_closures_are_called_twice(x: &[f64]) -> f64 {
        let (a, b) = (x[0], x[1]);
        let inner: Box<dyn Fn(f64) -> f64> = Box::new(move |t| a * t);
        let middle: Box<dyn Fn(f64) -> f64> = Box::new(move |t| inner(t * b) + inner(b));
        let outer: Box<dyn Fn(f64) -> f64> = Box::new(move |t| middle(t * b) + middle(b));
        outer(0.5) * outer(1.0)
    } at X;

    fn objects_in_objects_are_called_twice_in_a_loop(x: &[f64]) -> f64 {
        let (a, b) = (x[1], x[2]);
        let inner: Box<dyn Source> = Box::new(Samples(x.to_vec(), 0));
        let middle: Box<dyn Source> = Box::new(Mapped(inner, move |v| v * a));
        let outer: Box<dyn Source> = Box::new(Mapped(middle, move |v| v * v + b));
        let mut sum = 0.0;
        for i in 0..3 {
            let v = outer.at(sum);
            if i % 2 == 0 {
                sum += v * outer.at(1.0);
            }
        }
        sum
    } at X;

    fn objects_in_objects_are_advanced_by_a_provided_method(x: &[f64]) -> f64 {
        let inner: Box<dyn Source> = Box::new(Samples(x.to_vec(), 0));
        let middle: Box<dyn Source> = Box::new(Mapped(inner, |v| v * v));
        let mut outer: Box<dyn Source> = Box::new(Mapped(middle, |v| v + 1.0));
        outer.advance().unwrap() * outer.skip_to(1).unwrap()
    } at X;

    fn iterators_in_iterators_are_stepped(x: &[f64]) -> f64 {
        let inner: Floats<'_> = Box::new(x.iter().copied());
        let middle: Floats<'_> = Box::new(inner.map(|v| v * v));
        let outer: Floats<'_> = Box::new(middle.map(|v| v + 1.0));
        outer.step_by(2).sum()
    } at X;

    fn iterators_in_iterators_are_filtered_and_skipped(x: &[f64]) -> f64 {
        let inner: Floats<'_> = Box::new(x.iter().copied());
        let squares: Floats<'_> = Box::new(inner.map(|v| v * v));
        let large: Floats<'_> = Box::new(squares.filter(|v| *v > 0.1));
        let rest: Floats<'_> = Box::new(large.skip(1));
        rest.map(|v| v * v).sum()
    } at X;

    fn adaptors_in_adaptors_add_up(x: &[f64]) -> f64 {
        running(running(Box::new(x.iter().copied()))).sum()
    } at X;

    fn shared_observers_log_names_and_floats(x: &[f64]) -> f64 {
        let log: Rc<dyn Observer> = Rc::new(Log(RefCell::new(vec![])));
        for v in x {
            log.moved("ab", v * v);
            log.moved("c", v.sin());
        }
        log.total()
    } at X;
}
