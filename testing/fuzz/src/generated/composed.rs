//! Types that hold each other in any order, each of which can be made of constants, filled with what depends on the inputs, changed, and summed up. Where a line says
//! `//?`, the round's seed decides whether the function is inlined.
use crate::prelude::bounded;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

pub trait Composed: Sized {
    /// Of constants.
    fn made(n: usize) -> Self;
    /// Of numbers alone.
    fn count(&self) -> usize;
    /// Puts what depends on the inputs there.
    fn fill(&mut self, x: f64);
    /// Puts something else there, or the same elsewhere.
    fn turn(&mut self, n: usize, x: f64);
    fn total(&self) -> f64;
}

/// Something, and what is counted of it.
//?
pub fn counted<T: Composed>(n: usize) -> (usize, T) {
    let made = T::made(n);
    (made.count(), made)
}

/// One that is handed on with another.
//?
pub fn handed<T: Composed>(n: usize) -> Held<T, usize> {
    let (count, first) = counted::<T>(n);
    Held { count: count % 7, first, second: n }
}

/// One that is changed where it is made.
//?
pub fn turned<T: Composed>(n: usize, x: f64) -> T {
    let mut made = T::made(n);
    made.turn(n, x);
    made
}

//?
pub fn refilled<T: Composed>(place: &mut T, n: usize, x: f64) -> T {
    let old = std::mem::replace(place, T::made(n));
    if n % 2 == 0 {
        place.fill(x);
    }
    old
}

//?
pub fn tried<T: Composed>(n: usize) -> Result<T, String> {
    if n % 4 == 3 { Err(format!("{n} is odd")) } else { Ok(T::made(n)) }
}

//?
pub fn one_of<'t, T: Composed>(n: usize, a: &'t mut T, b: &'t mut T) -> &'t mut T {
    if n % 2 == 0 { a } else { b }
}

impl Composed for usize {
    fn made(n: usize) -> usize {
        n + 1
    }

    fn count(&self) -> usize {
        *self
    }

    fn fill(&mut self, _: f64) {
        *self += 1;
    }

    fn turn(&mut self, n: usize, _: f64) {
        *self = *self * 3 % (n + 5);
    }

    fn total(&self) -> f64 {
        *self as f64 * 0.125
    }
}

impl Composed for f64 {
    fn made(n: usize) -> f64 {
        if n % 3 == 0 { 0.5 } else { 0.0 }
    }

    fn count(&self) -> usize {
        1
    }

    fn fill(&mut self, x: f64) {
        *self = 0.5 * *self + x;
    }

    fn turn(&mut self, n: usize, x: f64) {
        if n % 2 == 0 {
            *self *= x;
        } else {
            *self = 0.25;
        }
    }

    fn total(&self) -> f64 {
        self.sin()
    }
}

impl Composed for String {
    fn made(n: usize) -> String {
        format!("s{n}")
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn fill(&mut self, _: f64) {
        self.push('x');
    }

    fn turn(&mut self, n: usize, _: f64) {
        self.truncate(n % 3);
    }

    fn total(&self) -> f64 {
        self.len() as f64 * 0.25
    }
}

impl Composed for Cell<f64> {
    fn made(_: usize) -> Cell<f64> {
        Cell::new(0.0)
    }

    fn count(&self) -> usize {
        2
    }

    fn fill(&mut self, x: f64) {
        self.set(self.get() + x);
    }

    fn turn(&mut self, _: usize, x: f64) {
        let old = self.replace(x);
        self.set(self.get() * 0.5 + old);
    }

    fn total(&self) -> f64 {
        self.get() * 0.75
    }
}

/// A number and a float.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub number: u32,
    pub float: f64,
}

impl Composed for Row {
    //?
    fn made(n: usize) -> Row {
        Row { number: n as u32, ..Row::default() }
    }

    fn count(&self) -> usize {
        self.number as usize
    }

    //?
    fn fill(&mut self, x: f64) {
        self.float += x * f64::from(self.number);
    }

    fn turn(&mut self, n: usize, x: f64) {
        *self = Row { number: n as u32 + 2, float: self.float * x };
    }

    fn total(&self) -> f64 {
        f64::from(self.number) * self.float * 0.25
    }
}

/// Rows that begin as zeros.
#[derive(Clone, Debug)]
pub struct Table(pub Vec<(usize, f64)>);

impl Composed for Table {
    //?
    fn made(n: usize) -> Table {
        let mut rows = vec![(0, 0.0); n % 4 + 1];
        rows.iter_mut().enumerate().for_each(|(i, row)| row.0 = i + 1);
        Table(rows)
    }

    //?
    fn count(&self) -> usize {
        self.0[0].0 + self.0.len()
    }

