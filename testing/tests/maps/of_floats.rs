//! Maps, and other memory in which floats, numbers and pointers lie at places that nothing tells apart: what is moved there is moved in
//! the shadow too.

use crate::{assert_close, functional};
use cotangent::{autodiff, zeroed};
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::rc::Rc;
use testing::refusal;

trait Layer {
    fn through(&self, x: f64) -> f64;
}
struct Scale(f64);
struct Wave(f64, f64);
impl Layer for Scale {
    fn through(&self, x: f64) -> f64 {
        x * self.0
    }
}
impl Layer for Wave {
    fn through(&self, x: f64) -> f64 {
        (x * self.0).sin() + self.1
    }
}

/// Up to three floats in place, more on the heap, in the same bytes.
union Storage {
    inline: [f64; 3],
    heap: *mut f64,
}
struct Small {
    length: usize,
    storage: Storage,
}

impl Small {
    fn of(values: &[f64]) -> Small {
        let mut all = Small { length: 0, storage: Storage { inline: [0.0; 3] } };
        for value in values {
            all.push(*value);
        }
        all
    }
    fn push(&mut self, value: f64) {
        if self.length == 3 {
            // SAFETY: so far the values are in place.
            let mut grown = Vec::from(unsafe { self.storage.inline });
            grown.resize(16, 0.0);
            self.storage.heap = Box::leak(grown.into_boxed_slice()).as_mut_ptr();
        }
        // SAFETY: the length says where the values are; nobody has more than sixteen.
        unsafe {
            if self.length < 3 {
                self.storage.inline[self.length] = value;
            } else {
                *self.storage.heap.add(self.length) = value;
            }
        }
        self.length += 1;
    }
    fn values(&self) -> &[f64] {
        // SAFETY: as above.
        unsafe {
            let first = if self.length <= 3 { self.storage.inline.as_ptr() } else { self.storage.heap };
            std::slice::from_raw_parts(first, self.length)
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        if self.length > 3 {
            // SAFETY: this is the slice that was leaked.
            unsafe { drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.storage.heap, 16))) }
        }
    }
}

/// Bytes that are a float at one time and a number, itself a float of some size, at another.
#[derive(Clone, Copy)]
enum Either {
    Float(f64),
    Bits(u64),
}

impl Either {
    /// A number whose bits are those of a float of size two.
    fn two(i: usize) -> Either {
        Either::Bits(black_box(0x4000_0000_0000_0000 + i as u64))
    }
    fn value(&self) -> f64 {
        match self {
            Either::Float(x) => x.sin(),
            Either::Bits(bits) => (bits & 7) as f64,
        }
    }
}

#[inline(never)]
fn make_number(place: &mut Either, i: usize) {
    *place = Either::two(i);
}

#[inline(never)]
fn make_float(place: &mut Either, x: f64) {
    *place = Either::Float(x * x);
}

fn sum(all: &[Either]) -> f64 {
    all.iter().map(Either::value).sum()
}

/// A record that is moved as a whole, with floats and a number.
#[derive(Clone, Copy)]
struct Sample {
    at: f64,
    value: f64,
    count: u32,
}

fn samples(x: &[f64], i: u32) -> Vec<Sample> {
    x.iter().map(|x| Sample { at: x * x, value: x.sin() + f64::from(i), count: i + 1 }).collect()
}

fn weigh(all: Vec<Sample>) -> f64 {
    all.into_iter().map(|s| s.value * s.at * f64::from(s.count)).sum()
}

#[inline(never)]
fn remembered(n: u32, k: u32, x: &[f64], known: &mut HashMap<(u32, u32), f64>) -> f64 {
    if k == 0 || k == n {
        return x[0];
    }
    if let Some(value) = known.get(&(n, k)) {
        return *value;
    }
    let value = remembered(n - 1, k - 1, x, known) * x[1] + remembered(n - 1, k, x, known);
    known.insert((n, k), value);
    value
}

struct Remembered<'a> {
    x: &'a [f64],
    seen: BTreeMap<usize, f64>,
}

