//! Random numbers, logs and clocks inside of a differentiated function: they run once, and no derivative goes through them.

use crate::{assert_close, functional};
use rand::{Rng, SeedableRng, rngs};
use std::sync::atomic::{AtomicUsize, Ordering};
use testing::noise;

functional! {
    fn random_weights(x: &[f64]) -> f64 {
        let mut rng = rngs::StdRng::seed_from_u64(7);
        let mut sum = 0.0;
        for v in x {
            let weight: f64 = rng.random();
            sum += v * v * weight + if rng.random_bool(0.3) { *v } else { 0.0 };
        }
        sum
    } at noise(1, 5);
    fn samples_whose_parameters_are_active(x: &[f64]) -> f64 {
        let mut rng = rngs::SmallRng::seed_from_u64(7);
        let (mean, deviation) = (x[0], x[1] * x[1]);
        let mut sample = || mean + deviation * rng.random_range(-1.0..1.0);
        (0..20).map(|_| sample()).map(|z| z * z * z).sum()
    } at [0.3, 0.8];
    fn a_random_number_between_active_bounds(x: &[f64]) -> f64 {
        let z: f64 = rngs::SmallRng::seed_from_u64(7).random_range(x[0]..x[1]);
        z * z
    } at [0.3, 0.8];
    fn random_weights_of_fastrand(x: &[f64]) -> f64 {
        let mut rng = fastrand::Rng::with_seed(3);
        x.iter().map(|v| v * v * rng.f64()).sum()
    } at noise(1, 5);
    fn values_in_random_order(x: &[f64]) -> f64 {
        let mut values = x.to_vec();
        fastrand::Rng::with_seed(3).shuffle(&mut values);
        values.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
    } at noise(1, 5);
    fn a_logged_and_timed_sum(x: &[f64]) -> f64 {
        let start = std::time::Instant::now();
        let sum: f64 = x.iter().map(|v| v * v).sum();
        log::info!("{sum} of {x:?} in {:?}", start.elapsed());
        sum * sum
    } at noise(1, 5);
}

#[test]
fn a_generator_is_drawn_from_as_often_as_by_the_function() {
    #[cotangent::autodiff(rev, Reverse, Duplicated, Const, Active)]
    #[cotangent::autodiff(fwd, Forward, Dual, Const, Dual)]
    fn noisy(x: &[f64], rng: &mut rngs::SmallRng) -> f64 {
        x.iter().map(|v| v * v * rng.random::<f64>()).sum()
    }
    let (x, start) = ([0.3, -0.8, 1.1], rngs::SmallRng::seed_from_u64(7));
    let (mut by_primal, mut by_reverse, mut by_forward) = (start.clone(), start.clone(), start.clone());
    let value = noisy(&x, &mut by_primal);
    let mut gradient = [0.0; 3];
    assert_eq!(rev(&x, &mut gradient, &mut by_reverse, 1.0), value);
    assert_eq!(by_reverse, by_primal);
    let mut weights = start.clone();
    assert_close!(gradient, x.map(|v| 2.0 * v * weights.random::<f64>()));
    assert_close!(fwd(&x, &[1.0; 3], &mut by_forward), (value, gradient.iter().sum::<f64>()));
    assert_eq!(by_forward, by_primal);
    assert_ne!(by_primal, start);
}

/// A logger that counts.
struct Count;

static LINES: AtomicUsize = AtomicUsize::new(0);

impl log::Log for Count {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }
    fn log(&self, record: &log::Record) {
        if record.args().to_string().starts_with("the value is 9") {
            LINES.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn flush(&self) {}
}

#[test]
fn a_line_is_logged_once() {
    #[cotangent::autodiff(d_logged, Reverse, Active, Active)]
    #[cotangent::autodiff(t_logged, Forward, Dual, Dual)]
    fn logged(x: f64) -> f64 {
        let value = x * x;
        log::warn!("the value is {value}");
        value
    }
    log::set_logger(&Count).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    assert_eq!(d_logged(3.0, 1.0), (9.0, 6.0));
    assert_eq!(LINES.load(Ordering::Relaxed), 1);
    assert_eq!(t_logged(3.0, 1.0), (9.0, 6.0));
    assert_eq!(LINES.load(Ordering::Relaxed), 2);
}
