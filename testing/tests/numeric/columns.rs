//! Nests that walk down columns: their adjoints may run in another order, where nothing but sums depends on it.

use crate::{functional, in_place, map};
use testing::noise;

map! {
    fn sums_of_columns(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + i];
            }
            y[j] = sum;
        }
    } at noise(1, 20) => 4, noise(2, 2) => 1;

    fn each_sum_through_a_function(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + i];
            }
            y[j] = 3.0 * sum * sum;
        }
    } at noise(3, 20) => 4;

    fn a_triangle(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..=j {
                sum += x[i * n + j] * x[n * n + i];
            }
            y[j] = sum;
        }
    } at noise(4, 20) => 4;

    fn sums_into_one_place(x: &[f64], y: &mut [f64]) {
        let n = x.len() / 4;
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..4 {
                sum += x[i * n + j] * x[i];
            }
            y[0] = sum * y[0].max(1.0);
        }
    } at noise(5, 12) => 1, noise(6, 20) => 1;

    fn several_columns_at_once(x: &[f64], y: &mut [f64]) {
        let n = y.len();
        for j in 0..n {
            let (mut sum, mut squares) = (0.0, 0.0);
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + i];
                squares += x[i * n + j] * x[i * n + j];
            }
            y[j] = sum - squares;
        }
    } at noise(7, 20) => 4;

    fn rows_of_unequal_steps(x: &[f64], y: &mut [f64]) {
        let n = y.len() / 2;
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + 2 * i];
            }
            y[2 * j] = sum;
        }
    } at noise(8, 18) => 6;
}

functional! {
    fn a_quadratic_form_by_columns(x: &[f64]) -> f64 {
        let n = 5;
        let mut total = 0.0;
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + i];
            }
            total += sum * x[n * n + j];
        }
        total
    } at noise(9, 30);

    fn single_precision_columns(x: &[f32]) -> f32 {
        let n = 4;
        let mut y = [0.0; 4];
        for j in 0..n {
            for i in 0..n {
                y[j] += x[i * n + j] * x[n * n + i];
            }
        }
        y.iter().map(|y| y * y).sum()
    } at noise(10, 20).iter().map(|x| *x as f32).collect::<Vec<_>>();
}

in_place! {
    fn a_substitution_by_columns(x: &mut [f64]) {
        // Solves `L y = b` for a lower triangle of ones on the diagonal; `b` stands behind the matrix.
        let n = 4;
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..j {
                sum += x[i * n + j] * x[n * n + i];
            }
            x[n * n + j] -= sum;
        }
    } at noise(11, 20);

    fn columns_that_are_written_later(x: &mut [f64]) {
        let n = 4;
        for j in 0..n {
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i * n + j] * x[n * n + i];
            }
            x[n * n + j] = sum;
        }
    } at noise(12, 20);
}
