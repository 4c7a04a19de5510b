//! Loops whose counts are those of others around them, and loops that are not always entered.
use crate::functional;
use std::hint::black_box;

/// The lower factor of a matrix, row by row, in place.
fn factorise(a: &mut [Vec<f64>]) {
    let n = a.len();
    for j in 0..n {
        let mut d = a[j][j];
        for k in 0..j {
            d -= a[j][k] * a[j][k];
        }
        a[j][j] = d.sqrt();
        for i in j + 1..n {
            let mut s = a[i][j];
            for k in 0..j {
                s -= a[i][k] * a[j][k];
            }
            a[i][j] = s / a[j][j];
        }
    }
}

functional! {
    fn a_triangle_of_loops_over_rows_of_a_matrix(x: &[f64]) -> f64 {
        let n = x.len();
        let mut a: Vec<Vec<f64>> = x.iter().map(|v| vec![*v; n]).collect();
        for j in 0..n {
            for i in j + 1..n {
                let mut s = 0.0;
                for k in 0..j {
                    s += a[i][k] * a[j][k];
                }
                a[i][j] -= s;
            }
        }
        a[n - 1][n - 2] + a[n - 1][1]
    } at [0.3, 0.4, 0.5, 0.6];

    fn a_cholesky_factor_of_rows(x: &[f64]) -> f64 {
        let n = x.len();
        let kernel = |i: usize, j: usize| (-(x[i] - x[j]).powi(2)).exp();
        let row = |i: usize| (0..n).map(|j| kernel(i, j) + if i == j { 0.5 } else { 0.0 }).collect();
        let mut a: Vec<Vec<f64>> = (0..n).map(row).collect();
        factorise(&mut a);
        (0..n).map(|i| a[i][i].ln()).sum()
    } at [0.3, 1.4, 0.8, 2.6, 2.0];

    fn a_loop_whose_count_is_rubbish_where_it_is_not_entered(x: &[f64]) -> f64 {
        let mut y = x[0];
        for rounds in [None, Some(3_usize), None, black_box(Some(2))] {
            for v in x {
                if let Some(rounds) = black_box(rounds) {
                    for _ in 0..rounds {
                        y = (y * v).sin() + 0.1;
                    }
                }
            }
        }
        y
    } at [0.7, 1.2, 0.9];

    fn a_loop_whose_count_is_below_zero_where_it_is_not_entered(x: &[f64]) -> f64 {
        let (mut y, few) = (x[0], black_box(2_usize));
        for begin in 0..5 {
            for v in x {
                if few > begin {
                    for _ in 0..few - begin {
                        y = (y + v).cos() * y;
                    }
                }
                y += 0.1 * v;
            }
        }
        y
    } at [0.7, 1.2, 0.9];
}
