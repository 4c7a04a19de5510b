//! Loops of every shape.

use crate::{assert_close, functional, in_place, map, scalar};
use cotangent::autodiff;

functional! {
    fn zero_trips(x: &[f64]) -> f64 {
        let mut sum = x[0] * x[0];
        for i in 1..x.len() {
            sum *= x[i];
        }
        sum
    } at [3.0], [3.0, 2.0], [3.0, 2.0, 0.5];

    fn a_break_decided_by_data(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            if sum > 3.0 {
                break;
            }
            sum += v * v;
        }
        sum
    } at [1.0, 1.5, 0.5, 2.0], [0.5, 0.5, 0.5], [2.0, 3.0];

    fn a_continue_decided_by_data(x: &[f64]) -> f64 {
        let mut product = 1.0;
        for v in x {
            if *v < 0.0 {
                continue;
            }
            product *= v;
        }
        product
    } at [1.5, -1.0, 2.0, -3.0, 0.5];

    fn a_return_from_inside(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, v) in x.iter().enumerate() {
            sum += v.sin();
            if *v > 2.0 {
                return sum * x[i];
            }
        }
        sum
    } at [0.5, 1.0, 2.5, 7.0], [0.5, 1.0];

    fn several_exits_with_different_values(x: &[f64]) -> f64 {
        let mut a = 1.0;
        let mut i = 0;
        let last = loop {
            if i == x.len() {
                break a;
            }
            a *= x[i];
            if a > 4.0 {
                break a * a;
            }
            if a < 0.0 {
                break x[i];
            }
            i += 1;
        };
        last + a
    } at [1.5, 2.0, 0.5], [1.5, 2.0, 2.0, 9.0], [1.5, -2.0, 3.0];

    fn a_triangular_nest(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            for j in 0..=i {
                sum += x[i] * x[j] * (i as f64 - 0.5 * j as f64);
            }
        }
        sum
    } at [1.0, -2.0, 0.5, 3.0];

    fn a_nest_with_bounds_from_the_outer_counter_and_a_carried_value(x: &[f64]) -> f64 {
        let n = x.len();
        let mut carry = 1.0;
        for i in 0..n {
            let mut inner = x[i];
            for j in (i + 1)..n {
                inner = inner * x[j] + carry;
            }
            carry = carry * 0.5 + inner;
        }
        carry
    } at [0.7, -0.4, 0.9, 0.3];

    fn three_loops_in_one_another(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            for j in 0..x.len() {
                let mut p = 1.0;
                for k in 0..3 {
                    p *= x[(i + j + k) % x.len()];
                }
                sum += p.sin();
            }
        }
        sum
    } at [0.7, -0.4, 0.9];

    fn loops_one_after_the_other(x: &[f64]) -> f64 {
        let mut mean = 0.0;
        for v in x {
            mean += v;
        }
        mean /= x.len() as f64;
        let mut variance = 0.0;
        for v in x {
            variance += (v - mean) * (v - mean);
        }
        variance.sqrt() / mean
    } at [1.0, 2.0, 4.0, 3.5];

    fn breaks_out_of_two_loops(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        'outer: for i in 0..x.len() {
            for j in 0..x.len() {
                if x[i] * x[j] > 5.0 {
                    break 'outer;
                }
                if j > i {
                    continue 'outer;
                }
                sum += x[i] * x[j];
            }
        }
        sum
    } at [1.0, 2.0, 2.4, 3.0];

    fn a_recurrence(x: &[f64]) -> f64 {
        let mut a = x[0];
        let mut b = x[1];
        for _ in 0..6 {
            let next = (a * b).sin() + a;
            a = b;
            b = next;
        }
        b
    } at [0.4, 0.9];

    fn values_swapped_in_a_loop(x: &[f64]) -> f64 {
        let (mut a, mut b, mut c) = (x[0], x[1], x[2]);
        for i in 0..7 {
            (a, b, c) = (b, c, a);
            if i % 2 == 0 {
                a *= b;
            }
        }
        a + 2.0 * b + 3.0 * c
    } at [0.4, 0.9, 1.3];

    fn counting_down(x: &[f64]) -> f64 {
        let mut y = 0.0;
        let mut i = x.len();
        while i > 0 {
            i -= 1;
            y = y * 0.7 + x[i] * x[i];
        }
        y
    } at [0.4, 0.9, 1.3];

    fn steps_that_grow(x: &[f64]) -> f64 {
        let mut i = 1;
        let mut y = 1.0;
        while i < x.len() {
            y *= x[i] + y;
            i *= 2;
        }
        y
    } at [0.4, 0.9, 1.3, 0.2, 0.5, 0.6];

    fn a_gallop_through_indices_in_the_data(x: &[f64]) -> f64 {
        let mut i = 0;
        let mut y = 1.0;
        while i < x.len() {
            y = y * x[i] + 1.0;
            i += x[i] as usize;
        }
        y
    } at [2.5, 7.0, 1.5, 3.5, 2.0, 8.0, 1.2];
}

