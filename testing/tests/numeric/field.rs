//! The fixed cases of the field, against closed forms.

use crate::{assert_close, functional, in_place, map};
use cotangent::autodiff;
use testing::{dot, noise};

#[autodiff(relu3_reverse, Reverse, Active, Active)]
#[autodiff(relu3_forward, Forward, Dual, Dual)]
fn relu3(x: f64) -> f64 {
    if x > 0.0 { x * x * x } else { 0.0 }
}

#[test]
fn relu3_is_three_x_squared_above_zero() {
    for x in [-2.0, -0.0, 0.0, 0.5, 3.0] {
        let slope = if x > 0.0 { 3.0 * x * x } else { 0.0 };
        assert_close!(relu3_reverse(x, 1.0), (relu3(x), slope));
        assert_close!(relu3_forward(x, 1.0), (relu3(x), slope));
    }
}

#[autodiff(taylor_powi_reverse, Reverse, Active, Const, Active)]
#[autodiff(taylor_powi_forward, Forward, Dual, Const, Dual)]
fn taylor_powi(x: f64, terms: usize) -> f64 {
    let mut sum = 0.0;
    for i in 1..=terms {
        sum += x.powi(i as i32) / i as f64;
    }
    sum
}

#[autodiff(taylor_running_reverse, Reverse, Active, Const, Active)]
#[autodiff(taylor_running_forward, Forward, Dual, Const, Dual)]
fn taylor_running(x: f64, terms: usize) -> f64 {
    let (mut sum, mut power) = (0.0, 1.0);
    for i in 1..=terms {
        power *= x;
        sum += power / i as f64;
    }
    sum
}

#[test]
fn the_series_of_a_logarithm_sums_to_a_geometric_one() {
    for x in [0.5f64, -0.4] {
        let slope = (1.0 - x.powi(200)) / (1.0 - x);
        assert_close!(taylor_powi_reverse(x, 200, 1.0), (-(1.0 - x).ln(), slope));
        assert_close!(taylor_powi_forward(x, 1.0, 200), (-(1.0 - x).ln(), slope));
        assert_close!(taylor_running_reverse(x, 200, 1.0), (-(1.0 - x).ln(), slope));
        assert_close!(taylor_running_forward(x, 1.0, 200), (-(1.0 - x).ln(), slope));
    }
}

fn mag(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

map! {
    fn a_vector_normalised_as_written(x: &[f64], y: &mut [f64]) {
        for (y, v) in y.iter_mut().zip(x) {
            *y = v / mag(x);
        }
    } at [3.0, -4.0, 1.0, 2.0] => 4, noise(21, 40) => 40;
}

#[autodiff(newton_reverse, Reverse, Active, Active)]
fn newton(a: f64) -> f64 {
    let mut x = a;
    for _ in 0..20 {
        x = 0.5 * (x + a / x);
    }
    x
}

#[test]
fn newtons_root_has_the_slope_of_the_root() {
    for a in [0.3f64, 2.0, 100.0] {
        assert_close!(newton_reverse(a, 1.0), (a.sqrt(), 0.5 / a.sqrt()), 1e-12);
    }
}

fn lorenz_slope(s: [f64; 3], p: &[f64; 3]) -> [f64; 3] {
    [p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]]
}

fn shifted(s: [f64; 3], k: [f64; 3], h: f64) -> [f64; 3] {
    [s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]]
}

