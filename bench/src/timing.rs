//! Medians of interleaved repetitions: what is compared runs in turn, so that a slow moment of the machine
//! meets all of them. The thread's processor time counts, not the time that other programs take. Each sample begins with a call
//! that does not count: what the function before it left in the caches is at nobody's expense, and least of all at that
//! of the one with the fewest calls in a sample.

use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// A sample takes at least this long, however short one call is.
const SAMPLE: Duration = Duration::from_millis(4);
/// Repetitions end after this much time, if there were enough of them.
const BUDGET: Duration = Duration::from_millis(1500);
/// The least and the largest number of samples of each function.
const ROUNDS: std::ops::RangeInclusive<usize> = 5..=41;

/// The median processor time of one call of each function, in seconds.
pub fn medians<const N: usize>(mut work: [&mut dyn FnMut(); N]) -> [f64; N] {
    let calls: [u32; N] = std::array::from_fn(|i| calls_per_sample(work[i]));
    let mut samples: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    let start = Instant::now();
    for round in 0..*ROUNDS.end() {
        if round >= *ROUNDS.start() && start.elapsed() > BUDGET {
            break;
        }
        for i in 0..N {
            samples[i].push(sample(work[i], calls[i]));
        }
    }
    samples.map(|mut samples| median(&mut samples))
}

/// The middle of the sorted samples.
///
/// # Panics
/// If there are none.
pub fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn sample(work: &mut dyn FnMut(), calls: u32) -> f64 {
    work();
    let start = ThreadTime::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

/// Doubles the number of calls until they fill a sample.
fn calls_per_sample(work: &mut dyn FnMut()) -> u32 {
    let mut calls = 1;
    while sample(work, calls) * f64::from(calls) < SAMPLE.as_secs_f64() && calls < 1 << 24 {
        calls *= 2;
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_timed_in_every_round() {
        let work = |n: u64| (0..n).fold(0u64, |sum, i| std::hint::black_box(sum.wrapping_add(i)));
        let (mut a, mut b) = (0u64, 0u64);
        let times = medians([
            &mut || {
                a += 1;
                work(10_000);
            },
            &mut || {
                b += 1;
                work(1_000_000);
            },
        ]);
        assert!(a >= 5 && b >= 5);
        assert!(times.iter().all(|time| time.is_finite() && *time >= 0.0), "{times:?}");
    }

    #[test]
    fn the_median_ignores_an_outlier() {
        assert_eq!(median(&mut [3.0, 1.0, 1000.0, 2.0, 4.0]), 3.0);
    }
}