fn recalled(all: &mut Remembered, n: usize) -> f64 {
    if n < 2 {
        return all.x[n];
    }
    if let Some(known) = all.seen.get(&n) {
        return *known;
    }
    let value = recalled(all, n - 1) * 0.5 + recalled(all, n - 2) * all.x[0];
    all.seen.insert(n, value);
    value
}

functional! {
    fn vectors_are_inserted_into_a_tree_out_of_order(x: &[f64]) -> f64 {
        let mut book: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        book.insert(3, x.to_vec());
        book.insert(1, x[1..].to_vec());
        book.insert(2, vec![x[0] * x[1]]);
        book.values().map(|curve| curve[0] * 2.3).sum::<f64>() * book[&1][0]
    } at [0.4, 0.9];

    fn names_are_collected_into_a_tree(x: &[f64]) -> f64 {
        let all: BTreeMap<&str, f64> = ["b", "a"].iter().copied().zip(x.iter().copied()).collect();
        all.iter().enumerate().map(|(i, (name, v))| v * (i + name.len()) as f64).sum::<f64>() * all["a"]
    } at [0.4, 0.9];

    fn words_of_a_text_name_vectors(x: &[f64]) -> f64 {
        let text = String::from("a b a c b a");
        let mut all: HashMap<&str, Vec<f64>> = HashMap::new();
        for (i, word) in text.split(' ').enumerate() {
            all.entry(word).or_default().push(x[i % x.len()] * (i + 1) as f64);
        }
        all["a"].iter().product::<f64>() + all["b"].iter().sum::<f64>() * all["c"][0]
    } at [0.4, 0.9];

    fn a_map_of_names_becomes_a_sorted_vector(x: &[f64]) -> f64 {
        let named = x.iter().enumerate().map(|(i, v)| (format!("k{i}"), v * v));
        let mut all: Vec<(String, f64)> = named.collect::<HashMap<String, f64>>().into_iter().collect();
        all.sort_by(|a, b| b.0.cmp(&a.0));
        all.iter().enumerate().map(|(i, (_, v))| v * i as f64).sum()
    } at [0.4, 0.9, 0.7];

    fn floats_and_numbers_share_a_tree(x: &[f64]) -> f64 {
        let mut all: BTreeMap<u32, Result<f64, u32>> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            all.insert(7 - i as u32, if i == 1 { Err(3) } else { Ok(v * v) });
        }
        let value = |(i, entry): (usize, &Result<f64, u32>)| match entry {
            Ok(v) => v * i as f64,
            Err(n) => f64::from(*n) * x[0],
        };
        all.values().enumerate().map(value).sum()
    } at [0.4, 0.9, 0.7];

    fn what_a_recursion_remembers_lies_beside_the_inputs(x: &[f64]) -> f64 {
        recalled(&mut Remembered { x, seen: BTreeMap::new() }, 9)
    } at [0.4, 0.9];

    fn closures_that_own_vectors_are_inserted_into_a_tree(x: &[f64]) -> f64 {
        let mut book: BTreeMap<u32, Box<dyn Fn(f64) -> f64>> = BTreeMap::new();
        let (a, b) = (x.to_vec(), vec![x[1]]);
        book.insert(3, Box::new(move |t| t * a[0]));
        book.insert(1, Box::new(move |t| t * t * b[0]));
        book.values().map(|curve| curve(2.3)).sum()
    } at [0.4, 0.9];

    fn a_tree_of_floats_that_is_filled_and_looked_up(x: &[f64]) -> f64 {
        let mut map = BTreeMap::new();
        for (i, x) in x.iter().enumerate() {
            map.insert(i * 7 % 5, x * x);
        }
        let weighted: f64 = map.iter().map(|(k, v)| *k as f64 * v).sum();
        weighted + map[&0] * map.get(&1).copied().unwrap_or(0.0) * map.get(&9).copied().unwrap_or(2.0)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn entries_of_a_tree_that_are_multiplied_and_removed(x: &[f64]) -> f64 {
        let mut map: BTreeMap<usize, f64> = BTreeMap::new();
        for (i, x) in x.iter().enumerate() {
            *map.entry(i % 3).or_insert(1.5) *= x;
        }
        map.values_mut().for_each(|v| *v = v.sin());
        let removed = map.remove(&1).unwrap_or(0.0);
        map.values().sum::<f64>() * removed
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_tree_of_several_nodes(x: &[f64]) -> f64 {
        let mut map: BTreeMap<u32, f64> = BTreeMap::new();
        for i in 0..40u32 {
            map.insert(i * 17 % 41, x[i as usize % x.len()] * f64::from(i));
        }
        map.remove(&7);
        map.range(3..30).map(|(k, v)| v * v * f64::from(*k)).sum::<f64>() / 1000.0
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_table_of_floats_that_is_filled_and_looked_up(x: &[f64]) -> f64 {
        let mut map = HashMap::new();
        for (i, x) in x.iter().enumerate() {
            map.insert(i, x * x);
        }
        map[&0] * map.get(&1).copied().unwrap_or(0.0) + map[&3] * map.get(&77).copied().unwrap_or(2.0)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn entries_of_a_table_that_are_multiplied_and_removed(x: &[f64]) -> f64 {
        let mut map: HashMap<u32, f64> = HashMap::new();
        for (i, x) in (0..).zip(x) {
            *map.entry(i % 3).or_insert(1.5) *= x;
        }
        map.values_mut().for_each(|v| *v = v.sin());
        let removed = map.remove(&1).unwrap_or(0.0);
        map.iter().map(|(k, v)| v * f64::from(k + 1)).sum::<f64>() * removed
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn records_taken_out_of_a_tree_of_vectors(x: &[f64]) -> f64 {
        let mut map: BTreeMap<u32, Vec<Sample>> = (0..3).map(|i| (i, samples(x, i))).collect();
        let removed = map.remove(&1).map_or(0.0, weigh);
        map.insert(7, samples(&x[1..], 5));
        removed * map.into_iter().map(|(k, v)| f64::from(k + 1) * weigh(v)).sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn records_taken_out_of_a_table_of_vectors(x: &[f64]) -> f64 {
        let mut map: HashMap<u32, Vec<Sample>> = (0..3).map(|i| (i, samples(x, i))).collect();
        let removed = map.remove(&1).map_or(0.0, weigh);
        map.insert(7, samples(&x[1..], 5));
        removed * map.into_iter().map(|(k, v)| f64::from(k + 1) * weigh(v)).sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_float_that_becomes_a_number(x: &[f64]) -> f64 {
        let mut all: Vec<Either> = x.iter().map(|x| Either::Float(*x)).collect();
        let before = sum(&all);
        for i in (0..all.len()).step_by(2) {
            all[i] = Either::two(i);
        }
        before * sum(&all)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_number_that_becomes_a_float(x: &[f64]) -> f64 {
        let mut all: Vec<Either> = (0..x.len()).map(Either::two).collect();
        let before = sum(&all);
        for i in (0..all.len()).step_by(2) {
            all[i] = Either::Float(x[i]);
        }
        before * sum(&all)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn one_that_becomes_the_other_in_functions_of_their_own(x: &[f64]) -> f64 {
        let mut all: Vec<Either> = x.iter().map(|x| Either::Float(*x)).collect();
        let first = sum(&all);
        for i in (0..all.len()).step_by(2) {
            make_number(&mut all[i], i);
        }
        let second = sum(&all);
        for i in (0..all.len()).step_by(3) {
            make_float(&mut all[i], x[i]);
        }
        first + second * sum(&all)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn one_and_the_other_change_places(x: &[f64]) -> f64 {
        let mut all: Vec<Either> = (0..6).map(|i| if i % 2 == 0 { Either::two(i) } else { Either::Float(x[i / 2]) }).collect();
        let before = sum(&all);
        all.swap(0, 1);
        all.rotate_left(2);
        all[3..].reverse();
        let kept: Vec<Either> = all.iter().filter(|e| matches!(e, Either::Float(_))).copied().collect();
        all[0] = Either::Float(x[0] * x[1]);
        before * kept.iter().enumerate().map(|(i, e)| e.value() * (i + 1) as f64).sum::<f64>() + sum(&all)
    } at [0.4, 1.2, -0.3];

    fn a_shared_trait_object_of_one_type_or_another(x: &[f64]) -> f64 {
        let layer: Rc<dyn Layer> = if x[0] > 0.0 { Rc::new(Scale(x[0])) } else { Rc::new(Wave(x[1], x[2])) };
        let other = Rc::clone(&layer);
        layer.through(x[1]) * other.through(x[2])
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn values_in_place_or_on_the_heap(x: &[f64]) -> f64 {
        let (few, many) = (Small::of(&x[..2]), Small::of(x));
        let value = |all: &Small| all.values().iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum::<f64>();
        value(&few) * value(&many)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn vectors_in_a_tree_by_name(x: &[f64]) -> f64 {
        let mut map: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (i, x) in x.iter().enumerate() {
            map.entry(if i % 2 == 0 { "even" } else { "odd" }).or_default().push(x * x);
        }
        map["even"].iter().product::<f64>() + map["odd"].iter().sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn vectors_in_a_large_tree_that_are_taken_out(x: &[f64]) -> f64 {
        let mut map: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for i in 0..30 {
            map.entry(i * 7 % 23).or_default().push(x[i as usize % x.len()] * f64::from(i).sin());
        }
        map.into_values().map(|v| v.into_iter().sum::<f64>()).fold(0.0, |sum, v| (sum + v).sin())
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn vectors_in_a_table_beside_counts(x: &[f64]) -> f64 {
        let mut map: HashMap<u32, (usize, Vec<f64>)> = HashMap::new();
        for (i, x) in (0..).zip(x) {
            let (count, values) = map.entry(i % 3).or_insert((1, vec![]));
            *count += 1;
            values.push(x * *count as f64);
        }
        let mut keys: Vec<u32> = map.keys().copied().collect();
        keys.sort_unstable();
        keys.iter().map(|k| map[k].1.iter().product::<f64>() * map[k].0 as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_recursion_that_remembers_in_a_table(x: &[f64]) -> f64 {
        remembered(8, 4, x, &mut HashMap::new())
    } at [0.4, 1.2, -0.3];

    fn a_tree_with_names_as_keys_is_filled(x: &[f64]) -> f64 {
        let mut map: BTreeMap<String, f64> = BTreeMap::new();
        for (i, x) in x.iter().enumerate() {
            *map.entry(format!("key {}", i % 2)).or_insert(0.0) += x * x;
        }
        map.insert("other".to_string(), x[0] * x[1]);
        map["key 1"] * map["other"] + map.values().map(|v| v.sin()).sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn trees_in_a_tree(x: &[f64]) -> f64 {
        let mut map: BTreeMap<u32, BTreeMap<u32, f64>> = BTreeMap::new();
        for (i, x) in (0..).zip(x) {
            *map.entry(i % 2).or_default().entry(i % 3).or_insert(0.5) *= x;
        }
        map.values().map(|inner| inner.values().sum::<f64>().sin()).product()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];
}

#[autodiff(wave_of_tree, Reverse, Duplicated, Const, Active)]
fn wave_by_a_tree(parameters: &BTreeMap<String, f64>, times: &[f64]) -> f64 {
    times.iter().map(|t| parameters["height"] * (parameters["speed"] * t).sin()).sum()
}

#[autodiff(wave_of_table, Reverse, Duplicated, Const, Active)]
fn wave_by_a_table(parameters: &HashMap<String, f64>, times: &[f64]) -> f64 {
    times.iter().map(|t| parameters["height"] * (parameters["speed"] * t).sin()).sum()
}

#[test]
fn parameters_that_are_looked_up_by_name() {
    let (times, height, speed) = ([0.3, 0.7_f64], 1.5, 2.0_f64);
    let sines: f64 = times.iter().map(|t| (speed * t).sin()).sum();
    let slope: f64 = times.iter().map(|t| height * t * (speed * t).cos()).sum();
    let named = [("height".to_string(), height), ("speed".to_string(), speed)];

    let tree = BTreeMap::from(named.clone());
    let mut shadow = zeroed(&tree);
    assert_close!(wave_of_tree(&tree, &mut shadow, &times, 1.0), height * sines);
    assert_close!([shadow["height"], shadow["speed"]], [sines, slope]);

    let table = HashMap::from(named);
    let mut shadow = zeroed(&table);
    assert_close!(wave_of_table(&table, &mut shadow, &times, 1.0), height * sines);
    assert_close!([shadow["height"], shadow["speed"]], [sines, slope]);
}

#[autodiff(product_of_table, Reverse, Duplicated, Active)]
fn product_by_a_table(values: &HashMap<u32, f64>) -> f64 {
    values[&1] * values[&2]
}

#[autodiff(product_of_tree, Reverse, Duplicated, Active)]
fn product_by_a_tree(values: &BTreeMap<u32, f64>) -> f64 {
    values[&1] * values[&2]
}

/// Tables of equal entries have them in places that depend on the hasher, trees on the order in which they were filled.
#[test]
fn a_map_as_a_shadow_has_its_entries_where_the_primal_has_them_or_is_refused() {
    let entries: Vec<(u32, f64)> = (0..40).map(|k| (k, f64::from(k) + 0.5)).collect();
    let table: HashMap<u32, f64> = entries.iter().copied().collect();
    let mut shadow = zeroed(&table);
    assert_close!(product_of_table(&table, &mut shadow, 1.0), 3.75);
    assert_close!([shadow[&1], shadow[&2], shadow[&3]], [2.5, 1.5, 0.0]);
    let mut other: HashMap<u32, f64> = entries.iter().map(|(key, _)| (*key, 0.0)).collect();
    let message = refusal(|| product_of_table(&table, &mut other, 1.0));
    assert!(message.contains("`values`") && message.contains("zeroed"), "{message}");
    assert!(other.values().all(|value| *value == 0.0));
    // A table that is full makes room before it looks whether the key is there.
    let full: HashMap<u32, f64> = entries[..28].iter().copied().collect();
    assert_eq!(full.len(), full.capacity());
    let mut other = zeroed(&full);
    other.insert(3, 0.0);
    let message = refusal(|| product_of_table(&full, &mut other, 1.0));
    assert!(message.contains("change its values with `get_mut`"), "{message}");

    let tree: BTreeMap<u32, f64> = entries.iter().copied().collect();
    let mut shadow = zeroed(&tree);
    assert_close!(product_of_tree(&tree, &mut shadow, 1.0), 3.75);
    assert_close!([shadow[&1], shadow[&2], shadow[&3]], [2.5, 1.5, 0.0]);
    // Filled from behind, so that its nodes are others.
    let mut other = BTreeMap::new();
    other.extend(entries.iter().rev().map(|(key, _)| (*key, 0.0)));
    let message = refusal(|| product_of_tree(&tree, &mut other, 1.0));
    assert!(message.contains("`values`") && message.contains("zeroed"), "{message}");
    let mut other = shadow.clone();
    other.remove(&39);
    other.insert(40, 0.0);
    assert!(refusal(|| product_of_tree(&tree, &mut other, 1.0)).contains("other keys"));
}

/// Keys that are cloned lead nowhere, so the copy is memory of the function's own.
#[test]
fn a_copy_of_the_users_map_takes_more() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(map: &BTreeMap<u64, f64>) -> f64 {
        let mut copy = map.clone();
        let first = map.values().next().copied().unwrap_or(0.0);
        for key in 20..40 {
            *copy.entry(key * 7 % 40).or_insert(0.1) += first * key as f64;
        }
        copy.iter().map(|(key, v)| *key as f64 * v.sin()).sum()
    }
    let map: BTreeMap<u64, f64> = (0..9).map(|key| (key * 5, 0.2 + 0.05 * key as f64)).collect();
    let at = |key: u64, h: f64| {
        let mut map = map.clone();
        *map.get_mut(&key).expect("a key") += h;
        primal(&map)
    };
    let mut shadow = zeroed(&map);
    reverse(&map, &mut shadow, 1.0);
    for key in map.keys().copied() {
        let h = 1e-5;
        let expected = (at(key, h) - at(key, -h)) / (2.0 * h);
        assert!((shadow[&key] - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{key}: {} {expected}", shadow[&key]);
        let mut tangent = zeroed(&map);
        tangent.insert(key, 1.0);
        assert_close!(forward(&map, &tangent).1, shadow[&key]);
    }
}
