//! What is looked up when the program runs: rows that an iterator finds and hands out to be changed, objects behind holes, callees that a table knows.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use testing::check::closure;

struct Heater {
    used: f64,
    meter: Rc<Cell<f64>>,
}

impl Drop for Heater {
    fn drop(&mut self) {
        self.meter.set(self.meter.get() + self.used * self.used);
    }
}

fn take(heaters: &mut [Option<Box<Heater>>], i: usize) -> Option<f64> {
    let heater = heaters.get_mut(i)?.take()?;
    Some(heater.used)
}

#[test]
fn boxes_beside_holes_write_when_they_are_dropped() {
    let f = |x: &[f64]| {
        let meter = Rc::new(Cell::new(0.0));
        let heater = |k: usize| Box::new(Heater { used: x[0] * x[1] + k as f64, meter: meter.clone() });
        let mut heaters: Vec<Option<Box<Heater>>> = (0..3).map(|k| (k != 1).then(|| heater(k))).collect();
        let taken = take(&mut heaters, 0).unwrap_or(0.0) + take(&mut heaters, 1).unwrap_or(7.0);
        drop(heaters);
        taken + meter.get()
    };
    closure(&[0.5, 1.3], f);
}

enum Item {
    Raw(f64),
    Part(Rc<Recipe>, f64),
}

struct Recipe {
    items: Vec<Item>,
}

impl Recipe {
    fn walk(&self, times: f64, visit: &mut dyn FnMut(f64, f64)) {
        for item in &self.items {
            match item {
                Item::Raw(amount) => visit(*amount, times),
                Item::Part(recipe, share) => recipe.walk(times * share, visit),
            }
        }
    }

    fn cost(&self) -> f64 {
        let mut total = 0.0;
        self.walk(1.0, &mut |amount, times| total += (amount * times).powf(0.9));
        total
    }
}

#[test]
fn a_visitor_is_called_in_the_loop_of_what_calls_itself() {
    let f = |x: &[f64]| {
        let dough = Rc::new(Recipe { items: vec![Item::Raw(x[0]), Item::Raw(x[1])] });
        let parts = vec![Item::Part(dough.clone(), 1.5), Item::Raw(x[2]), Item::Part(dough, x[2])];
        Recipe { items: parts }.cost()
    };
    closure(&[1.3, 0.8, 0.5], f);
}

type Vector = [f64; 3];

fn dot(a: &Vector, b: &Vector) -> f64 {
    a.iter().zip(b).map(|(p, q)| p * q).sum()
}

enum Material {
    Matte { albedo: Vector },
    Light(f64),
}

struct Hit {
    distance: f64,
    normal: Vector,
    material: Rc<Material>,
}

trait Shape {
    fn hit(&self, direction: &Vector) -> Option<Hit>;
}

struct Sphere {
    center: Vector,
    radius: f64,
    material: Rc<Material>,
}

impl Shape for Sphere {
    fn hit(&self, direction: &Vector) -> Option<Hit> {
        let b = dot(&self.center, direction);
        let distance = [-b - self.radius, -b + self.radius].into_iter().find(|t| *t > 1e-4)?;
        let normal = direction.map(|d| d * distance);
        Some(Hit { distance, normal, material: Rc::clone(&self.material) })
    }
}

fn seen(shapes: &[Box<dyn Shape>], direction: &Vector) -> f64 {
    let hits = shapes.iter().filter_map(|shape| shape.hit(direction));
    let nearest = hits.min_by(|a, b| a.distance.total_cmp(&b.distance));
    let Some(hit) = nearest else { return 0.2 + 0.3 * direction[1] };
    match &*hit.material {
        Material::Light(strength) => strength * hit.distance,
        Material::Matte { albedo } => albedo.iter().sum::<f64>() / 3.0 * dot(&hit.normal, direction),
    }
}

#[test]
fn the_nearest_of_what_all_shapes_hit() {
    let f = |x: &[f64]| {
        let matte = Rc::new(Material::Matte { albedo: [x[0], 0.5, 0.3] });
        let light = Rc::new(Material::Light(4.0 * x[0]));
        let shapes: Vec<Box<dyn Shape>> = vec![
            Box::new(Sphere { center: [1.2, -0.2, 2.5], radius: 0.5 + x[1], material: matte.clone() }),
            Box::new(Sphere { center: [-1.5, 1.0, -2.0], radius: 0.3, material: light }),
        ];
        (0..6).map(|i| seen(&shapes, &[f64::from(i) * 0.21 - 0.5, 0.1, 1.0])).sum()
    };
    closure(&[0.6, 0.2], f);
}

