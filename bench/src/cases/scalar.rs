//! A straight-line function of a few numbers, where a derivative has no place to hide an instruction.

use super::Case;
use crate::report::{Limits, Row};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::largest_distance;
use examples::random::Random;
use std::hint::black_box;

/// Some arithmetic of three numbers.
#[autodiff(d_scalar, Reverse, Active, Active, Active, Active)]
pub fn scalar(x: f64, y: f64, z: f64) -> f64 {
    let a = x * y + z;
    let b = a * a + x;
    b.sqrt() / (y * y + 1.0) - a * z
}

/// Value and gradient by hand.
pub fn scalar_by_hand(x: f64, y: f64, z: f64, seed: f64) -> (f64, f64, f64, f64) {
    let a = x * y + z;
    let b = a * a + x;
    let root = b.sqrt();
    let c = y * y + 1.0;
    let quotient = root / c;
    let d_root = seed / c;
    let d_c = -quotient * d_root;
    let db = 0.5 * d_root / root;
    let da = 2.0 * a * db - z * seed;
    (quotient - a * z, db + da * y, da * x + 2.0 * y * d_c, da - a * seed)
}

/// One case: the function at a thousand points.
pub fn cases() -> Vec<Case> {
    vec![Case::new("scalar", measure)]
}

fn measure(name: String) -> Row {
    let points = Random::new(12).uniforms(3000, 0.5, 2.0);
    let (points, _) = points.as_chunks::<3>();
    let distance = points.iter().map(|&[x, y, z]| apart(x, y, z)).fold(0.0, f64::max);
    // A call whose every argument the compiler must take as it comes, and whose result it must keep.
    let [primal, gradient, hand] = medians([
        &mut || {
            for p in black_box(points) {
                black_box(scalar(p[0], p[1], p[2]));
            }
        },
        &mut || {
            for p in black_box(points) {
                black_box(d_scalar(p[0], p[1], p[2], 1.0));
            }
        },
        &mut || {
            for p in black_box(points) {
                black_box(scalar_by_hand(p[0], p[1], p[2], 1.0));
            }
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: Limits { of_primal: Some(4.0), of_hand: Some(1.5) } }
}

/// The distance between both gradients at a point.
fn apart(x: f64, y: f64, z: f64) -> f64 {
    let (v, dx, dy, dz) = d_scalar(x, y, z, 3.0);
    let (v_hand, dx_hand, dy_hand, dz_hand) = scalar_by_hand(x, y, z, 3.0);
    largest_distance(&[v, dx, dy, dz], &[v_hand, dx_hand, dy_hand, dz_hand])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_gradient;

    #[test]
    fn by_hand_agrees_with_differences() {
        let point = [0.7, -1.3, 0.4];
        let (value, dx, dy, dz) = scalar_by_hand(point[0], point[1], point[2], 1.0);
        assert_eq!(value, scalar(point[0], point[1], point[2]));
        assert_gradient(|p| scalar(p[0], p[1], p[2]), &point, &[dx, dy, dz], 1e-3, 1e-8);
    }

    #[test]
    fn generated_agrees_with_the_one_by_hand() {
        assert!(apart(0.7, -1.3, 0.4) < 1e-14);
    }
}