    //?
    fn fill(&mut self, x: f64) {
        self.0.iter_mut().for_each(|row| row.1 += x * row.0 as f64);
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        let by = n % self.0.len();
        self.0.rotate_left(by);
        self.0.push((n, x));
        self.0.extend(vec![(2, 0.0); n % 2]);
    }

    //?
    fn total(&self) -> f64 {
        self.0.iter().map(|row| row.0 as f64 * 0.25 * bounded(row.1)).sum()
    }
}

/// What changes its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slot {
    Empty,
    Number(usize),
    Float(f64),
    Two(f64, u32),
}

impl Composed for Slot {
    fn made(n: usize) -> Slot {
        [Slot::Number(n), Slot::Empty, Slot::Float(0.0), Slot::Two(0.5, 2)][n % 4]
    }

    //?
    fn count(&self) -> usize {
        match self {
            Slot::Empty => 0,
            Slot::Number(n) => *n,
            Slot::Float(_) => 1,
            Slot::Two(_, n) => *n as usize,
        }
    }

    //?
    fn fill(&mut self, x: f64) {
        *self = match *self {
            Slot::Empty => Slot::Float(x),
            Slot::Number(n) => Slot::Two(x, n as u32 % 5),
            Slot::Float(a) => Slot::Two(a + x, 3),
            Slot::Two(a, n) => Slot::Two(a * x, n),
        };
    }

    fn turn(&mut self, n: usize, x: f64) {
        match self {
            Slot::Two(a, _) | Slot::Float(a) if n % 2 == 0 => *a = x,
            other => *other = Slot::made(n),
        }
    }

    fn total(&self) -> f64 {
        match *self {
            Slot::Empty => 0.25,
            Slot::Number(n) => n as f64 * 0.125,
            Slot::Float(a) => a.cos(),
            Slot::Two(a, n) => a * f64::from(n) * 0.5,
        }
    }
}

impl<T: Composed> Composed for Vec<T> {
    //?
    fn made(n: usize) -> Vec<T> {
        (0..n % 3 + 1).map(T::made).collect()
    }

    fn count(&self) -> usize {
        self.iter().map(T::count).sum::<usize>() + self.len()
    }

    //?
    fn fill(&mut self, x: f64) {
        self.iter_mut().for_each(|item| item.fill(x));
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        match n % 4 {
            0 => self.push(turned(n, x)),
            1 => self.reverse(),
            2 => self[0].turn(n, x),
            _ => _ = self.pop(),
        }
        if self.is_empty() {
            self.push(T::made(n));
        }
    }

    //?
    fn total(&self) -> f64 {
        self.iter().map(|item| bounded(item.total())).sum()
    }
}

impl<T: Composed> Composed for VecDeque<T> {
    //?
    fn made(n: usize) -> VecDeque<T> {
        let mut queue: VecDeque<T> = (0..n % 2 + 1).map(T::made).collect();
        queue.push_front(T::made(n));
        queue
    }

    fn count(&self) -> usize {
        self.front().map_or(0, T::count) + self.len()
    }

    fn fill(&mut self, x: f64) {
        self.iter_mut().for_each(|item| item.fill(x));
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        if let Some(mut item) = self.pop_front() {
            item.turn(n, x);
            self.push_back(item);
        }
    }

    fn total(&self) -> f64 {
        self.iter().zip(1..).map(|(item, k)| bounded(item.total() * f64::from(k))).sum()
    }
}

impl<T: Composed> Composed for Box<T> {
    //?
    fn made(n: usize) -> Box<T> {
        Box::new(T::made(n))
    }

    fn count(&self) -> usize {
        (**self).count()
    }

    fn fill(&mut self, x: f64) {
        (**self).fill(x);
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        if n % 2 == 0 { *self = Box::new(turned(n, x)) } else { (**self).turn(n, x) }
    }

    fn total(&self) -> f64 {
        (**self).total()
    }
}

impl<T: Composed> Composed for Option<T> {
    fn made(n: usize) -> Option<T> {
        (n % 3 != 1).then(|| T::made(n))
    }

    //?
    fn count(&self) -> usize {
        self.as_ref().map_or(1, T::count)
    }

    //?
    fn fill(&mut self, x: f64) {
        self.get_or_insert_with(|| T::made(2)).fill(x);
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        match self.take() {
            Some(mut item) if n % 3 > 0 => {
                item.turn(n, x);
                *self = Some(item);
            }
            _ => *self = tried(n).ok(),
        }
    }

    fn total(&self) -> f64 {
        self.as_ref().map_or(0.5, T::total)
    }
}

impl<T: Composed> Composed for Rc<RefCell<T>> {
    //?
    fn made(n: usize) -> Rc<RefCell<T>> {
        Rc::new(RefCell::new(T::made(n)))
    }

    fn count(&self) -> usize {
        self.borrow().count()
    }

    //?
    fn fill(&mut self, x: f64) {
        let other = Rc::clone(self);
        other.borrow_mut().fill(x);
    }