functional! {
    fn runge_kutta_on_the_lorenz_system(x: &[f64]) -> f64 {
        let p = [x[3], x[4], x[5]];
        let mut s = [x[0], x[1], x[2]];
        let h = 0.01;
        for _ in 0..60 {
            let k1 = lorenz_slope(s, &p);
            let k2 = lorenz_slope(shifted(s, k1, 0.5 * h), &p);
            let k3 = lorenz_slope(shifted(s, k2, 0.5 * h), &p);
            let k4 = lorenz_slope(shifted(s, k3, h), &p);
            for i in 0..3 {
                s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        s[0] + 0.5 * s[1] + s[2] * s[2]
    } at [1.0, 1.0, 1.0, 10.0, 28.0, 8.0 / 3.0];

    fn log_of_a_sum_of_exponentials(x: &[f64]) -> f64 {
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
        largest + sum.ln()
    } at [1.0, 3.0, -2.0, 2.9], [800.0, 801.0, 799.5];

    fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
    } at [-1.2, 1.0, 0.7, 0.4];

    fn a_polynomial_fit(x: &[f64]) -> f64 {
        let mut loss = 0.0;
        for k in 0..10 {
            let t = f64::from(k) * 0.1;
            let mut y = 0.0;
            for c in x.iter().rev() {
                y = y * t + c;
            }
            loss += (y - t.sin()).powi(2);
        }
        loss
    } at [0.1, 0.9, -0.1, -0.2];
}

#[test]
fn the_gradient_of_logsumexp_is_the_softmax() {
    #[autodiff(lse_reverse, Reverse, Duplicated, Active)]
    fn lse(x: &[f64]) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        for v in x {
            largest = largest.max(*v);
        }
        let mut sum = 0.0;
        for v in x {
            sum += (*v - largest).exp();
        }
        largest + sum.ln()
    }
    let x = noise(22, 100);
    let mut dx = vec![0.0; 100];
    lse_reverse(&x, &mut dx, 1.0);
    let sum: f64 = x.iter().map(|v| v.exp()).sum();
    let softmax: Vec<f64> = x.iter().map(|v| v.exp() / sum).collect();
    assert_close!(dx, softmax);
}

#[autodiff(ijk_reverse, Reverse, Duplicated, Duplicated, Duplicated, Const)]
fn product_ijk(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

#[autodiff(ikj_reverse, Reverse, Duplicated, Duplicated, Duplicated, Const)]
fn product_ikj(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    c.fill(0.0);
    for i in 0..n {
        for k in 0..n {
            let f = a[i * n + k];
            for j in 0..n {
                c[i * n + j] += f * b[k * n + j];
            }
        }
    }
}

fn transposed(m: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|i| m[i % n * n + i / n]).collect()
}

fn times(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    product_ijk(a, b, &mut c, n);
    c
}

#[test]
fn matrix_products_in_both_loop_orders() {
    let n = 7;
    let (a, b, w) = (noise(1, n * n), noise(2, n * n), noise(3, n * n));
    type Derivative = fn(&[f64], &mut [f64], &[f64], &mut [f64], &mut [f64], &mut [f64], usize);
    for derivative in [ijk_reverse as Derivative, ikj_reverse] {
        let (mut da, mut db) = (vec![0.0; n * n], vec![0.0; n * n]);
        let (mut c, mut dc) = (vec![0.0; n * n], w.clone());
        derivative(&a, &mut da, &b, &mut db, &mut c, &mut dc, n);
        assert_close!(c, times(&a, &b, n));
        assert_close!(da, times(&w, &transposed(&b, n), n));
        assert_close!(db, times(&transposed(&a, n), &w, n));
        assert_close!(dc, vec![0.0; n * n]);
    }
}

#[autodiff(matvec_reverse, Reverse, Duplicated, Duplicated, Duplicated)]
#[autodiff(matvec_forward, Forward, Const, Dual, Dual)]
fn matvec(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (row, y) in a.chunks_exact(x.len()).zip(y) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
}

#[test]
fn a_matrix_times_a_vector() {
    let (m, n) = (5, 3);
    let (a, x, w) = (noise(4, m * n), noise(5, n), noise(6, m));
    let (mut da, mut dx, mut y, mut dy) = (vec![0.0; m * n], vec![0.0; n], vec![0.0; m], w.clone());
    matvec_reverse(&a, &mut da, &x, &mut dx, &mut y, &mut dy);
    let outer: Vec<f64> = (0..m * n).map(|i| w[i / n] * x[i % n]).collect();
    let back: Vec<f64> = (0..n).map(|j| (0..m).map(|i| a[i * n + j] * w[i]).sum()).collect();
    assert_close!(da, outer);
    assert_close!(dx, back);
    let mut tangent = vec![0.0; m];
    let v = noise(7, n);
    matvec_forward(&a, &x, &v, &mut y, &mut tangent);
    assert_close!(dot(&tangent, &w), dot(&v, &dx));
}

in_place! {
    fn a_heat_equation_in_place(u: &mut [f64]) {
        let n = u.len();
        for _ in 0..10 {
            let mut left = u[0];
            for i in 1..n - 1 {
                let here = u[i];
                u[i] = here + 0.2 * (left - 2.0 * here + u[i + 1]) * (1.0 + 0.1 * here * here);
                left = here;
            }
        }
    } at noise(23, 12);
}
