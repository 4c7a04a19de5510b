//! What is written through shared references all the same: cells of every kind, and raw pointers.
#![allow(clippy::borrowed_box, clippy::ptr_arg, reason = "each type that has a cell is a case of its own")]

use crate::assert_close;
use cotangent::autodiff;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Mutex;

struct Wrapper<T> {
    inner: T,
}

#[allow(dead_code, reason = "the other variant makes it one")]
enum Slot {
    Empty,
    Full(Cell<f64>),
}

/// A vector of pointers that are not its own.
struct Links {
    raw: Vec<*mut f64>,
    link: NonNull<f64>,
    maybe: Option<*mut f64>,
}

trait Store {
    fn put(&self, value: f64);
    fn get(&self) -> f64;
}

impl Store for Cell<f64> {
    fn put(&self, value: f64) {
        self.set(value);
    }
    fn get(&self) -> f64 {
        Cell::get(self)
    }
}

macro_rules! functions {
    ($($name:ident ( $cell:ident : $ty:ty ) put |$x:ident| $put:expr, get $get:expr;)*) => { $(
        mod $name {
            use super::*;

            #[inline(never)]
            pub fn put($cell: $ty, $x: f64) {
                $put;
            }

            #[inline(never)]
            pub fn step($cell: $ty, x: f64) -> f64 {
                let before = $get;
                put($cell, x * x);
                let between = $get;
                put($cell, between * x);
                before * x + between + $get
            }
        }
    )* };
}

