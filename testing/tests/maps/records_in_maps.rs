//! Records of an `f32` beside numbers that are wider, in hash maps: a table that grows swaps its records byte by byte, and a clone copies them field by field.

use crate::functional;
use std::collections::HashMap;
use std::hash::Hash;

#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f32,
    count: usize,
}

impl Mean {
    fn value(self) -> f32 {
        self.sum / self.count as f32
    }
}

/// Means of values by key.
fn grouped<K: Hash + Eq + Ord + Copy>(values: impl Iterator<Item = (K, f32)>) -> Vec<(K, Mean)> {
    let mut means: HashMap<K, Mean> = HashMap::new();
    for (key, value) in values {
        let mean = means.entry(key).or_default();
        mean.sum += value;
        mean.count += 1;
    }
    let mut sorted: Vec<(K, Mean)> = means.into_iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    sorted
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Odd,
    Even,
}

/// An account in a book that is cloned.
#[derive(Clone, Default)]
struct Account {
    owner: String,
    balance: f32,
    moves: usize,
}

#[derive(Clone, Default)]
struct Book {
    accounts: HashMap<u32, Account>,
    earlier: Vec<HashMap<u32, Account>>,
}

impl Book {
    fn put(&mut self, number: u32, amount: f32) {
        self.earlier.push(self.accounts.clone());
        let account = self.accounts.entry(number).or_default();
        account.balance += amount;
        account.moves += 1;
    }

    fn undo(&mut self) {
        if let Some(accounts) = self.earlier.pop() {
            self.accounts = accounts;
        }
    }
}

functional! {
    fn means_are_kept_by_a_short_number(x: &[f32]) -> f32 {
        let mut means: HashMap<u32, Mean> = HashMap::new();
        for (i, key) in [1, 5, 1].iter().enumerate() {
            let mean = means.entry(*key).or_default();
            mean.sum += x[0] * x[1] + i as f32;
            mean.count += 1;
        }
        means[&1].value() * means[&5].value() * x[1]
    } at [0.4, 0.5];

    fn means_are_kept_by_a_long_number(x: &[f32]) -> f32 {
        let means = grouped(x.iter().enumerate().map(|(i, v)| (i as u64 % 2, v * v)));
        means[0].1.value() * means[1].1.value()
    } at [0.4, 0.5, 0.8];

    fn means_are_kept_by_a_name(x: &[f32]) -> f32 {
        let kind = |i: usize| if i % 2 == 0 { Kind::Even } else { Kind::Odd };
        let means = grouped(x.iter().enumerate().map(|(i, v)| (kind(i), v * v)));
        means[0].1.value() * means[1].1.value()
    } at [0.4, 0.5, 0.8];

    fn means_are_kept_by_a_pair(x: &[f32]) -> f32 {
        let means = grouped(x.iter().enumerate().map(|(i, v)| ((i as u32 % 2, 7u32), v * v)));
        means[0].1.value() * means[1].1.value()
    } at [0.4, 0.5, 0.8];

    fn floats_and_counts_are_in_a_table_that_grows(x: &[f32]) -> f32 {
        let mut table: HashMap<u32, (f32, usize)> = HashMap::new();
        for i in 0..60u32 {
            table.insert(i, (x[i as usize % 2] * 0.1, i as usize));
            if i % 3 == 0 {
                table.remove(&(i / 2));
            }
        }
        table.values_mut().for_each(|(value, count)| *value *= *count as f32 * 0.1);
        let copy = table.clone();
        copy[&59].0 * table[&40].0 * copy[&59].1 as f32 * 0.1
    } at [0.7, 0.5];

    fn a_book_of_names_floats_and_counts_is_cloned(x: &[f32]) -> f32 {
        let mut book = Book::default();
        for (number, owner) in [(1, "ann"), (2, "robert")] {
            book.accounts.insert(number, Account { owner: owner.to_owned(), ..Account::default() });
        }
        book.put(1, x[0] * x[1]);
        book.put(2, x[0]);
        book.put(1, x[1]);
        book.undo();
        let before = book.clone();
        book.put(2, x[0] * x[0]);
        let weigh = |account: &Account| account.balance * (account.owner.len() + account.moves) as f32;
        weigh(&before.accounts[&1]) * weigh(&book.accounts[&2]) * weigh(&before.accounts[&2])
    } at [0.4, 0.5];

    fn bits_in_a_wider_number_are_the_float_again(x: &[f32]) -> f32 {
        let mut table: HashMap<u32, (f32, usize)> = HashMap::new();
        for i in 0..20 {
            table.insert(i, (x[0] * i as f32, 3 * i as usize));
        }
        let (value, count) = table[&9];
        // The bits of a float as a wider number, within one expression.
        let wide = u64::from(value.to_bits()) << 32;
        f32::from_bits((wide >> 32) as u32) * x[1] * count as f32 * 0.1
    } at [0.4, 0.5];
}
