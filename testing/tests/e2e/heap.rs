//! Buffers on the heap whose size is known where they are made.

use crate::{functional, map};

functional! {
    fn a_vec_of_zeros(x: &[f64]) -> f64 {
        let mut v = vec![0.0; x.len()];
        for i in 0..x.len() {
            v[i] = x[i] * x[i];
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += v[i] * v[x.len() - 1 - i];
        }
        sum
    } at [0.4, 1.2, -0.3];

    fn a_vec_of_a_value(x: &[f64]) -> f64 {
        let v = vec![x[0] * x[1]; 5];
        v.iter().zip(x).map(|(v, x)| v * x).sum()
    } at [0.4, 1.2, -0.3];

    fn a_copy_on_the_heap(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        for i in 1..v.len() {
            v[i] *= v[i - 1];
        }
        v.iter().sum::<f64>() * x[0]
    } at [0.4, 1.2, -0.3];

    fn a_boxed_slice(x: &[f64]) -> f64 {
        let mut b: Box<[f64]> = vec![1.0; x.len()].into_boxed_slice();
        for (b, x) in b.iter_mut().zip(x) {
            *b = x.sin();
        }
        b.iter().product()
    } at [0.4, 1.2, -0.3];

    fn a_boxed_number(x: &[f64]) -> f64 {
        let mut b = Box::new(x[0]);
        *b *= x[1];
        *b * *b
    } at [0.4, 1.2];

    fn a_boxed_array(x: &[f64]) -> f64 {
        let mut b = Box::new([0.0; 3]);
        for i in 0..3 {
            b[i] = x[i] * x[(i + 1) % 3];
        }
        b[0] * b[1] - b[2]
    } at [0.4, 1.2, -0.3];

    fn a_buffer_in_every_turn_of_a_loop(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 1..x.len() {
            let mut v = vec![0.0; i];
            for j in 0..i {
                v[j] = x[j] * x[i];
            }
            total += v.iter().map(|v| v * v).sum::<f64>();
        }
        total
    } at [0.4, 1.2, -0.3, 0.9];

    fn two_buffers_swapped_in_turn(x: &[f64]) -> f64 {
        let n = x.len();
        let mut now = x.to_vec();
        let mut next = vec![0.0; n];
        for _ in 0..5 {
            for i in 0..n {
                next[i] = 0.6 * now[i] + 0.4 * now[(i + 1) % n] * now[i];
            }
            std::mem::swap(&mut now, &mut next);
        }
        now[0] + now[1] * now[2]
    } at [0.4, 1.2, -0.3];

    fn a_matrix_on_the_heap(x: &[f64]) -> f64 {
        let n = x.len();
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = x[i] * x[j];
            }
        }
        (0..n).map(|i| m[i * n + (i + 1) % n]).sum()
    } at [0.4, 1.2, -0.3];

    fn a_buffer_of_integers_beside(x: &[f64]) -> f64 {
        let mut order = vec![0usize; x.len()];
        for (i, slot) in order.iter_mut().enumerate() {
            *slot = x.len() - 1 - i;
        }
        order.iter().enumerate().map(|(i, j)| x[i] * x[*j] * x[*j]).sum()
    } at [0.4, 1.2, -0.3];
}

map! {
    fn a_buffer_between_input_and_output(x: &[f64], y: &mut [f64]) {
        let mut v = vec![0.0; x.len()];
        for i in 0..x.len() {
            v[i] = x[i].exp();
        }
        let sum: f64 = v.iter().sum();
        for i in 0..x.len() {
            y[i] = v[i] / sum;
        }
    } at [0.4, 1.2, -0.3] => 3;
}

functional! {
    fn a_buffer_made_by_a_function_of_its_own(x: &[f64]) -> f64 {
        #[inline(never)]
        fn squares(x: &[f64]) -> Vec<f64> {
            let mut v = vec![0.0; x.len()];
            for i in 0..x.len() {
                v[i] = x[i] * x[i];
            }
            v
        }
        let a = squares(x);
        let b = squares(&a);
        a[0] * b[1] + b[2]
    } at [0.4, 1.2, -0.3];
}
