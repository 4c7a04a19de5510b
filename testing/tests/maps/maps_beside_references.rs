//! Maps with keys out of an argument, in structs beside a reference to that argument: a number is no way to what the other one leads to.

use cotangent::{Shadow, autodiff, zeroed};
use std::cell::RefCell;
use std::collections::BTreeMap;
use testing::assert_close;

#[derive(Clone, Shadow)]
struct Market {
    days: Vec<u64>,
    rates: Vec<f64>,
    spread: f64,
}

fn market() -> Market {
    Market { days: vec![100, 200, 400], rates: vec![0.01, 0.02, 0.03], spread: 0.01 }
}

struct Pricer<'m> {
    market: &'m Market,
    cache: RefCell<BTreeMap<u64, f64>>,
}

impl Pricer<'_> {
    #[inline(never)]
    fn discount(&self, day: u64) -> f64 {
        if let Some(known) = self.cache.borrow().get(&day) {
            return *known;
        }
        let Market { days, rates, spread } = self.market;
        let at = days.iter().position(|other| *other >= day).unwrap_or(days.len() - 1);
        let factor = (-(rates[at] + spread) * day as f64 / 365.0).exp();
        self.cache.borrow_mut().insert(day, factor);
        factor
    }

    #[inline(never)]
    fn price(&self) -> f64 {
        let days = self.market.days.iter();
        let paid: f64 = days.map(|day| self.discount(*day) + self.discount(day / 2)).sum();
        paid + self.cache.borrow().values().sum::<f64>()
    }
}

#[test]
fn a_cache_in_a_tree_beside_a_reference_is_the_functions_own() {
    #[autodiff(d, Reverse, Duplicated, Active)]
    #[autodiff(along, Forward, Dual, Dual)]
    fn f(market: &Market) -> f64 {
        Pricer { market, cache: RefCell::default() }.price()
    }
    let market = market();
    let mut shadow = zeroed(&market);
    d(&market, &mut shadow, 1.0);
    // 50 once, 100 and 200 twice, 400 once, and each of them again
    let times = [(50.0, 2.0, 0), (100.0, 3.0, 0), (200.0, 3.0, 1), (400.0, 2.0, 2)];
    let mut expected = [0.0; 3];
    for (day, count, at) in times {
        let t = day / 365.0;
        expected[at] -= count * t * (-(market.rates[at] + market.spread) * t).exp();
    }
    for at in 0..3 {
        assert_close!(shadow.rates[at], expected[at], 1e-12);
        let mut tangent = zeroed(&market);
        tangent.rates[at] = 1.0;
        assert_close!(along(&market, &tangent).1, expected[at], 1e-12);
    }
    assert_close!(shadow.spread, expected.iter().sum::<f64>(), 1e-12);
    assert_eq!(shadow.days, market.days);
}

struct Tree<'m> {
    market: &'m Market,
    known: BTreeMap<(usize, usize), f64>,
    steps: usize,
}

impl Tree<'_> {
    fn price(&mut self, step: usize, ups: usize) -> f64 {
        if let Some(known) = self.known.get(&(step, ups)) {
            return *known;
        }
        let price = if step == self.steps {
            (self.market.spread * ups as f64 - 0.005).max(0.0)
        } else {
            let both = self.price(step + 1, ups + 1) + self.price(step + 1, ups);
            0.5 * both / (1.0 + self.market.rates[step % 3])
        };
        self.known.insert((step, ups), price);
        price
    }
}

#[test]
fn a_recursion_keeps_what_it_knows_beside_a_reference() {
    #[autodiff(d, Reverse, Duplicated, Active)]
    fn f(market: &Market) -> f64 {
        Tree { market, known: BTreeMap::new(), steps: market.days.len() }.price(0, 0)
    }
    let market = market();
    let mut shadow = zeroed(&market);
    let value = d(&market, &mut shadow, 1.0);
    // One way leads to no "up", three lead to one, three to two, one to three: (3 * 0.005 + 3 * 0.015 + 0.025) / 8
    let discount: f64 = market.rates.iter().map(|rate| 1.0 / (1.0 + rate)).product();
    assert_close!(value, discount * 0.085 / 8.0, 1e-12);
    for at in 0..3 {
        assert_close!(shadow.rates[at], -value / (1.0 + market.rates[at]), 1e-12);
    }
}

#[derive(Clone, Shadow)]
enum Cell {
    Number(f64),
    Sum(Vec<u32>),
    Scaled { by: f64, cell: u32 },
}

#[test]
fn a_memo_is_filled_and_searched_beside_an_argument_s_map_of_variants() {
    #[autodiff(d, Reverse, Duplicated, Active)]
    #[autodiff(along, Forward, Dual, Dual)]
    fn sheet(cells: &BTreeMap<u32, Cell>) -> f64 {
        let mut memo: BTreeMap<u32, f64> = BTreeMap::new();
        for (key, cell) in cells {
            let value = match cell {
                Cell::Number(value) => *value,
                Cell::Sum(of) => of.iter().map(|key| memo[key]).sum(),
                Cell::Scaled { by, cell } => by * memo[cell] * memo[cell],
            };
            memo.insert(*key, value);
        }
        memo.values().sum()
    }
    // Enough that a node of the memo is taken in two.
    let mut cells: BTreeMap<u32, Cell> = (0..12).map(|key| (key, Cell::Number(0.25 * key as f64 + 0.1))).collect();
    cells.insert(20, Cell::Sum(vec![0, 1, 1, 11]));
    cells.insert(21, Cell::Scaled { by: 0.5, cell: 20 });
    cells.insert(22, Cell::Sum(vec![21, 20, 3]));
    let mut shadow = zeroed(&cells);
    let value = d(&cells, &mut shadow, 1.0);
    // The sum of the numbers, of 20 twice, of 21 twice, and of 3
    let twenty = 0.1 + 2.0 * 0.35 + 2.85;
    let numbers: f64 = (0..12).map(|key| 0.25 * key as f64 + 0.1).sum();
    assert_close!(value, numbers + 2.0 * twenty + twenty * twenty + 0.85, 1e-12);
    let of_twenty = 2.0 + 2.0 * twenty;
    for key in 0..12 {
        let Cell::Number(adjoint) = shadow[&key] else { panic!("no number") };
        let expected = 1.0 + [of_twenty, 2.0 * of_twenty, 0.0, 1.0].get(key as usize).unwrap_or(&0.0);
        assert_close!(adjoint, expected + if key == 11 { of_twenty } else { 0.0 }, 1e-12);
        let mut tangent = zeroed(&cells);
        tangent.insert(key, Cell::Number(1.0));
        assert_close!(along(&cells, &tangent).1, adjoint, 1e-12);
    }
    let Cell::Scaled { by, .. } = shadow[&21] else { panic!("not scaled") };
    assert_close!(by, 2.0 * twenty * twenty, 1e-12);
}