    fn turn(&mut self, n: usize, x: f64) {
        if n % 2 == 0 {
            self.borrow_mut().turn(n, x);
        } else {
            let old = self.replace(T::made(n));
            self.borrow_mut().fill(old.total() * 0.5);
        }
    }

    fn total(&self) -> f64 {
        self.borrow().total()
    }
}

impl<T: Composed> Composed for BTreeMap<u32, T> {
    //?
    fn made(n: usize) -> BTreeMap<u32, T> {
        (0..n % 3 + 1).map(|k| (k as u32, T::made(k + n))).collect()
    }

    fn count(&self) -> usize {
        self.values().map(T::count).sum()
    }

    //?
    fn fill(&mut self, x: f64) {
        self.values_mut().for_each(|item| item.fill(x));
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        self.entry(n as u32 % 4).or_insert_with(|| T::made(n)).turn(n, x);
    }

    fn total(&self) -> f64 {
        self.iter().map(|(key, item)| bounded(item.total()) * f64::from(key + 1)).sum()
    }
}

impl<T: Composed> Composed for HashMap<u32, T> {
    fn made(n: usize) -> HashMap<u32, T> {
        (0..n % 3 + 1).map(|k| (k as u32, T::made(k))).collect()
    }

    fn count(&self) -> usize {
        self.get(&0).map_or(0, T::count) + self.len()
    }

    //?
    fn fill(&mut self, x: f64) {
        for key in 0..4 {
            if let Some(item) = self.get_mut(&key) {
                item.fill(x);
            }
        }
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        if let Some(mut item) = self.remove(&(n as u32 % 3)) {
            item.turn(n, x);
            self.insert(3, item);
        }
    }

    fn total(&self) -> f64 {
        (0..4).filter_map(|key| self.get(&key)).map(|item| bounded(item.total())).sum()
    }
}

impl<T: Composed, U: Composed> Composed for (T, U) {
    fn made(n: usize) -> (T, U) {
        (T::made(n), U::made(n + 1))
    }

    fn count(&self) -> usize {
        self.0.count() + self.1.count()
    }

    fn fill(&mut self, x: f64) {
        self.0.fill(x);
        self.1.fill(x * 0.5);
    }

    fn turn(&mut self, n: usize, x: f64) {
        if n % 2 == 0 { self.0.turn(n, x) } else { self.1.turn(n, x) }
    }

    fn total(&self) -> f64 {
        self.0.total() * 0.5 + self.1.total()
    }
}

/// Two in a record.
#[derive(Clone, Debug)]
pub struct Held<T, U> {
    pub count: usize,
    pub first: T,
    pub second: U,
}

impl<T: Composed, U: Composed> Composed for Held<T, U> {
    //?
    fn made(n: usize) -> Held<T, U> {
        let (count, second) = counted(n);
        Held { count, first: T::made(n), second }
    }

    fn count(&self) -> usize {
        self.count + self.first.count()
    }

    //?
    fn fill(&mut self, x: f64) {
        self.second.fill(x * (self.count % 5) as f64);
        self.first.fill(x);
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        let old = refilled(&mut self.first, n, x);
        self.count += old.count() % 3;
        self.second.turn(n + 1, old.total());
    }

    //?
    fn total(&self) -> f64 {
        bounded(self.first.total() * self.second.total()) + (self.count % 5) as f64 * 0.25
    }
}

/// One or the other.
#[derive(Clone, Debug)]
pub enum Either<T, U> {
    One(T),
    Other(U),
    Neither,
}

impl<T: Composed, U: Composed> Composed for Either<T, U> {
    //?
    fn made(n: usize) -> Either<T, U> {
        match n % 3 {
            0 => Either::One(T::made(n)),
            1 => Either::Other(U::made(n)),
            _ => Either::Neither,
        }
    }

    fn count(&self) -> usize {
        match self {
            Either::One(item) => item.count(),
            Either::Other(item) => item.count() + 1,
            Either::Neither => 2,
        }
    }

    //?
    fn fill(&mut self, x: f64) {
        match self {
            Either::One(item) => item.fill(x),
            Either::Other(item) => item.fill(-x),
            Either::Neither => *self = Either::One(turned(2, x)),
        }
    }

    //?
    fn turn(&mut self, n: usize, x: f64) {
        *self = match std::mem::replace(self, Either::Neither) {
            Either::One(item) => Either::Other(turned(n, item.total() * x)),
            Either::Other(mut item) => {
                item.turn(n, x);
                Either::Other(item)
            }
            Either::Neither => Either::made(n),
        };
    }

    //?
    fn total(&self) -> f64 {
        match self {
            Either::One(item) => item.total(),
            Either::Other(item) => 0.5 * item.total(),
            Either::Neither => 0.25,
        }
    }
}
