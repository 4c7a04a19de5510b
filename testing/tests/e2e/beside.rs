//! Counts, flags and names beside floats: in one struct with an array behind `&mut`, among what a `dyn FnMut` captures, in records that are sorted.

use crate::{assert_close, functional};
use cotangent::autodiff;
use std::io::{self, Write};

struct Stack {
    count: usize,
    values: [f64; 8],
    calls: u32,
}

impl Stack {
    fn new() -> Stack {
        Stack { count: 0, values: [0.0; 8], calls: 0 }
    }

    #[inline(never)]
    fn push(&mut self, value: f64) {
        self.values[self.count] = value;
        self.count += 1;
        self.calls += 1;
    }

    #[inline(never)]
    fn pop(&mut self) -> Option<f64> {
        self.count = self.count.checked_sub(1)?;
        Some(self.values[self.count])
    }

    #[inline(never)]
    fn extend(&mut self, values: &[f64]) {
        self.values[self.count..self.count + values.len()].copy_from_slice(values);
        self.count += values.len();
        self.calls += 1;
    }

    #[inline(never)]
    fn product(&self) -> f64 {
        self.values[..self.count].iter().product::<f64>() * f64::from(self.calls)
    }
}

fn maker<'a>(start: f64) -> Box<dyn FnMut(f64) -> f64 + 'a> {
    let (mut count, mut up, mut sum) = (0u8, false, start);
    Box::new(move |v| {
        count = count.wrapping_add(3);
        up = !up;
        if up {
            sum += v
        } else {
            sum *= v
        }
        sum * f64::from(count)
    })
}

#[inline(never)]
fn each(x: &[f64], f: &mut dyn FnMut(f64)) {
    for v in x {
        f(*v)
    }
}

struct Record {
    name: String,
    weight: f64,
}

fn records(x: &[f64]) -> Vec<Record> {
    ["pear", "apple", "fig"].iter().zip(x).map(|(n, w)| Record { name: n.to_string(), weight: w * w }).collect()
}

fn rows(x: &[f64]) -> Vec<(String, Vec<f64>, f64)> {
    vec![
        ("pear".to_string(), vec![x[0], x[1]], x[2]),
        ("apple".to_string(), vec![x[1]], x[0] * x[1]),
        ("fig".to_string(), vec![], x[1] * 2.0),
    ]
}

fn weighed(rows: &[(String, Vec<f64>, f64)]) -> f64 {
    rows.iter().zip(1..).map(|((_, v, w), i)| v.iter().sum::<f64>() * w * f64::from(i) + w * w).sum()
}

fn logged(out: &mut dyn Write, v: f64) -> io::Result<f64> {
    writeln!(out, "a step")?;
    Ok(v * v)
}

