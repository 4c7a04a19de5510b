//! Copies that do not say what they move: arrays, structures, `memcpy`, `memmove`, `memset`.

use crate::{functional, in_place, map};

functional! {
    fn an_array_copied_from_a_slice(x: &[f64]) -> f64 {
        let mut a = [0.0; 8];
        a.copy_from_slice(&x[..8]);
        a[0] *= a[7];
        a.iter().zip(x).map(|(a, x)| a * x).sum()
    } at [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

    fn an_array_copied_whole(x: &[f64]) -> f64 {
        let mut a = [0.0; 20];
        for (a, x) in a.iter_mut().zip(x) {
            *a = x * x;
        }
        let before = a;
        for a in a.iter_mut() {
            *a *= 2.0;
        }
        let after = a;
        before.iter().zip(&after).map(|(b, a)| b * a).sum()
    } at [0.1, 0.2, 0.3];

    fn an_array_from_a_slice(x: &[f64]) -> f64 {
        let a: [f64; 3] = x[1..4].try_into().unwrap();
        a[0] * a[1] + a[2] * x[0]
    } at [0.1, 0.2, 0.3, 0.4];

    fn an_array_passed_and_returned_by_value(x: &[f64]) -> f64 {
        #[inline(never)]
        fn mixed(mut a: [f64; 9], by: f64) -> [f64; 9] {
            for a in &mut a {
                *a = a.sin() * by;
            }
            a
        }
        let a = mixed([x[0]; 9], x[1]);
        let b = mixed(a, x[0]);
        b[0] + b[8] * a[3]
    } at [0.4, 1.2];

    fn a_structure_copied(x: &[f64]) -> f64 {
        #[derive(Clone, Copy)]
        struct State { p: [f64; 3], v: [f64; 3], step: usize }
        #[inline(never)]
        fn advance(s: &State, dt: f64) -> State {
            let mut next = *s;
            for i in 0..3 {
                next.p[i] += dt * s.v[i];
                next.v[i] -= dt * s.p[i];
            }
            next.step += 1;
            next
        }
        let mut s = State { p: [x[0], x[1], x[2]], v: [x[3], 0.0, 1.0], step: 0 };
        while s.step < 5 {
            s = advance(&s, 0.1);
        }
        s.p[0] * s.v[1] + s.p[2] * s.v[2]
    } at [0.4, 1.2, 0.3, 0.7];

    fn an_array_of_arrays(x: &[f64]) -> f64 {
        let mut m = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = x[i] * x[j] + (i + 2 * j) as f64;
            }
        }
        let t = m;
        let mut trace = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                trace += m[i][j] * t[j][i];
            }
        }
        trace
    } at [0.4, 1.2, -0.3];

    fn zeros_written_over_values(x: &[f64]) -> f64 {
        let mut a = [0.0; 16];
        for i in 0..16 {
            a[i] = x[0] * i as f64;
        }
        let sum: f64 = a.iter().sum();
        a.fill(0.0);
        a[3] = x[1] * sum;
        a.iter().sum()
    } at [0.4, 1.2];

    fn values_swapped_and_replaced(x: &[f64]) -> f64 {
        let (mut a, mut b) = ([x[0]; 4], [x[1] * x[1]; 4]);
        std::mem::swap(&mut a, &mut b);
        let c = std::mem::replace(&mut a, [x[0] * x[1]; 4]);
        a[0] * b[1] * c[2]
    } at [0.4, 1.2];

    fn pairs_of_floats_moved_as_integers(x: &[f32]) -> f32 {
        #[derive(Clone, Copy)]
        struct Pair { a: f32, b: f32 }
        #[inline(never)]
        fn turn(p: Pair) -> Pair { Pair { a: p.b * p.a, b: p.a } }
        let p = turn(turn(Pair { a: x[0], b: x[1] }));
        p.a * p.b
    } at [0.4f32, 1.2];
}

functional! {
    fn two_floats_moved_as_one_integer(x: &[f64]) -> f64 {
        #[inline(never)]
        fn id(p: u128) -> u128 { p }
        // SAFETY: as many bytes, and any of them are a value of either type.
        let q: [f64; 2] = unsafe { std::mem::transmute(id(std::mem::transmute::<[f64; 2], u128>([x[0], x[1]]))) };
        q[0] * q[1]
    } at [0.4, 1.2];

    fn rows_copied_by_pointers(x: &[f64]) -> f64 {
        let mut a = [[0.0f64; 2]; 3];
        // SAFETY: three rows are six floats; two rows fit behind the first one.
        unsafe {
            std::ptr::copy_nonoverlapping(x.as_ptr().cast::<[f64; 2]>(), a.as_mut_ptr(), 3);
            std::ptr::copy(a.as_ptr(), a.as_mut_ptr().add(1), 2);
        }
        a[0][0] * a[1][1] * a[2][0] + a[1][0] * a[2][1]
    } at [0.4, 1.2, -0.3, 0.7, 0.9, 1.1];

    fn values_taken_and_left_zero(x: &[f64]) -> f64 {
        let mut rows = [[x[0], x[1]], [x[2], x[0] * x[1]]];
        let last = std::mem::take(&mut rows[1]);
        let first = std::mem::take(&mut rows[0][0]);
        rows[1][0] += x[1];
        rows[0][1] * last[0] * last[1] + first * rows[1][0] + rows[0][0] + rows[1][1]
    } at [0.4, 1.2, -0.3];
}

in_place! {
    fn a_copy_within(x: &mut [f64]) {
        x[0] *= x[1];
        x.copy_within(0..3, 1);
        x[3] *= x[0];
    } at [0.4, 1.2, -0.3, 0.7];

    fn swapped_halves(x: &mut [f64]) {
        let half = x.len() / 2;
        let (a, b) = x.split_at_mut(half);
        a[0] *= b[0];
        a.swap_with_slice(b);
        a[1] *= b[1];
    } at [0.4, 1.2, -0.3, 0.7];
}

map! {
    fn a_slice_copied_then_scaled(x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
        for y in y.iter_mut() {
            *y *= x[0];
        }
    } at [0.4, 1.2, -0.3] => 3;

    fn a_part_copied_and_the_rest_filled(x: &[f64], y: &mut [f64]) {
        y[..2].clone_from_slice(&x[1..3]);
        y[2..].fill(x[0] * x[0]);
    } at [0.4, 1.2, -0.3] => 5;
}
