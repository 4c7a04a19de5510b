//! Fourier transforms: `F[j] = sum of w^(j k) * x[k]` with `w = exp(s * 2 pi i / n)`, without a factor, `s` being -1 or 1.
//!
//! The transform is linear and symmetric, so its adjoint is `conj(F)`: the transform of the other sign. That is computed here, for any length,
//! and not by a plan of the library that was called: when the adjoint is due, the plan may be gone. Powers of two go by
//! halves; other lengths are a convolution of the length of the next power of two (L. Bluestein, "A linear filtering approach to the
//! computation of the discrete Fourier transform", 1970). Everything is computed in `f64`.

use crate::custom_derivative;
use core::f64::consts::PI;

/// Which transform: its length, and whether the exponent has a plus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    /// The number of complex numbers that are transformed together.
    pub length: usize,
    /// The sign of the exponent.
    pub positive: bool,
}

impl Kind {
    /// The adjoint of a transform.
    pub fn adjoint(self) -> Kind {
        Kind { positive: !self.positive, ..self }
    }

    /// Finds out what a transform is by what it makes of the second unit vector (of as many numbers as are transformed in all): the powers
    /// of `w` in the first part, or the same where a part is one number.
    pub fn of_response(response: &[f64]) -> Kind {
        let zero = |z: &[f64]| z.iter().all(|part| *part == 0.0);
        let count = response.chunks_exact(2).take_while(|z| !zero(z)).count();
        Kind { length: count.max(1), positive: response.get(3).is_some_and(|im| *im > 0.0) }
    }
}

/// Transforms each part of `values`, of real and imaginary parts by turns.
#[custom_derivative(Const, Const, Duplicated, forward = jvp, reverse = vjp)]
pub(super) fn transform(length: usize, positive: bool, values: &mut [f64]) {
    if length < 2 {
        return;
    }
    let parts = values.chunks_exact_mut(2 * length);
    if length.is_power_of_two() {
        let roots = roots(length, positive);
        parts.for_each(|part| halves(part, &roots));
    } else {
        let chirp = Chirp::new(length, positive);
        parts.for_each(|part| chirp.transform(part));
    }
}

fn jvp(length: usize, positive: bool, values: &mut [f64], tangent: &mut [f64]) {
    transform(length, positive, values);
    transform(length, positive, tangent);
}

fn vjp(length: usize, positive: bool, _: &mut [f64], adjoint: &mut [f64]) {
    transform(length, !positive, adjoint);
}

/// `exp(s * i * angle)`.
fn turn(angle: f64, positive: bool) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos, if positive { sin } else { -sin }]
}

fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// The first half of the powers of `w`.
fn roots(length: usize, positive: bool) -> Vec<[f64; 2]> {
    (0..length / 2).map(|k| turn(2.0 * PI * k as f64 / length as f64, positive)).collect()
}

/// The transform of a power of two: numbers in the order of their reversed indices, then ever longer transforms of two halves each.
fn halves(values: &mut [f64], roots: &[[f64; 2]]) {
    let length = values.len() / 2;
    let shift = usize::BITS - length.trailing_zeros();
    for index in 0..length {
        let other = index.reverse_bits() >> shift;
        if index < other {
            values.swap(2 * index, 2 * other);
            values.swap(2 * index + 1, 2 * other + 1);
        }
    }
    let mut half = 1;
    while half < length {
        let step = length / (2 * half);
        for block in values.chunks_exact_mut(4 * half) {
            let (even, odd) = block.split_at_mut(2 * half);
            for (index, (a, b)) in even.chunks_exact_mut(2).zip(odd.chunks_exact_mut(2)).enumerate() {
                let turned = times([b[0], b[1]], roots[index * step]);
                (a[0], b[0]) = (a[0] + turned[0], a[0] - turned[0]);
                (a[1], b[1]) = (a[1] + turned[1], a[1] - turned[1]);
            }
        }
        half *= 2;
    }
}