functional! {
    fn a_stack_with_its_count(x: &[f64]) -> f64 {
        let mut stack = Stack::new();
        for v in x {
            stack.push(v * v);
            stack.push(v.sin());
        }
        let mut product = stack.product();
        while let Some(v) = stack.pop() {
            product = product * v + v;
        }
        product
    } at [0.4, 1.2, -0.3];

    fn slices_copied_in_behind_a_count(x: &[f64]) -> f64 {
        let mut stack = Stack::new();
        stack.extend(x);
        stack.extend(&x[1..]);
        stack.extend(&x.iter().map(|v| v * v).collect::<Vec<f64>>());
        stack.values.iter().map(|v| v.sin()).sum::<f64>() * stack.product()
    } at [0.4, 1.2, -0.3];

    fn slices_copied_over_others_where_the_count_is_computed(x: &[f64]) -> f64 {
        let mut stack = Stack::new();
        for i in 0..2 {
            let n = stack.count;
            stack.values[n..n + 3 - i].copy_from_slice(&x[i..]);
            stack.count += 3 - i;
            stack.calls += 1;
        }
        stack.count -= 1;
        stack.values[stack.count..stack.count + 2].copy_from_slice(&x[1..]);
        stack.values.iter().map(|v| v.sin()).sum::<f64>() * stack.product() + stack.values[stack.count]
    } at [0.4, 1.2, -0.3];

    fn a_flag_and_a_float_that_a_closure_captures_by_reference(x: &[f64]) -> f64 {
        let (mut first, mut product, mut total) = (true, 0.0, 0.0);
        {
            let mut f: Box<dyn FnMut(f64)> = Box::new(|v| {
                if first {
                    product = v;
                    first = false;
                } else {
                    product *= v + 1.0;
                }
                total += product;
            });
            for v in x {
                f(*v);
            }
        }
        total * product
    } at [0.4, 1.2, -0.3];

    fn a_flag_and_a_float_that_a_closure_captures_by_value(x: &[f64]) -> f64 {
        let (mut first, mut product) = (true, 0.0);
        let mut f: Box<dyn FnMut(f64) -> f64> = Box::new(move |v| {
            if first {
                product = v;
                first = false;
            } else {
                product *= v + 1.0;
            }
            product
        });
        x.iter().map(|v| f(*v) * v).sum()
    } at [0.4, 1.2, -0.3];

    fn a_byte_and_a_float_in_closures_that_a_function_makes(x: &[f64]) -> f64 {
        let (mut f, mut g) = (maker(x[0]), maker(2.0));
        x.iter().map(|v| f(*v) * g(*v)).sum()
    } at [0.4, 1.2, -0.3];

    fn a_byte_and_a_float_for_a_function_that_takes_a_closure(x: &[f64]) -> f64 {
        let (mut level, mut sum) = (0u8, 1.0);
        each(x, &mut |v| {
            level += 1;
            if level % 2 == 0 {
                sum += v * v;
            } else {
                sum *= v;
            }
        });
        sum * f64::from(level)
    } at [0.4, 1.2, -0.3];

    fn records_sorted_by_their_names_and_by_their_floats(x: &[f64]) -> f64 {
        let mut all = records(x);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        let sum: f64 = all.iter().zip(1..).map(|(r, i)| r.weight * f64::from(i)).sum();
        all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        sum * all[0].weight * all[1].name.len() as f64
    } at [0.4, 1.2, -0.3];

    fn rows_of_a_name_a_vector_and_a_float_sorted_by_their_names(x: &[f64]) -> f64 {
        let mut all = rows(x);
        all.sort_by(|a, b| a.0.cmp(&b.0));
        weighed(&all)
    } at [0.4, 1.2, -0.3];

    fn rows_of_a_name_a_vector_and_a_float_sorted_by_their_floats(x: &[f64]) -> f64 {
        let mut all = rows(x);
        all.sort_by(|a, b| a.2.total_cmp(&b.2));
        weighed(&all)
    } at [0.4, 1.2, -0.3];

    fn results_of_a_function_that_writes_a_log(x: &[f64]) -> f64 {
        let mut text: Vec<u8> = Vec::new();
        let sum: f64 = x.iter().map(|v| logged(&mut text, *v).unwrap() * v).sum();
        sum * text.len() as f64
    } at [0.4, 1.2, -0.3];

    fn a_value_or_a_panic_that_tells_what_is_missing(x: &[f64]) -> f64 {
        let n = x.len();
        let negative: f64 = x.iter().copied().rev().find(|v| *v < 0.0).unwrap_or_else(|| panic!("none of {n}"));
        let product: Result<f64, String> = if x[0] > 0.0 { Ok(x[1] * x[0]) } else { Err(format!("not {n}")) };
        negative * product.unwrap_or_else(|e| panic!("{e} {negative}"))
    } at [0.4, 1.2, -0.3];
}

#[test]
fn a_slice_copied_behind_the_count_of_an_argument() {
    #[autodiff(reverse, Reverse, Duplicated, Duplicated)]
    fn primal(x: &[f64], stack: &mut Stack) {
        let n = stack.count;
        stack.values[n..n + 2].copy_from_slice(x);
        stack.values[1] *= stack.values[2];
    }
    let mut stack = Stack { count: 2, values: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], calls: 0 };
    let mut shadow = Stack { count: 2, values: [0.5; 8], calls: 0 };
    let mut g = [0.0; 2];
    reverse(&[0.3, 0.7], &mut g, &mut stack, &mut shadow);
    assert_close!(g, [0.5 + 0.5 * 2.0, 0.5]);
    assert_close!(shadow.values, [0.5, 0.5 * 0.3, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5]);
}
