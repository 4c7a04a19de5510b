//! Sorted maps of `f32`: nodes are split and joined, and what lies in them is moved by std without being looked at, two floats, a float and a key, or a pointer in
//! one word.

use crate::{assert_close, functional};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Default)]
struct Stats {
    sum: f32,
    count: u32,
}

#[derive(Clone, Copy)]
enum Entry {
    Price(f32),
    Lots(i32),
    Pair(f32, f32),
}

#[derive(Clone)]
struct Account {
    owner: String,
    balance: f32,
    moves: u16,
}

#[inline(never)]
fn moved(from: &mut BTreeMap<u32, f32>, to: &mut BTreeMap<u32, f32>, at: u32) {
    let mut above = from.split_off(&at);
    to.append(&mut above);
}

fn inputs() -> Vec<f32> {
    (0..24).map(|i| 0.25 + 0.125 * i as f32).collect()
}

#[test]
fn sums_by_key() {
    fn f(x: &[f32]) -> f32 {
        let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            *sums.entry((i as u64 * 7) % 5).or_insert(0.0) += v * v;
        }
        sums.iter().map(|(key, sum)| *key as f32 * sum).sum()
    }
    let x = inputs();
    let expected: Vec<f32> = x.iter().enumerate().map(|(i, v)| 2.0 * v * ((i * 7) % 5) as f32).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}

#[test]
fn some_are_removed_and_a_range_is_read() {
    fn f(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            map.insert((i as u64 * 7) % 64, v * v);
        }
        map.remove(&7);
        map.range(3..40).map(|(key, v)| *key as f32 * v).sum()
    }
    let x = inputs();
    let weight = |key: usize| if key == 7 || !(3..40).contains(&key) { 0.0 } else { key as f32 };
    let expected: Vec<f32> = x.iter().enumerate().map(|(i, v)| 2.0 * v * weight((i * 7) % 64)).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}

#[test]
fn narrow_sums_of_wide_inputs() {
    fn f(x: &[f64]) -> f64 {
        let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            *sums.entry((i as u64 * 7) % 5).or_insert(0.0) += (v * v) as f32;
        }
        sums.iter().map(|(key, sum)| *key as f64 * f64::from(*sum)).sum()
    }
    let x: Vec<f64> = inputs().into_iter().map(f64::from).collect();
    let expected: Vec<f64> = x.iter().enumerate().map(|(i, v)| 2.0 * v * ((i * 7) % 5) as f64).collect();
    assert_close!(cotangent::gradient(f, &x), expected);
}