trait Payoff {
    fn at(&self, price: f64) -> f64;
}

impl<F: Fn(f64) -> f64> Payoff for F {
    fn at(&self, price: f64) -> f64 {
        self(price)
    }
}

struct Early<P>(P);

impl<P: Payoff> Payoff for Early<P> {
    fn at(&self, price: f64) -> f64 {
        self.0.at(price)
    }
}

struct Legs(Vec<(i8, Box<dyn Payoff>)>);

impl Payoff for Legs {
    fn at(&self, price: f64) -> f64 {
        self.0.iter().map(|(n, leg)| f64::from(*n) * leg.at(price)).sum()
    }
}

struct Lattice {
    up: f64,
    discount: f64,
    steps: usize,
    spot: f64,
}

impl Lattice {
    fn new(spot: f64, vol: f64, rate: f64, steps: usize) -> Option<Lattice> {
        let step = 0.9 / steps as f64;
        let up = (vol * step.sqrt()).exp();
        let p = ((rate * step).exp() - 1.0 / up) / (up - 1.0 / up);
        (0.0..1.0).contains(&p).then(|| Lattice { up, discount: (-rate * step).exp(), steps, spot })
    }

    fn value(&self, payoff: &dyn Payoff) -> f64 {
        let price = |i: usize| self.spot * self.up.powi(2 * i as i32 - self.steps as i32);
        let mut values: Vec<f64> = (0..=self.steps).map(|i| payoff.at(price(i))).collect();
        values.pop().unwrap_or(0.0)
    }

    fn knocked_out(&self) -> f64 {
        let layer: BTreeMap<(usize, bool), f64> = BTreeMap::from([((0, false), 1.0)]);
        layer.values().sum::<f64>() * self.discount.powi(self.steps as i32)
    }
}

#[test]
fn closures_in_wrappers_are_payoffs_by_reference_and_in_boxes() {
    let f = |x: &[f64]| {
        let Some(lattice) = Lattice::new(x[0], x[1], x[2], 14) else { return 0.0 };
        let strike = 5.013;
        let put = Early(move |price: f64| (strike - price).max(0.0));
        let legs = Legs(vec![(1, Box::new(Early(|price: f64| (price * price - 1.1).max(0.0))))]);
        lattice.value(&put) + lattice.value(&legs) + lattice.knocked_out()
    };
    closure(&[1.02, 0.31, 0.04], f);
    closure(&[0.87, 0.22, 0.01], f);
}

enum State {
    Idle { since: f64 },
    Moving { up: bool, speed: f64 },
    Doors { left: f64, floor: u8 },
    Broken(String),
}

struct Request {
    floor: u8,
    destination: u8,
    at: f64,
    weight: f32,
}

struct Car {
    number: u8,
    position: f64,
    state: State,
    stops: BTreeSet<u8>,
    riders: Vec<Request>,
    energy: f64,
}

impl Car {
    fn new(number: u8, position: f64, state: State) -> Car {
        Car { number, position, state, stops: BTreeSet::new(), riders: Vec::new(), energy: 0.5 }
    }

