//! Checks of derivatives that know nothing of the rules by which they were made.
//!
//! - [`differences`]: slopes by central differences of sixth order, with the step chosen by agreement.
//! - [`close`]: the comparison behind [`assert_close!`].
//! - [`check`]: a primal with its two derivatives, held against differences and against each other.
//! - [`litter`]: what memory holds before a derivative gets it.
//! - [`refusal()`]: the message of a panic.
//! - [`functional!`], [`scalar!`], [`map!`], [`in_place!`]: a whole test from one function.
#![forbid(unsafe_code)]

#[cfg(doctest)]
pub mod book;
pub mod check;
pub mod close;
pub mod differences;
pub mod litter;
mod refusal;
mod shorthand;
#[cfg(test)]
mod summary;

pub use refusal::refusal;

/// `count` numbers in (-1, 1), the same for the same `seed`.
///
/// ```
/// let v = testing::noise(7, 100);
/// assert_eq!(v, testing::noise(7, 100));
/// assert!(v.iter().all(|v| v.abs() < 1.0));
/// ```
pub fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..8 {
        next();
    }
    (0..count).map(|_| next()).collect()
}

/// The inner product.
///
/// # Panics
/// If the lengths differ.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "an inner product of {} and {} numbers", a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
