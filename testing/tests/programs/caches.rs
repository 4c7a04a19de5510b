//! Caches and searches: lists of entries by index that are replaced, results remembered by keys of two bytes, plans that are cloned on.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use testing::check::closure;

const NONE: usize = usize::MAX;

struct Entry<K, V> {
    key: K,
    value: V,
    before: usize,
    after: usize,
}

/// Values that were used last, in a list by indices.
struct Cache<K, V> {
    places: HashMap<K, usize>,
    entries: Vec<Entry<K, V>>,
    first: usize,
    last: usize,
    room: usize,
}

impl<K: Hash + Eq + Clone, V: Clone> Cache<K, V> {
    fn new(room: usize) -> Self {
        let (places, entries) = (HashMap::with_capacity(room), Vec::with_capacity(room));
        Cache { places, entries, first: NONE, last: NONE, room }
    }

    fn unlink(&mut self, at: usize) {
        let (before, after) = (self.entries[at].before, self.entries[at].after);
        *if before == NONE { &mut self.first } else { &mut self.entries[before].after } = after;
        *if after == NONE { &mut self.last } else { &mut self.entries[after].before } = before;
    }

    fn link(&mut self, at: usize) {
        self.entries[at].before = NONE;
        self.entries[at].after = self.first;
        *if self.first == NONE { &mut self.last } else { &mut self.entries[self.first].before } = at;
        self.first = at;
    }

    fn get_or(&mut self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some(&at) = self.places.get(&key) {
            return self.entries[at].value.clone();
        }
        let value = make();
        let entry = Entry { key: key.clone(), value: value.clone(), before: NONE, after: NONE };
        let at = if self.entries.len() < self.room {
            self.entries.push(entry);
            self.entries.len() - 1
        } else {
            let at = self.last;
            self.unlink(at);
            let old = std::mem::replace(&mut self.entries[at], entry);
            self.places.remove(&old.key);
            at
        };
        self.link(at);
        self.places.insert(key, at);
        value
    }
}

fn walked(i: u8, j: u8, x: &[f64], known: &mut HashMap<(u8, u8), f64>) -> f64 {
    if i == 0 && j == 0 {
        return x[0];
    }
    if let Some(&v) = known.get(&(i, j)) {
        return v;
    }
    let up = if i > 0 { x[1] * walked(i - 1, j, x, known) } else { 0.0 };
    let left = if j > 0 { x[2] * walked(i, j - 1, x, known) } else { 0.0 };
    known.insert((i, j), up + left);
    up + left
}

fn cached(x: &[f64]) -> f64 {
    let mut cache: Cache<String, f64> = Cache::new(3);
    let mut sum = 0.0;
    for k in [0usize, 1, 2, 0, 3, 1, 0, 4] {
        sum += cache.get_or(format!("term{k}"), || (x[k % x.len()] * (k + 1) as f64).sin());
    }
    sum + walked(3, 2, x, &mut HashMap::new())
}

#[test]
fn values_used_last_and_results_by_two_bytes() {
    closure(&[0.33, 0.81, 0.66, 0.45], cached);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Act {
    Wait,
    Buy(u8),
    Sell,
}

#[derive(Clone)]
struct Plan {
    cash: f64,
    stock: Option<f64>,
    past: VecDeque<(u8, f64)>,
    acts: Vec<Act>,
    entry: Option<(f64, u32)>,
    score: f64,
}

struct Market {
    prices: Vec<f64>,
    fee: f64,
}

impl Market {
    fn next<'a>(&'a self, plan: &'a Plan, t: usize) -> impl Iterator<Item = Plan> + 'a {
        [Act::Wait, Act::Buy(1), Act::Sell].into_iter().filter_map(move |act| self.apply(plan, act, t))
    }

    fn apply(&self, plan: &Plan, act: Act, t: usize) -> Option<Plan> {
        let price = self.prices[t];
        let mut plan = plan.clone();
        match act {
            Act::Wait => plan.cash *= 1.001,
            Act::Buy(n) if plan.stock.is_none() => {
                plan.cash -= price * f64::from(n) * (1.0 + self.fee);
                plan.stock = Some(f64::from(n));
                plan.entry = Some((price, t as u32));
            }
            Act::Sell => {
                let (n, (at, when)) = (plan.stock.take()?, plan.entry.take()?);
                plan.cash += n * price * (1.0 - self.fee);
                plan.score += (price - at) / (1.0 + t as f64 - f64::from(when));
            }
            Act::Buy(_) => return None,
        }
        plan.acts.push(act);
        plan.past.push_back((t as u8, plan.cash));
        if plan.past.len() > 2 {
            let (_, old) = plan.past.pop_front()?;
            plan.score -= 0.01 * old * old;
        }
        Some(plan)
    }
}

fn planned(x: &[f64]) -> f64 {
    let market = Market { prices: x.to_vec(), fee: 0.01 * x[0] };
    let begin = Plan { cash: 5.0, stock: None, past: VecDeque::new(), acts: vec![], entry: None, score: 0.0 };
    let mut plans = vec![begin];
    for t in 0..market.prices.len() {
        plans = plans.iter().flat_map(|plan| market.next(plan, t)).collect();
        plans.truncate(5);
    }
    let past = |plan: &Plan| plan.past.iter().map(|(t, cash)| f64::from(*t) * cash).sum::<f64>();
    plans.iter().map(|plan| plan.cash + plan.score + past(plan) + plan.acts.len() as f64).sum()
}

#[test]
fn plans_with_an_entry_and_a_past_are_cloned_on() {
    closure(&[1.3, 0.9, 1.6, 1.1], planned);
}
