//! Floats that the compiler moves as integers, and records that are moved as a whole.

use crate::functional;
use std::collections::VecDeque;

#[derive(Clone, Copy)]
struct Item {
    value: f64,
    count: u32,
    weight: f32,
}

#[derive(Clone, Copy)]
enum Form {
    One(f64),
    Two(f64, f64),
    Count(u64),
}

functional! {
    fn numbers_that_are_swapped(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.swap(0, 2);
        v.reverse();
        v.rotate_left(1);
        v[0] * v[1] + v[2].sin()
    } at [0.4, 1.2, -0.3];

    fn numbers_that_are_sorted(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.sort_by(|a, b| a.total_cmp(b));
        v.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v * v).sum()
    } at [0.4, 1.2, -0.3, 0.7, -2.0];

    fn a_sort_by_hand_with_a_total_order(x: &[f64]) -> f64 {
        let mut v = [x[0], x[1], x[2], x[3]];
        for i in 0..4 {
            for j in 0..3 - i {
                if v[j].total_cmp(&v[j + 1]).is_gt() {
                    v.swap(j, j + 1);
                }
            }
        }
        v[0] * 3.0 + v[1] * v[2] + v[3].exp()
    } at [0.4, 1.2, -0.3, 0.7];

    fn the_median_by_selection(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (_, median, _) = v.select_nth_unstable_by(1, |a, b| a.total_cmp(b));
        *median * x[0]
    } at [0.4, 1.2, -0.3];

    fn pairs_that_are_passed_and_returned(x: &[f64]) -> f64 {
        fn turn(a: [f64; 2], k: usize) -> [f64; 2] { if k % 2 == 0 { [a[1] * a[0], -a[0]] } else { [a[1], a[0]] } }
        let mut p = [x[0], x[1]];
        for k in 0..5 {
            p = turn(p, k);
        }
        p[0] * p[1]
    } at [0.4, 1.2];

    fn structs_with_counts_in_them(x: &[f64]) -> f64 {
        let item = |(i, v): (usize, &f64)| Item { value: v * v, count: i as u32, weight: 0.5 };
        let mut items: Vec<Item> = x.iter().enumerate().map(item).collect();
        for i in 1..items.len() {
            let last = items[i - 1];
            if last.count % 2 == 0 {
                items[i] = last;
                items[i].count += 1;
            }
        }
        items.swap(0, 2);
        items.iter().map(|i| i.value * i.count as f64 * i.weight as f64).sum::<f64>() + items[0].value
    } at [0.4, 1.2, -0.3];

    fn enums_of_floats_and_integers(x: &[f64]) -> f64 {
        let form = |(i, v): (usize, &f64)| match i % 3 {
            0 => Form::One(*v),
            1 => Form::Two(*v, v * v),
            _ => Form::Count(i as u64),
        };
        let mut forms: Vec<Form> = x.iter().enumerate().map(form).collect();
        forms.reverse();
        forms[0] = forms[1];
        forms.push(forms[2]);
        let value = |form: &Form| match form {
            Form::One(a) => a * a,
            Form::Two(a, b) => a * b,
            Form::Count(n) => *n as f64,
        };
        forms.iter().map(value).sum()
    } at [0.4, 1.2, -0.3, 0.8];

    fn signs_by_bits(x: &[f64]) -> f64 {
        const SIGN: u64 = 1 << 63;
        let positive: Vec<f64> = x.iter().map(|v| f64::from_bits(v.to_bits() & !SIGN)).collect();
        let signed = |(a, b): (&f64, &f64)| f64::from_bits((a.to_bits() & !SIGN) | (b.to_bits() & SIGN));
        let signed: Vec<f64> = positive.iter().zip(x).map(signed).collect();
        positive[0] * positive[1] * positive[2] + signed[2] * signed[0]
    } at [0.4, 1.2, -0.3];

    fn a_vec_that_grows_and_is_cut(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        for i in 0..20 {
            v.push(x[i % x.len()] * i as f64);
        }
        v.insert(3, x[0]);
        v.remove(5);
        let rest = v.split_off(7);
        v.iter().zip(&rest).map(|(a, b)| a * b).sum()
    } at [0.4, 1.2, -0.3];

    fn options_in_a_vec_that_grows(x: &[f64]) -> f64 {
        let mut v: Vec<Option<f64>> = x.iter().map(|x| (*x > 0.0).then_some(x * x)).collect();
        v.swap(0, 1);
        let taken = v[2].take();
        v.push(taken);
        v.push(v[0]);
        v.iter().flatten().product()
    } at [0.4, 1.2, -0.3];

    fn a_queue_with_two_ends(x: &[f64]) -> f64 {
        let mut queue = VecDeque::new();
        for v in x {
            queue.push_front(v * v);
            queue.push_back(*v);
        }
        queue.rotate_left(2);
        let first = queue.pop_front().unwrap_or(0.0);
        first * queue.iter().enumerate().map(|(i, v)| i as f64 * v).sum::<f64>()
    } at [0.4, 1.2, -0.3];

    fn values_that_are_replaced(x: &[f64]) -> f64 {
        let (mut a, mut b) = (x[0], [x[1], x[2]]);
        let c = std::mem::replace(&mut a, b[1]);
        std::mem::swap(&mut a, &mut b[0]);
        let mut pairs = [(a, c), (b[0], b[1])];
        pairs.swap(0, 1);
        pairs[0].0 * pairs[0].1 + pairs[1].0 * pairs[1].1.sin()
    } at [0.4, 1.2, -0.3];
}
