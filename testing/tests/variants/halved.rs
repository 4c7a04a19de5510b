//! Enums in enums: where an inner one has a float or a pointer, another variant of the outer one has a number of four bytes, so that LLVM may move both in halves.

use crate::functional;
use smallvec::SmallVec;

/// The tag of what holds it lies in what `kind` is not.
#[derive(Clone, Copy, PartialEq)]
#[repr(u64)]
enum Kind {
    Whole,
    Cut,
}

struct Row {
    kind: Kind,
    data: [f64; 2],
    len: usize,
}

fn row(x: &[f64], n: usize) -> Row {
    let mut row = Row { kind: if n > 20 { Kind::Cut } else { Kind::Whole }, data: [0.0; 2], len: 0 };
    for i in 0..n.min(2) {
        row.data[row.len] = x[2] + i as f64 * 0.1;
        row.len += 1;
    }
    row
}

enum Item<T> {
    Value(f64),
    Count(u32, f64),
    Many(T),
}

impl<T> Item<T> {
    fn new(x: &[f64], n: usize, many: impl Fn(&[f64], usize) -> T) -> Item<T> {
        match n % 3 {
            0 => Item::Value(x[0] * n as f64),
            1 => Item::Count(3, x[1].sin()),
            _ => Item::Many(many(x, n)),
        }
    }

    fn value(&self, of_many: impl Fn(&T) -> f64) -> f64 {
        match self {
            Item::Value(value) => *value,
            Item::Count(count, value) => f64::from(*count) * value,
            Item::Many(many) => of_many(many),
        }
    }
}

/// So many of them in a vector, each with its place for a weight.
fn sum<T>(x: &[f64], many: impl Fn(&[f64], usize) -> T, of_many: impl Fn(&T) -> f64) -> f64 {
    let all: Vec<Item<T>> = (0..7).map(|n| Item::new(x, n, &many)).collect();
    all.iter().enumerate().map(|(place, item)| item.value(&of_many) * place as f64).sum()
}

fn small(x: &[f64], n: usize) -> Result<SmallVec<[f64; 2]>, u32> {
    if n % 4 == 0 { Err(n as u32) } else { Ok((0..n).map(|i| x[i % 3] + i as f64).collect()) }
}

fn product(x: &[f64], n: usize) -> Result<f64, u32> {
    Ok(small(x, n)?.iter().product())
}

functional! {
    fn a_row_that_is_filled_by_an_index(x: &[f64]) -> f64 {
        let cut = |row: &Row| if row.kind == Kind::Cut { 1.0 } else { row.data[..row.len].iter().product() };
        sum(x, row, cut)
    } at [0.3, 0.4, 0.6];

    fn a_small_vector_of_floats(x: &[f64]) -> f64 {
        let many = |x: &[f64], n: usize| (0..n).map(|i| x[2] + i as f64 * 0.1).collect::<SmallVec<[f64; 2]>>();
        sum(x, many, |many| many.iter().product())
    } at [0.3, 0.4, 0.6];

    fn a_small_vector_of_boxes(x: &[f64]) -> f64 {
        let many = |x: &[f64], n: usize| {
            (0..n).map(|i| Box::new(x[2] + i as f64 * 0.1)).collect::<SmallVec<[Box<f64>; 2]>>()
        };
        sum(x, many, |many| many.iter().map(|boxed| **boxed).product())
    } at [0.3, 0.4, 0.6];

    fn a_small_vector_of_slices_of_an_argument(x: &[f64]) -> f64 {
        let all: Vec<Item<SmallVec<[&[f64]; 1]>>> = (0..7)
            .map(|n| match n % 3 {
                0 => Item::Value(x[0] * n as f64),
                1 => Item::Count(3, x[1].sin()),
                _ => Item::Many((0..n).map(|i| &x[i % 2..]).collect()),
            })
            .collect();
        let product = |many: &SmallVec<[&[f64]; 1]>| many.iter().map(|slice| slice[0] * slice[1]).product();
        all.iter().enumerate().map(|(place, item)| item.value(product) * place as f64).sum()
    } at [0.3, 0.4, 0.6];

    fn a_result_of_a_small_vector_with_a_number_for_its_error(x: &[f64]) -> f64 {
        let all: Vec<_> = (1..6).map(|n| small(x, n)).collect();
        let sums = all.iter().map(|one| one.as_ref().map_or_else(|n| f64::from(*n), |v| v.iter().sum()));
        sums.sum::<f64>() + (2..5).map(|n| product(x, n).unwrap_or_else(|n| f64::from(n) * x[0])).sum::<f64>()
    } at [0.3, 0.4, 0.6];
}
