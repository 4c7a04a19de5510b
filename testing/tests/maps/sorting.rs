//! Sorting: floats find their places by comparison, and take their adjoints with them.

use crate::functional;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A float that is ordered.
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f64);
impl Eq for Ordered {}
impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn by_rank(values: &[f64]) -> f64 {
    values.iter().enumerate().map(|(rank, v)| v * v * rank as f64).sum()
}

/// Sixty numbers in no order: more than the sorts of std treat as few.
fn many(x: &[f64]) -> Vec<f64> {
    (0..60).map(|i| x[i % x.len()] * (i as f64 + 1.0).sin()).collect()
}

/// What is ordered by its price.
struct Order {
    price: f64,
    lots: u32,
    is_bid: bool,
}

impl PartialEq for Order {
    fn eq(&self, other: &Order) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Order {}
impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Order) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Order {
    fn cmp(&self, other: &Order) -> Ordering {
        self.price.total_cmp(&other.price)
    }
}

functional! {
    fn the_last_of_a_queue_are_sorted_where_they_lie(x: &[f64]) -> f64 {
        let mut window = VecDeque::with_capacity(3);
        for v in x {
            if window.len() == 3 {
                window.pop_front();
            }
            window.push_back(*v);
        }
        window.make_contiguous().sort_by(|a, b| b.total_cmp(a));
        window[0] * window[1] - window[2].sin()
    }
    at [0.3, 0.7, -0.2, 1.1, 0.5];

    fn a_stable_sort(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.sort_by(|a, b| a.partial_cmp(b).unwrap());
        by_rank(&v)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn an_unstable_sort(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
        by_rank(&v)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_sort_by_the_total_order(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.sort_by(f64::total_cmp);
        by_rank(&v)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_sort_of_many(x: &[f64]) -> f64 {
        let mut v = many(x);
        v.sort_by(|a, b| a.partial_cmp(b).unwrap());
        by_rank(&v) / 100.0
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn an_unstable_sort_of_many_downwards(x: &[f64]) -> f64 {
        let mut v = many(x);
        v.sort_unstable_by(|a, b| b.total_cmp(a));
        by_rank(&v) / 100.0
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn indices_sorted_by_what_they_lead_to(x: &[f64]) -> f64 {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| x[*a].partial_cmp(&x[*b]).unwrap());
        order.iter().enumerate().map(|(rank, i)| x[*i] * x[*i] * rank as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_sort_by_an_integer_key(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.sort_by_key(|v| (v * 1000.0) as i64);
        by_rank(&v)
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn the_middle_of_an_unsorted_list(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let (_, middle, _) = v.select_nth_unstable_by(2, |a, b| a.partial_cmp(b).unwrap());
        *middle * *middle
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn a_heap_of_floats(x: &[f64]) -> f64 {
        let mut heap: BinaryHeap<Ordered> = x.iter().map(|x| Ordered(*x)).collect();
        let mut sum = 0.0;
        let mut rank = 1.0;
        while let Some(Ordered(v)) = heap.pop() {
            sum += v * v * rank;
            rank += 1.0;
        }
        sum
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn pairs_by_their_floats(x: &[f64]) -> f64 {
        let mut pairs: Vec<(f64, usize)> = x.iter().enumerate().map(|(i, x)| (x * x, i)).collect();
        pairs.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        pairs.iter().enumerate().map(|(rank, (v, i))| v * (rank * 10 + i) as f64).sum()
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn orders_with_a_number_and_a_mark_in_a_heap(x: &[f64]) -> f64 {
        let order = |(i, v): (usize, &f64)| Order { price: v * v, lots: i as u32, is_bid: i % 2 == 0 };
        let mut heap: BinaryHeap<Order> = x.iter().enumerate().map(order).collect();
        heap.push(Order { price: x[0] * x[1], lots: 7, is_bid: false });
        let mut sum = 0.0;
        while let Some(best) = heap.pop() {
            sum = sum * 0.7 + best.price * f64::from(best.lots) + f64::from(u8::from(best.is_bid));
        }
        sum
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn many_pairs_by_their_floats(x: &[f64]) -> f64 {
        let mut pairs: Vec<(f64, usize)> = many(x).into_iter().enumerate().map(|(i, v)| (v, i)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs.iter().enumerate().map(|(rank, (v, i))| v * v * (rank * 10 + i) as f64).sum::<f64>() / 1000.0
    } at [0.4, 1.2, -0.3, 0.7, -1.1];

    fn many_pairs_unstably_downwards(x: &[f64]) -> f64 {
        let mut pairs: Vec<(usize, f64)> = many(x).into_iter().enumerate().collect();
        pairs.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        pairs.iter().enumerate().map(|(rank, (i, v))| v * v * (rank * 10 + i) as f64).sum::<f64>() / 1000.0
    } at [0.4, 1.2, -0.3, 0.7, -1.1];
}
