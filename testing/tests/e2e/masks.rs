//! What vector units do with the bits of floats: signs, minima, choices by masks.
#![cfg(target_arch = "x86_64")]

use crate::functional;
use std::arch::x86_64 as unit;
use unit::{__m128, __m128d};

fn lanes(v: __m128) -> [f32; 4] {
    let mut lanes = [0.0; 4];
    // SAFETY: there is room for four.
    unsafe { unit::_mm_storeu_ps(lanes.as_mut_ptr(), v) };
    lanes
}

fn pair(v: __m128d) -> [f64; 2] {
    let mut lanes = [0.0; 2];
    // SAFETY: there is room for two.
    unsafe { unit::_mm_storeu_pd(lanes.as_mut_ptr(), v) };
    lanes
}

fn four(x: &[f32]) -> __m128 {
    // SAFETY: every x86-64 has it.
    unsafe { unit::_mm_set_ps(x[3], x[2], x[1], x[0]) }
}

fn two(x: &[f64]) -> __m128d {
    // SAFETY: every x86-64 has it.
    unsafe { unit::_mm_set_pd(x[1], x[0]) }
}

fn weighed(v: [f32; 4]) -> f32 {
    v[0] + 2.0 * v[1] - v[2] * v[3] + 0.5 * v[3]
}

functional! {
    fn least_and_greatest(x: &[f32]) -> f32 {
        let (a, b) = (four(x), four(&x[2..]));
        // SAFETY: every x86-64 has these.
        let (least, greatest) = unsafe { (unit::_mm_min_ps(a, b), unit::_mm_max_ps(a, b)) };
        weighed(lanes(least)) * weighed(lanes(greatest))
    } at [0.7, -0.4, 1.3, 0.9, 2.1, -0.8];

    fn least_and_greatest_of_one_lane(x: &[f32]) -> f32 {
        let (a, b) = (four(x), four(&x[2..]));
        // SAFETY: every x86-64 has these.
        let (least, greatest) = unsafe { (unit::_mm_min_ss(a, b), unit::_mm_max_ss(b, a)) };
        weighed(lanes(least)) * weighed(lanes(greatest))
    } at [0.7, -0.4, 1.3, 0.9, 2.1, -0.8];

    fn one_or_the_other_by_a_mask(x: &[f32]) -> f32 {
        let (a, b) = (four(x), four(&x[2..]));
        // SAFETY: every x86-64 has these.
        let chosen = unsafe {
            let (mask, c) = (unit::_mm_cmplt_ps(a, b), unit::_mm_mul_ps(a, b));
            unit::_mm_or_ps(unit::_mm_and_ps(mask, c), unit::_mm_andnot_ps(mask, a))
        };
        weighed(lanes(chosen))
    } at [0.7, -0.4, 1.3, 0.9, 2.1, -0.8];

    fn one_or_the_other_by_the_opposite_of_a_mask(x: &[f32]) -> f32 {
        let (a, b) = (four(x), four(&x[2..]));
        // SAFETY: every x86-64 has these.
        let chosen = unsafe {
            let (mask, other) = (unit::_mm_cmpnle_ps(a, b), unit::_mm_cmple_ps(a, b));
            unit::_mm_xor_ps(unit::_mm_and_ps(other, unit::_mm_mul_ps(a, b)), unit::_mm_and_ps(a, mask))
        };
        weighed(lanes(chosen))
    } at [0.7, -0.4, 1.3, 0.9, 2.1, -0.8];

    fn some_lanes_and_the_signs_of_others(x: &[f32]) -> f32 {
        let (a, b) = (four(x), four(&x[2..]));
        // SAFETY: every x86-64 has these.
        let made = unsafe {
            let some = unit::_mm_castsi128_ps(unit::_mm_set_epi32(-1, 0, -1, -1));
            let signs = unit::_mm_set_ps(-0.0, 0.0, 0.0, -0.0);
            let sign = unit::_mm_and_ps(b, unit::_mm_set1_ps(-0.0));
            let kept = unit::_mm_and_ps(a, some);
            unit::_mm_add_ps(unit::_mm_xor_ps(unit::_mm_xor_ps(kept, signs), sign), unit::_mm_or_ps(signs, b))
        };
        weighed(lanes(made))
    } at [0.7, -0.4, 1.3, 0.9, 2.1, -0.8];

    fn pairs_of_f64(x: &[f64]) -> f64 {
        let (a, b) = (two(x), two(&x[2..]));
        // SAFETY: every x86-64 has these.
        let made = unsafe {
            let sign = unit::_mm_set1_pd(-0.0);
            let (size, least) = (unit::_mm_andnot_pd(sign, a), unit::_mm_min_pd(a, b));
            let mask = unit::_mm_cmpgt_pd(size, b);
            let chosen = unit::_mm_or_pd(unit::_mm_and_pd(mask, unit::_mm_mul_pd(a, b)), unit::_mm_andnot_pd(mask, a));
            unit::_mm_add_pd(unit::_mm_mul_pd(chosen, size), unit::_mm_max_sd(least, unit::_mm_xor_pd(sign, b)))
        };
        let [p, q] = pair(made);
        p * 3.0 + q * q
    } at [0.7, -1.4, 1.3, 0.9];

    fn lanes_that_are_asked_for_by_their_signs(x: &[f32]) -> f32 {
        let a = four(x);
        // SAFETY: every x86-64 has it.
        let signs = unsafe { unit::_mm_movemask_ps(unit::_mm_cmplt_ps(a, unit::_mm_setzero_ps())) };
        x.iter().enumerate().map(|(i, v)| if signs >> i & 1 == 1 { v * v } else { 3.0 * v }).sum()
    } at [0.7, -0.4, 1.3, -0.9];

    fn the_nearest_whole_number_by_a_number_without_fractions(x: &[f64]) -> f64 {
        let whole = |v: f64| {
            let first = 4_503_599_627_370_496.0_f64.copysign(v);
            (v + first) - first
        };
        whole(x[0] * 5.0) * x[0] + whole(x[1] * 5.0) * x[1]
    } at [0.71, -1.43];
}
