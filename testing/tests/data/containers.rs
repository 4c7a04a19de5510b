//! Collections of std whose memory holds more than a row of floats.

use crate::functional;
use std::collections::{BTreeMap, HashSet, LinkedList, VecDeque};

/// Records of different kinds, with floats at different places.
#[derive(Clone)]
enum Item {
    One(f64),
    Counted { value: f64, count: usize },
    None,
}

functional! {
    fn a_queue_that_is_pushed_and_popped_at_both_ends(x: &[f64]) -> f64 {
        let mut queue = VecDeque::new();
        for x in x {
            queue.push_back(x * x);
            if queue.len() > 3 {
                let first: f64 = queue.pop_front().unwrap();
                queue.push_front(first * x);
            }
        }
        queue.iter().enumerate().map(|(i, v)| v * i as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_vec_of_an_enum(x: &[f64]) -> f64 {
        let mut items = Vec::new();
        for (i, x) in x.iter().enumerate() {
            items.push(match i % 3 {
                0 => Item::One(*x),
                1 => Item::Counted { value: x * x, count: i },
                _ => Item::None,
            });
        }
        let value = |item: &Item| match item {
            Item::One(v) => v * 2.0,
            Item::Counted { value, count } => value * *count as f64,
            Item::None => 1.0,
        };
        items.iter().map(value).product()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_list_of_nodes(x: &[f64]) -> f64 {
        let mut list: LinkedList<f64> = x.iter().map(|x| x * x).collect();
        let first = list.pop_front().unwrap();
        list.iter().map(|v| v * first).sum()
    } at [0.4, 1.2, -0.3];

    fn a_part_drained(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let out: Vec<f64> = v.drain(1..3).collect();
        v.iter().map(|a| a * a).sum::<f64>() + out[0] * out[1]
    } at [0.4, 1.2, -0.3, 0.7];

    fn a_vec_extended(x: &[f64]) -> f64 {
        let mut v = vec![1.0, 2.0];
        v.extend(x.iter().map(|a| a * a));
        v.extend_from_slice(x);
        v.iter().enumerate().map(|(i, a)| a * i as f64).sum()
    } at [0.4, 1.2, -0.3];

    fn elements_removed_and_inserted(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let removed = v.remove(1);
        v.insert(2, removed * removed);
        v.retain(|a| *a > -1.0);
        v.swap(0, 2);
        v.reverse();
        v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_vec_with_capacity(x: &[f64]) -> f64 {
        let mut v = Vec::with_capacity(2 * x.len());
        for a in x {
            v.push(a * a);
            v.push(a.sin());
        }
        v.reserve(9);
        v.push(x[0]);
        v.shrink_to_fit();
        v.iter().product()
    } at [0.4, 1.2, -0.3];

    fn a_buffer_cleared_in_turn(x: &[f64]) -> f64 {
        let (mut b, mut s) = (Vec::new(), 0.0);
        for i in 0..4 {
            b.clear();
            b.extend(x.iter().map(|v| v * (i as f64 + s)));
            b.resize(7, x[1]);
            s += b.iter().map(|v| v.sin()).sum::<f64>();
        }
        s
    } at [0.4, 1.2, -0.3];

    fn a_vec_split_and_joined(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut w = v.split_off(2);
        w.append(&mut v);
        w.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn rows_swapped_and_concatenated(x: &[f64]) -> f64 {
        let mut rows = vec![vec![0.0; 3]; 4];
        for i in 0..4 {
            for j in 0..3 {
                rows[i][j] = x[(i + j) % 3] * x[j];
            }
        }
        rows.swap(0, 2);
        rows.concat().iter().enumerate().map(|(i, v)| v * i as f64).sum()
    } at [0.4, 1.2, -0.3];

    fn a_set_of_integers_beside(x: &[f64]) -> f64 {
        let mut seen = HashSet::new();
        x.iter().enumerate().filter(|(i, _)| seen.insert(i % 3)).map(|(_, x)| x * x).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn texts_beside(x: &[f64]) -> f64 {
        let mut text = if x[0] > 0.0 { "positive".to_string() } else { String::from("negative") };
        text.push_str(&format!(" of {}", x.len()));
        match text.as_str() {
            "positive of 3" => x[1] * x[2] * text.len() as f64,
            _ => x[0],
        }
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, 0.5];
}

/// Keys that come out of memory which the function is given, as wide as a float.
fn by_keys(keys: &[usize], x: &[f64]) -> BTreeMap<usize, f64> {
    let mut sums = BTreeMap::new();
    for (v, key) in x.iter().zip(keys) {
        *sums.entry(*key).or_insert(0.0) += v * v;
    }
    sums
}

functional! {
    fn sums_by_captured_keys(x: &[f64]) -> f64 {
        let keys = std::hint::black_box([3, 1, 2, 1, 7, 3, 8, 9, 4, 5, 6, 3, 2, 10, 11]);
        let many: Vec<f64> = (0..5).flat_map(|i| x.iter().map(move |v| v * f64::from(i + 1))).collect();
        by_keys(&keys, &many).values().map(|v| v.sin()).sum()
    } at [0.4, 1.2, -0.3];

    fn groups_by_captured_keys(x: &[f64]) -> f64 {
        let keys = std::hint::black_box([3usize, 1, 2, 1]);
        let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (v, key) in x.iter().zip(&keys) {
            groups.entry(*key).or_default().push(v * v);
        }
        groups.values().map(|group| group.iter().product::<f64>()).sum()
    } at [0.4, 1.2, -0.3, 0.9];
}