    fn target(&self) -> Option<u8> {
        let far = |floor: &u8| (f64::from(*floor) - self.position).abs();
        self.stops.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    fn advance(mut self, x: &[f64], now: f64) -> Car {
        let state = std::mem::replace(&mut self.state, State::Idle { since: now });
        let load: f64 = self.riders.iter().map(|rider| f64::from(rider.weight)).sum();
        self.state = match (state, self.target()) {
            (State::Broken(why), _) => State::Broken(why),
            (State::Idle { since }, None) => {
                self.energy += 0.01 * (now - since);
                State::Idle { since }
            }
            (State::Idle { .. }, Some(floor)) => State::Moving { up: f64::from(floor) > self.position, speed: 0.0 },
            (State::Moving { .. }, None) => State::Idle { since: now },
            (State::Moving { up, speed }, Some(floor)) => {
                let speed = (speed + 0.2 * x[0]).min(x[1]);
                self.position += if up { 0.2 * speed } else { -0.2 * speed };
                self.energy += 0.1 * speed * speed * (1.0 + load);
                let gap = (f64::from(floor) - self.position).abs();
                if gap < 0.35 { State::Doors { left: 0.45, floor } } else { State::Moving { up, speed } }
            }
            (State::Doors { left, floor }, _) if left > 0.2 => State::Doors { left: left - 0.2, floor },
            (State::Doors { floor, .. }, _) => {
                self.stops.remove(&floor);
                self.riders.retain(|rider| rider.destination != floor);
                State::Idle { since: now }
            }
        };
        self
    }
}

#[test]
fn the_row_that_an_iterator_finds_gets_sets_and_records() {
    let f = |x: &[f64]| {
        let mut cars: Vec<Car> =
            (0..2).map(|number| Car::new(number, f64::from(number) * x[2], State::Idle { since: 0.0 })).collect();
        cars.push(Car::new(9, 3.0, State::Broken("cable".to_string())));
        let request = |k: u8| Request {
            floor: (k * 3) % 7,
            destination: (k * 5 + 2) % 7,
            at: f64::from(k) * 0.9,
            weight: 0.5 + f32::from(k) * 0.25,
        };
        let mut pending: VecDeque<Request> = (0..4).map(request).collect();
        for step in 0..60 {
            let now = f64::from(step) * 0.2;
            while pending.front().is_some_and(|request| request.at <= now) {
                let Some(request) = pending.pop_front() else { break };
                let works = |car: &&mut Car| !matches!(car.state, State::Broken(_));
                let Some(car) = cars.iter_mut().filter(works).min_by_key(|c| (c.stops.len(), c.number)) else { break };
                car.stops.extend([request.floor, request.destination]);
                car.riders.push(request);
            }
            cars = cars.into_iter().map(|car| car.advance(x, now)).collect();
        }
        cars.iter().map(|car| car.energy + car.position * x[0]).sum()
    };
    closure(&[0.8, 1.1, 2.03], f);
    closure(&[1.7, 1.63, 3.3], f);
}

/// Rows that are gone through step by step, by whoever holds this.
struct Walk<'a> {
    rest: std::slice::IterMut<'a, Row>,
    steps: u32,
}

struct Row {
    name: String,
    weights: Vec<f64>,
    scale: f64,
    count: u32,
}

impl Row {
    fn new((i, v): (usize, &f64)) -> Row {
        Row { name: "ab".repeat(i), weights: vec![*v; i], scale: v * v, count: i as u32 }
    }

    fn grow(&mut self, by: f64) -> f64 {
        self.count += self.name.len() as u32;
        self.weights.push(self.scale * by);
        self.scale *= by + f64::from(self.count);
        self.name.push_str("xyz");
        self.weights.iter().sum::<f64>() * self.name.len() as f64
    }
}

impl Walk<'_> {
    fn step(&mut self, by: f64) -> Option<f64> {
        self.steps += 1;
        Some(self.rest.next()?.grow(by) * f64::from(self.steps))
    }
}

#[inline(never)]
fn walked(walk: &mut Walk, x: f64) -> f64 {
    let mut sum = 0.0;
    while let Some(found) = walk.step(x) {
        sum += found * x;
    }
    sum
}

#[inline(never)]
fn grown(rows: &mut Vec<Row>, x: f64) -> f64 {
    let sum = rows.iter_mut().map(|row| row.grow(x)).sum();
    if rows.len() < 6 {
        rows.push(Row::new((2, &x)));
    }
    sum
}

#[test]
fn rows_with_texts_and_vectors_grow_in_functions_that_stay_calls() {
    let f = |x: &[f64]| {
        let mut rows: Vec<Row> = x.iter().enumerate().map(Row::new).collect();
        let sum = grown(&mut rows, x[1]) + grown(&mut rows, x[2]);
        sum + rows.iter().map(|row| row.scale / f64::from(row.count + 1)).sum::<f64>()
    };
    closure(&[0.7, 1.2, -0.4], f);
}

#[test]
fn rows_are_changed_by_an_iterator_that_lies_in_a_record() {
    let f = |x: &[f64]| {
        let mut rows: Vec<Row> = x.iter().enumerate().map(Row::new).collect();
        let first = walked(&mut Walk { rest: rows[1..].iter_mut(), steps: 0 }, x[1]);
        let second = walked(&mut Walk { rest: rows.iter_mut(), steps: 2 }, x[2]);
        first + second + rows.iter().map(|row| row.scale / f64::from(row.count + 1)).sum::<f64>()
    };
    closure(&[0.7, 1.2, -0.4], f);
}

