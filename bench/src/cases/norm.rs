//! Normalising a vector as a user writes it: the norm is asked for in every iteration.
//!
//! As written it takes O(n^2) once the norm is inlined, and nobody hoists a loop. The derivative is differentiated from
//! the early program, where the norm is a call that leaves the loop, and grows like n: it is compared with an O(n) primal.

use super::Case;
use crate::report::{Limits, Row};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::largest_distance;
use examples::random::Random;
use std::hint::black_box;

/// The Euclidean norm.
pub fn mag(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// `out = x / |x|`, the norm being computed wherever it is needed.
#[autodiff(d_norm, Reverse, Duplicated, Duplicated)]
pub fn norm(x: &[f64], out: &mut [f64]) {
    for (out, v) in out.iter_mut().zip(x) {
        *out = v / mag(x);
    }
}

/// [`norm`] with the norm computed once.
pub fn norm_hoisted(x: &[f64], out: &mut [f64]) {
    let mag = mag(x);
    for (out, v) in out.iter_mut().zip(x) {
        *out = v / mag;
    }
}

/// The gradient by hand: with `m = |x|`, `dx += (dout - out (out . dout)) / m`.
pub fn norm_by_hand(x: &[f64], dx: &mut [f64], out: &mut [f64], d_out: &mut [f64]) {
    const LANES: usize = 8;
    let mag = mag(x);
    // The quotients and `out . dout` in one walk, the sum in lanes.
    let mut along = [0.0; LANES];
    for ((out, x), d_out) in out.chunks_mut(LANES).zip(x.chunks(LANES)).zip(d_out.chunks(LANES)) {
        for (((out, x), d_out), along) in out.iter_mut().zip(x).zip(d_out).zip(&mut along) {
            *out = x / mag;
            *along += *out * d_out;
        }
    }
    let along: f64 = along.iter().sum();
    let inverse = 1.0 / mag;
    for ((dx, out), d_out) in dx.iter_mut().zip(&*out).zip(&mut *d_out) {
        *dx += (*d_out - out * along) * inverse;
        *d_out = 0.0;
    }
}

/// The sizes between which time must grow linearly.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// `norm` at four sizes, against an O(n) primal.
pub fn cases() -> Vec<Case> {
    SIZES.iter().map(|&n| Case::new(format!("norm {n}"), move |name| measure(name, n))).collect()
}

fn measure(name: String, n: usize) -> Row {
    let mut random = Random::new(n as u64);
    let (x, seed) = (random.normals(n), random.normals(n));
    let (mut out, mut d_out) = (vec![0.0; n], seed.clone());
    let (mut dx, mut dx_hand) = (vec![0.0; n], vec![0.0; n]);
    norm_by_hand(&x, &mut dx_hand, &mut out, &mut d_out);
    d_out.copy_from_slice(&seed);
    d_norm(&x, &mut dx, &mut out, &mut d_out);
    let distance = largest_distance(&dx, &dx_hand);

    let (mut out_primal, mut out_hand, mut d_out_hand) = (out.clone(), out.clone(), seed.clone());
    // The seeds are used up by the first call; zeros take as long as any others, copying the seeds would count in the time.
    let [primal, gradient, hand] = medians([
        &mut || norm_hoisted(black_box(&x), black_box(&mut out_primal)),
        &mut || {
            d_norm(black_box(&x), &mut dx, &mut out, black_box(&mut d_out));
        },
        &mut || {
            norm_by_hand(black_box(&x), &mut dx_hand, &mut out_hand, black_box(&mut d_out_hand));
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: Limits { of_primal: Some(3.0), of_hand: None } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::dot;
    use crate::cases::tests::assert_gradient;

    #[test]
    fn by_hand_agrees_with_differences() {
        let mut random = Random::new(1);
        let (x, seed) = (random.normals(37), random.normals(37));
        let (mut dx, mut out, mut d_out) = (vec![0.0; 37], vec![0.0; 37], seed.clone());
        norm_by_hand(&x, &mut dx, &mut out, &mut d_out);
        let value = |x: &[f64]| {
            let mut out = vec![0.0; x.len()];
            norm(x, &mut out);
            dot(&out, &seed)
        };
        assert_gradient(value, &x, &dx, 1e-3, 1e-9);
        assert!(d_out.iter().all(|&d| d == 0.0));
    }

    #[test]
    fn generated_agrees_with_the_one_by_hand() {
        assert!(measure_distance(50) < 1e-12);
    }

    fn measure_distance(n: usize) -> f64 {
        let mut random = Random::new(2);
        let (x, seed) = (random.normals(n), random.normals(n));
        let [(dx, rest), (dx_hand, rest_hand)] = [d_norm, norm_by_hand].map(|gradient| {
            let (mut dx, mut out, mut d_out) = (vec![0.5; n], vec![0.0; n], seed.clone());
            gradient(&x, &mut dx, &mut out, &mut d_out);
            (dx, [out, d_out].concat())
        });
        largest_distance(&dx, &dx_hand) + largest_distance(&rest, &rest_hand)
    }
}