scalar! {
    fn a_while_with_a_count_that_depends_on_data(x: f64) -> f64 {
        let mut y = x;
        while y < 100.0 {
            y = y * y + 1.0;
        }
        y.ln()
    } at 0.3, 1.7, 5.0, 200.0;

    fn newton_square_root(a: f64) -> f64 {
        let mut x = a;
        for _ in 0..10 {
            x = 0.5 * (x + a / x);
        }
        x
    } at 2.0, 9.0, 0.25;

    fn newton_until_it_converges(a: f64) -> f64 {
        let mut x = 1.0;
        loop {
            let next = 0.5 * (x + a / x);
            if (next - x).abs() < 1e-15 * next || next == x {
                return next;
            }
            x = next;
        }
    } at 2.0, 9.0;

    fn halving_and_tripling(x: f64) -> f64 {
        let mut n = (x * 1.0) as u64;
        let mut y = x;
        let mut steps = 0;
        while n != 1 && steps < 200 {
            if n % 2 == 0 {
                n /= 2;
                y *= 0.5;
            } else {
                n = 3 * n + 1;
                y = 3.0 * y + 1.0 / y;
            }
            steps += 1;
        }
        y
    } at 6.5, 7.3;

    fn a_loop_inside_a_loop_with_a_count_of_data(x: f64) -> f64 {
        let mut total = 0.0;
        for i in 0..4 {
            let mut y = x + f64::from(i);
            while y > 1.0 {
                y = y.sqrt() * 0.9;
                total += y * x;
            }
        }
        total
    } at 0.3, 2.6;
}

map! {
    fn prefix_products(x: &[f64], y: &mut [f64]) {
        let mut p = 1.0;
        for i in 0..x.len() {
            p *= x[i];
            y[i] = p;
        }
    } at [0.5, 3.0, -2.0, 1.5] => 4;

    fn outputs_read_back(x: &[f64], y: &mut [f64]) {
        y[0] = x[0];
        for i in 1..x.len() {
            y[i] = y[i - 1] * x[i] + y[i - 1].sin();
        }
    } at [0.5, 3.0, -2.0, 1.5] => 4;

    fn scatter_through_a_permutation(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[(i * 3 + 1) % x.len()] = x[i] * x[i];
        }
    } at [0.5, 3.0, -2.0, 1.5] => 4;

    fn a_histogram_adds_into_few_places(x: &[f64], y: &mut [f64]) {
        for v in y.iter_mut() {
            *v = 0.0;
        }
        for v in x {
            let i = (*v as usize).min(y.len() - 1);
            y[i] += v * v;
        }
    } at [0.5, 2.2, 2.7, 1.5, 0.1, 9.0] => 3;
}

in_place! {
    fn many_sweeps_over_one_slice(x: &mut [f64]) {
        for _ in 0..3 {
            for i in 1..x.len() {
                x[i] = 0.5 * (x[i - 1] + x[i] * x[i]);
            }
        }
    } at [0.4, 0.9, -0.3, 0.8];
}

#[test]
fn a_loop_over_nothing_at_all_has_no_derivative() {
    #[autodiff(sum_reverse, Reverse, Duplicated, Active)]
    #[autodiff(sum_forward, Forward, Dual, Dual)]
    fn sum(x: &[f64]) -> f64 {
        let mut sum = 1.0;
        for v in x {
            sum *= v;
        }
        sum
    }
    assert_close!(sum_reverse(&[], &mut [], 1.0), 1.0);
    assert_close!(sum_forward(&[], &[]), (1.0, 0.0));
}

#[test]
fn a_long_loop_keeps_its_precision() {
    #[autodiff(series_reverse, Reverse, Active, Const, Active)]
    fn series(x: f64, terms: usize) -> f64 {
        let mut y = x;
        for _ in 0..terms {
            y = y * 0.999_999 + 1e-6 * y.sin();
        }
        y
    }
    let (y, d) = series_reverse(0.5, 100_000, 1.0);
    let expected = testing::differences::slope(|x| series(x, 100_000), 0.5);
    assert_close!(y, series(0.5, 100_000));
    assert_close!(d, expected, 1e-7);
}
