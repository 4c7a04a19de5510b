//! Recursion that passes constant memory on.

use crate::functional;
use testing::noise;

fn walk(x: f64, c: &[f64], i: usize) -> f64 {
    if i == c.len() { x } else { c[i] * walk(x, c, i + 1) + walk(x.cos(), c, i + 1) }
}

fn along(x: &[f64], order: &[usize], i: usize) -> f64 {
    if i == order.len() { 1.0 } else { x[order[i]] * along(x, order, i + 1) + 1.0 }
}

fn by_value(x: f64, c: [f64; 3], depth: u32) -> f64 {
    if depth == 0 { x } else { by_value(x * c[(depth % 3) as usize], c, depth - 1).sin() + x }
}

fn in_place(x: &mut [f64], weights: &[f64]) {
    let n = x.len();
    if n < 2 {
        return;
    }
    let (a, b) = x.split_at_mut(n / 2);
    in_place(a, weights);
    in_place(b, weights);
    for (i, a) in a.iter_mut().enumerate() {
        *a += weights[i % weights.len()] * b[i] * *a;
    }
}

fn transform(re: &mut [f64], im: &mut [f64], window: &[f64]) {
    let n = re.len();
    if n == 1 {
        return;
    }
    let (mut even_re, mut even_im) = (vec![0.0; n / 2], vec![0.0; n / 2]);
    let (mut odd_re, mut odd_im) = (vec![0.0; n / 2], vec![0.0; n / 2]);
    for i in 0..n / 2 {
        (even_re[i], even_im[i]) = (re[2 * i], im[2 * i]);
        (odd_re[i], odd_im[i]) = (re[2 * i + 1], im[2 * i + 1]);
    }
    transform(&mut even_re, &mut even_im, window);
    transform(&mut odd_re, &mut odd_im, window);
    for k in 0..n / 2 {
        let (s, c) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
        let (turned_re, turned_im) = (c * odd_re[k] - s * odd_im[k], s * odd_re[k] + c * odd_im[k]);
        (re[k], im[k]) = (even_re[k] + turned_re * window[0], even_im[k] + turned_im);
        (re[k + n / 2], im[k + n / 2]) = (even_re[k] - turned_re, even_im[k] - turned_im);
    }
}

functional! {
    fn a_constant_slice_is_handed_down(x: &[f64]) -> f64 {
        walk(x[0], &[2.0, 3.0, 0.5], 0) * x[1]
    } at [0.4, 1.2];

    fn integers_are_handed_down(x: &[f64]) -> f64 {
        let order: Vec<usize> = (0..x.len()).rev().collect();
        along(x, &order, 0)
    } at noise(3, 5);

    fn an_array_is_handed_down_by_value(x: &[f64]) -> f64 {
        by_value(x[0], [0.3, 1.7, -0.4], 7) + by_value(x[1], [0.3, 1.7, -0.4], 2)
    } at [0.4, 1.2];

    fn halves_are_changed_in_place(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        in_place(&mut v, &[0.5, -0.25, 2.0]);
        v[0]
    } at noise(4, 8);

    fn a_fourier_transform_of_real_numbers(x: &[f64]) -> f64 {
        let (mut re, mut im) = (x.to_vec(), vec![0.0; x.len()]);
        transform(&mut re, &mut im, &[0.9]);
        re.iter().zip(&im).enumerate().map(|(k, (re, im))| (re * re + im * im) * k as f64).sum()
    } at noise(5, 8);
}