functional! {
    fn inserted_and_looked_up(x: &[f32]) -> f32 {
        let mut map = BTreeMap::new();
        for k in 0u32..20 {
            map.insert(k * 7 % 20, x[0] * k as f32);
        }
        map[&7] * map[&12] * x[1] + x[2]
    }
    at [0.4, 0.5, 1.5];

    fn looked_up_by_four_bytes(x: &[f32]) -> f32 {
        let mut map: BTreeMap<[u8; 4], f32> = BTreeMap::new();
        for k in 0..20u8 {
            map.insert([k, 1, k * 7 % 20, 3], x[0] * f32::from(k));
        }
        map[&[7, 1, 9, 3]] * map[&[12, 1, 4, 3]] * x[1] + x[2]
    }
    at [0.4, 0.5, 1.5];

    fn ranges_by_signed_keys(x: &[f32]) -> f32 {
        let mut map: BTreeMap<i32, f32> = BTreeMap::new();
        for i in 0..15i32 {
            map.insert(i * 7 % 15 - 4, x[0] * i as f32 * 0.1 + x[1]);
        }
        let low = map.range(..=2).next_back().map_or(0.0, |(_, v)| *v);
        let high = map.range(3..).next().map_or(0.0, |(_, v)| *v);
        let first = map.pop_first().map_or(0.0, |(_, v)| v);
        low * high + first * first * x[2]
    }
    at [0.4, 0.5, 1.5];

    fn means_by_group(x: &[f32]) -> f32 {
        let mut groups: BTreeMap<u32, Stats> = BTreeMap::new();
        for (i, v) in x.iter().chain(x).enumerate() {
            let stats = groups.entry(i as u32 % 4).or_default();
            stats.sum += v * v + i as f32 * 0.1;
            stats.count += 1;
        }
        groups.values().map(|stats| (stats.sum / stats.count as f32).powi(2)).sum()
    }
    at [0.4, 0.5, 1.5];

    fn pairs_with_a_wide_count(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u32, (f32, usize)> = BTreeMap::new();
        for i in 0..6u32 {
            let entry = map.entry(i % 3).or_insert((0.0, 0));
            entry.0 += x[0] * x[1] + i as f32 * x[2];
            entry.1 += 1;
        }
        map.values().map(|(sum, count)| (sum / *count as f32).powi(2)).sum()
    }
    at [0.4, 0.5, 1.5];

    fn rows_by_group(x: &[f32]) -> f32 {
        let mut groups: BTreeMap<u32, Vec<f32>> = BTreeMap::new();
        for i in 0..8 {
            groups.entry(i / 2).or_default().push(x[0] * i as f32 * x[1]);
        }
        groups.retain(|key, _| *key != 1);
        groups.values().flatten().map(|v| v * v * x[2]).sum()
    }
    at [0.4, 0.5, 1.5];

    fn pairs_of_floats(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u32, [f32; 2]> = BTreeMap::new();
        for i in 0..14 {
            map.insert(i * 7 % 13, [x[0] * i as f32 * 0.1, x[1] * x[2]]);
        }
        map.remove(&7);
        map.values().map(|[a, b]| a * b + b * b).sum()
    }
    at [0.4, 0.5, 1.5];

    fn sums_by_name(x: &[f32]) -> f32 {
        let mut map: BTreeMap<String, f32> = BTreeMap::new();
        for (i, v) in x.iter().chain(x).enumerate() {
            *map.entry(format!("name {}", i % 4)).or_insert(1.0) *= v * v;
        }
        map.iter().map(|(name, v)| name.len() as f32 * v).sum()
    }
    at [0.4, 0.5, 1.5];

    fn parts_are_split_off_and_appended(x: &[f32]) -> f32 {
        let mut low: BTreeMap<u32, f32> = (0..16u32).map(|k| (k, x[k as usize % 3] * k as f32 * 0.1)).collect();
        let mut high: BTreeMap<u32, f32> = (20..40u32).map(|k| (k, x[k as usize % 2])).collect();
        moved(&mut low, &mut high, 9);
        let keys: Vec<u32> = high.keys().copied().filter(|k| k % 3 == 0).collect();
        let chosen: f32 = keys.iter().filter_map(|k| high.get(k)).map(|v| v * v).sum();
        chosen + low.values().product::<f32>() + low.into_values().map(|v| v * v).sum::<f32>()
    }
    at [0.4, 0.5, 1.5];

    fn variants_by_key(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u32, Entry> = BTreeMap::new();
        for i in 0..15u32 {
            let entry = match i % 3 {
                0 => Entry::Price(x[0] * i as f32 * 0.1),
                1 => Entry::Lots(i as i32),
                _ => Entry::Pair(x[1], x[2] * x[2]),
            };
            map.insert(i * 7 % 15, entry);
        }
        map.remove(&3);
        let value = |entry: &Entry| match *entry {
            Entry::Price(price) => price * price,
            Entry::Lots(lots) => lots as f32 * 0.1,
            Entry::Pair(a, b) => a * b,
        };
        map.iter().map(|(key, entry)| value(entry) * (key + 1) as f32).sum()
    }
    at [0.4, 0.5, 1.5];

    fn some_or_nothing_by_key(x: &[f32]) -> f32 {
        let mut map: BTreeMap<u16, Option<f32>> = BTreeMap::new();
        for i in 0..15u16 {
            map.insert(i * 7 % 15, (i % 4 != 0).then(|| x[usize::from(i) % 3] * f32::from(i) * 0.1));
        }
        map.values_mut().flatten().for_each(|v| *v *= *v);
        map.iter().filter_map(|(key, v)| v.map(|v| v * f32::from(*key))).sum()
    }
    at [0.4, 0.5, 1.5];

    fn accounts_by_number(x: &[f32]) -> f32 {
        let mut accounts: BTreeMap<u32, Account> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            accounts.insert(40 - i as u32, Account { owner: format!("owner {i}"), balance: v * v, moves: 0 });
        }
        for i in 0..9u32 {
            if let Some(account) = accounts.get_mut(&(38 + i % 3)) {
                account.balance *= 1.0 + 0.1 * x[i as usize % 3];
                account.moves += 1;
            }
        }
        let copies: Vec<Account> = accounts.values().cloned().collect();
        copies.iter().map(|a| a.balance * (f32::from(a.moves) + a.owner.len() as f32)).sum()
    }
    at [0.4, 0.5, 1.5];
}

/// A map of the user's with a shadow that holds something already.
#[test]
fn the_users_own_map_is_read() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(map: &BTreeMap<u32, f32>) -> f32 {
        map.iter().map(|(key, v)| *key as f32 * v * v).sum()
    }
    let map: BTreeMap<u32, f32> = (0..30u32).map(|k| (k * 11 % 31, 0.1 * k as f32)).collect();
    let mut shadow = map.clone();
    shadow.values_mut().for_each(|v| *v = 0.5);
    reverse(&map, &mut shadow, 1.0);
    let expected: Vec<f32> = map.iter().map(|(key, v)| 0.5 + 2.0 * *key as f32 * v).collect();
    assert_close!(shadow.values().copied().collect::<Vec<f32>>(), expected);
    assert!(shadow.keys().eq(map.keys()));
}

/// And a copy of it takes more.
#[test]
fn a_copy_of_the_users_map_takes_more() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(map: &BTreeMap<u32, f32>) -> f32 {
        let mut copy = map.clone();
        for key in 0..12 {
            *copy.entry(key * 5).or_insert(0.5) *= 1.0 + key as f32;
        }
        copy.values().map(|v| v * v).sum()
    }
    let map: BTreeMap<u32, f32> = (0..9u32).map(|key| (key * 7, 0.2 + 0.05 * key as f32)).collect();
    let mut shadow = cotangent::zeroed(&map);
    reverse(&map, &mut shadow, 1.0);
    let factor = |key: u32| if key % 5 == 0 && key < 60 { 1.0 + (key / 5) as f32 } else { 1.0 };
    let expected: Vec<f32> = map.iter().map(|(key, v)| 2.0 * v * factor(*key).powi(2)).collect();
    assert_close!(shadow.values().copied().collect::<Vec<f32>>(), expected);
}