functions! {
    vector(cell: &Vec<Cell<f64>>) put |x| cell[1].set(x), get cell[1].get();
    slice(cell: &[Cell<f64>]) put |x| cell[1].set(x), get cell[1].get();
    boxed(cell: &Box<Cell<f64>>) put |x| cell.set(x), get cell.get();
    option(cell: &Option<Cell<f64>>) put |x| cell.as_ref().unwrap().set(x), get cell.as_ref().map_or(0.0, Cell::get);
    variant(cell: &Slot) put |x| if let Slot::Full(cell) = cell { cell.set(x) },
        get match cell { Slot::Full(cell) => cell.get(), Slot::Empty => 0.0 };
    pair(cell: &(usize, Cell<f64>)) put |x| cell.1.set(x), get cell.1.get();
    wrapper(cell: &Wrapper<Vec<Wrapper<Cell<f64>>>>) put |x| cell.inner[0].inner.set(x), get cell.inner[0].inner.get();
    object(cell: &dyn Store) put |x| cell.put(x), get cell.get();
    objects(cell: &Vec<Box<dyn Store + '_>>) put |x| cell[0].put(x), get cell[0].get();
    reference(cell: &&Cell<f64>) put |x| cell.set(x), get cell.get();
    counted(cell: &Rc<Cell<f64>>) put |x| cell.set(x), get cell.get();
    map(cell: &RefCell<BTreeMap<u32, f64>>) put |x| cell.borrow_mut().insert(3, x), get cell.borrow().get(&3).copied().unwrap_or(0.5);
    table(cell: &Wrapper<HashMap<u32, Cell<f64>>>) put |x| cell.inner[&3].set(x), get cell.inner[&3].get();
    locked(cell: &Mutex<Vec<f64>>) put |x| cell.lock().unwrap().push(x), get cell.lock().unwrap().last().copied().unwrap_or(0.5);
    links(cell: &Links) put |x| unsafe { let raw = cell.raw[0]; *raw = x; *cell.link.as_ptr() = x; *cell.maybe.unwrap() = x },
        get unsafe { *cell.raw[0] * 0.25 + *cell.link.as_ptr() * 0.25 + *cell.maybe.unwrap() * 0.5 };
}

#[inline(never)]
fn first_use(once: &OnceCell<f64>, x: f64) -> f64 {
    *once.get_or_init(|| x * x) * x
}

#[autodiff(written_reverse, Reverse, Duplicated, Active)]
#[autodiff(written_forward, Forward, Dual, Dual)]
fn written(x: &[f64]) -> f64 {
    let cells = || vec![Cell::new(0.25), Cell::new(0.5)];
    let half = || Cell::new(0.5);
    let (mut a, mut b, mut c) = (0.5, 0.5, 0.5);
    let links = Links { raw: vec![&mut a], link: NonNull::from(&mut b), maybe: Some(&mut c) };
    let once = OnceCell::new();
    let named = half();
    let steps = [
        vector::step(&cells(), x[0]),
        slice::step(&cells(), x[1]),
        boxed::step(&Box::new(half()), x[2]),
        option::step(&Some(half()), x[3]),
        variant::step(&Slot::Full(half()), x[4]),
        pair::step(&(3, half()), x[5]),
        wrapper::step(&Wrapper { inner: vec![Wrapper { inner: half() }] }, x[6]),
        object::step(&half(), x[7]),
        objects::step(&vec![Box::new(half())], x[8]),
        reference::step(&&named, x[9]),
        counted::step(&Rc::new(half()), x[10]),
        map::step(&RefCell::new(BTreeMap::new()), x[11]),
        table::step(&Wrapper { inner: HashMap::from([(3, half())]) }, x[12]),
        locked::step(&Mutex::new(Vec::new()), x[13]),
        links::step(&links, x[14]),
        first_use(&once, x[15]) + first_use(&once, x[15]),
    ];
    steps.iter().sum()
}

#[test]
fn cells_behind_shared_references_are_written() {
    let x: Vec<f64> = (0..16).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    let mut d = vec![0.0; 16];
    written_reverse(&x, &mut d, 1.0);
    for (i, (x, d)) in x.iter().zip(&d).enumerate() {
        let expected = match i {
            15 => 6.0 * x * x,
            _ => 0.5 + 2.0 * x + 3.0 * x * x,
        };
        assert!((d - expected).abs() < 1e-12 * expected, "{i}: {d} and not {expected}");
    }
    let v: Vec<f64> = (0..16).map(|i| 1.0 - 0.1 * f64::from(i)).collect();
    let (_, tangent) = written_forward(&x, &v);
    assert_close!(tangent, d.iter().zip(&v).map(|(d, v)| d * v).sum::<f64>());
}

struct Tally {
    rows: Vec<f64>,
    sum: Cell<f64>,
}

#[inline(never)]
fn product(rows: &Vec<f64>) -> f64 {
    rows[0] * rows[1]
}

#[inline(always)]
#[autodiff(lent_reverse, Reverse, Duplicated, Active)]
fn lent(rows: &mut Vec<f64>) -> f64 {
    let before = product(rows);
    rows[0] = before * before;
    product(rows)
}

#[inline(always)]
#[autodiff(tallied_reverse, Reverse, Duplicated, Active)]
fn tallied(tally: &Tally) -> f64 {
    tally.sum.set(product(&tally.rows));
    tally.sum.get() * product(&tally.rows)
}

/// What a function lends to another as shared, it may itself write to.
#[test]
fn what_is_lent_as_shared_is_written_by_who_lends_it() {
    let (x, y) = (1.5, 0.5);
    let mut d = vec![0.0; 2];
    assert_close!(lent_reverse(&mut vec![x, y], &mut d, 1.0), x * x * y * y * y);
    assert_close!(d[0], 2.0 * x * y * y * y);
    assert_close!(d[1], 3.0 * x * x * y * y);
    let mut shadow = Tally { rows: vec![0.0; 2], sum: Cell::new(0.0) };
    let tally = Tally { rows: vec![x, y], sum: Cell::new(0.0) };
    assert_close!(tallied_reverse(&tally, &mut shadow, 1.0), x * x * y * y);
    assert_close!(shadow.rows[0], 2.0 * x * y * y);
    assert_close!(shadow.rows[1], 2.0 * x * x * y);
}