/// A transform of any length as a convolution: `j k = (j^2 + k^2 - (j - k)^2) / 2`.
struct Chirp {
    /// `w^(k^2 / 2)`.
    factors: Vec<[f64; 2]>,
    /// The transform of `w^(-k^2 / 2)`, around 0.
    kernel: Vec<f64>,
    there: Vec<[f64; 2]>,
    back: Vec<[f64; 2]>,
}

impl Chirp {
    fn new(length: usize, positive: bool) -> Chirp {
        let whole = (2 * length - 1).next_power_of_two();
        let (there, back) = (roots(whole, false), roots(whole, true));
        // Squares modulo 2 n, so that the angles stay exact.
        let square = |k: usize| (k as u128 * k as u128 % (2 * length as u128)) as f64;
        let factors: Vec<[f64; 2]> = (0..length).map(|k| turn(PI * square(k) / length as f64, positive)).collect();
        let mut kernel = vec![0.0; 2 * whole];
        for (k, [re, im]) in factors.iter().enumerate() {
            for place in [k, (whole - k) % whole] {
                kernel[2 * place] = *re;
                kernel[2 * place + 1] = -im;
            }
        }
        halves(&mut kernel, &there);
        Chirp { factors, kernel, there, back }
    }

    fn transform(&self, part: &mut [f64]) {
        let mut room = vec![0.0; self.kernel.len()];
        let scale = 2.0 / room.len() as f64;
        for ((to, from), factor) in room.chunks_exact_mut(2).zip(part.chunks_exact(2)).zip(&self.factors) {
            to.copy_from_slice(&times([from[0], from[1]], *factor));
        }
        halves(&mut room, &self.there);
        for (to, by) in room.chunks_exact_mut(2).zip(self.kernel.chunks_exact(2)) {
            let product = times([to[0], to[1]], [by[0], by[1]]);
            to.copy_from_slice(&product);
        }
        halves(&mut room, &self.back);
        for ((to, from), factor) in part.chunks_exact_mut(2).zip(room.chunks_exact(2)).zip(&self.factors) {
            let [re, im] = times([from[0], from[1]], *factor);
            to.copy_from_slice(&[re * scale, im * scale]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, transform};
    use core::f64::consts::PI;

    #[test]
    fn transforms_of_every_length_are_the_sum() {
        for length in [1, 2, 3, 4, 5, 7, 8, 12, 16, 27, 31, 64] {
            for positive in [false, true] {
                let values: Vec<f64> = (0..4 * length).map(|i| ((i * i * 7 + 3) % 11) as f64 - 5.0).collect();
                let mut found = values.clone();
                transform(length, positive, &mut found);
                for (part, of) in found.chunks(2 * length).zip(values.chunks(2 * length)) {
                    for (j, z) in part.chunks(2).enumerate() {
                        let mut sum = [0.0, 0.0];
                        for (k, x) in of.chunks(2).enumerate() {
                            let angle = 2.0 * PI * (j * k % length) as f64 / length as f64;
                            let (sin, cos) = (if positive { angle } else { -angle }).sin_cos();
                            sum = [sum[0] + x[0] * cos - x[1] * sin, sum[1] + x[0] * sin + x[1] * cos];
                        }
                        let scale = 1e-13 * length as f64;
                        assert!(
                            (z[0] - sum[0]).abs() < scale && (z[1] - sum[1]).abs() < scale,
                            "{length}: {z:?} {sum:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_transform_is_known_by_what_it_does() {
        for length in [1, 2, 3, 8, 10] {
            for parts in [1, 3] {
                for positive in [false, true] {
                    let mut unit = vec![0.0; 2 * length * parts];
                    unit.get_mut(2).into_iter().for_each(|one| *one = 1.0);
                    transform(length, positive, &mut unit);
                    let kind = Kind::of_response(&unit);
                    assert_eq!(kind.length, length);
                    // Of one and of two numbers both transforms are the same, up to rounding.
                    assert!(length < 3 || kind.positive == positive);
                }
            }
        }
    }
}