struct Diverged {
    after: u8,
    residual: f64,
}

struct Pair {
    re: f64,
    im: f64,
}

fn solved(x: &[f64], table: &HashMap<(u16, u16), f64>, unknowns: &[bool]) -> Result<Vec<Pair>, Diverged> {
    let start = |known: &bool| match known {
        true => [].as_slice(),
        false => &[0.25, 1.0],
    };
    let guess: Vec<f64> = unknowns.iter().flat_map(|known| start(known).to_vec()).collect();
    let rest = guess.iter().zip(x).map(|(g, v)| (g - v) * (g - v)).sum::<f64>();
    if rest > 2.0 {
        return Err(Diverged { after: 7, residual: rest });
    }
    let pair = |(i, known): (usize, &bool)| {
        let y = table.get(&(i as u16, 0)).copied().unwrap_or(0.5);
        if *known { Pair { re: x[0] * y, im: 0.0 } } else { Pair { re: x[1] * y, im: x[0] * x[1] } }
    };
    Ok(unknowns.iter().enumerate().map(pair).collect())
}

#[test]
fn an_error_with_a_byte_and_a_float_in_the_place_of_rows() {
    let f = |x: &[f64]| {
        let table = HashMap::from([((0, 0), x[2]), ((1, 0), 1.5)]);
        match solved(x, &table, &[true, false, false]) {
            Ok(pairs) => pairs.iter().map(|p| p.re * p.re + p.im).sum::<f64>() * 50.0,
            Err(Diverged { after, residual }) => f64::from(after) * x[0] + residual * residual,
        }
    };
    closure(&[0.6, 0.4, 1.0], f);
    closure(&[1.9, -1.8, 0.7], f);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Currency {
    Eur,
    Usd,
}

#[derive(Clone, Copy)]
struct Money {
    amount: f64,
    currency: Currency,
}

enum LedgerError {
    UnknownAccount(String),
    NoRate(Currency),
}

struct Posting {
    account: String,
    money: Money,
}

#[derive(Default)]
struct Ledger {
    balances: BTreeMap<String, f64>,
    rates: BTreeMap<Currency, f64>,
    log: Vec<String>,
}

impl Ledger {
    fn in_eur(&self, money: Money) -> Result<f64, LedgerError> {
        let rate = self.rates.get(&money.currency).ok_or(LedgerError::NoRate(money.currency))?;
        Ok(money.amount * rate)
    }

    fn post(&mut self, memo: &str, postings: &[Posting]) -> Result<f64, LedgerError> {
        let mut total = 0.0;
        for posting in postings {
            let value = self.in_eur(posting.money)?;
            let unknown = || LedgerError::UnknownAccount(posting.account.clone());
            let balance = self.balances.get_mut(&posting.account).ok_or_else(unknown)?;
            *balance += value;
            total += value;
        }
        self.log.push(memo.to_uppercase());
        Ok(total)
    }
}

fn posted(x: &[f64], has_rate: bool, account: &str) -> Result<f64, LedgerError> {
    let mut ledger = Ledger::default();
    for name in ["cash", "sales"] {
        ledger.balances.insert(name.to_string(), 0.5);
    }
    ledger.rates.insert(Currency::Eur, 1.0);
    if has_rate {
        ledger.rates.insert(Currency::Usd, x[1]);
    }
    let posting =
        |account: &str, amount, currency| Posting { account: account.to_owned(), money: Money { amount, currency } };
    let postings = [posting("cash", x[0], Currency::Usd), posting(account, -x[0] * 0.9, Currency::Eur)];
    let slack = ledger.post("sale", &postings)?;
    let equity = ledger.balances.iter().map(|(name, v)| if name.contains('l') { v * v } else { v.sin() }).sum::<f64>();
    Ok(equity + slack + ledger.log.iter().map(String::len).sum::<usize>() as f64)
}

#[test]
fn an_error_with_a_byte_in_the_place_of_a_float() {
    for (has_rate, account) in [(true, "sales"), (false, "sales"), (true, "rent")] {
        let f = |x: &[f64]| match posted(x, has_rate, account) {
            Ok(value) => value,
            Err(LedgerError::NoRate(currency)) => f64::from(currency as u8) * x[0] * x[1],
            Err(LedgerError::UnknownAccount(name)) => name.len() as f64 * x[1] * x[1],
        };
        closure(&[0.9, 1.2], f);
    }
}
