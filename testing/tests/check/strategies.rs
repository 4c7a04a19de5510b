//! Points from strategies of `proptest`.

use cotangent::check::Failure;
use cotangent::{autodiff, check};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

#[autodiff(d_energy, Reverse, Duplicated, Active, Active)]
#[autodiff(b_energy, Forward, Dual, Dual, Dual)]
fn energy(x: &[f64], k: f64) -> f64 {
    x.windows(2).map(|w| (k * (w[1] - w[0])).sin().exp()).sum()
}

proptest! {
    #![proptest_config(Config { cases: 40, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_chain(x in prop::collection::vec(-3.0..3.0f64, 2..8), k in 0.5..2.0f64) {
        check!(energy(Duplicated(&x), Active(k)) -> Active, reverse = d_energy, forward = b_energy).run()?;
    }

    #[test]
    fn any_chain_in_single_precision(x in prop::collection::vec(-1.0..1.0f32, 2..5), seed: u64) {
        let f = |x: &[f32]| x.windows(2).map(|w| (w[1] * w[0]).sin() + w[1]).sum();
        check::gradient(f).at(&x).seed(seed).run()?;
    }

    #[test]
    fn kinks_among_random_points(x in prop::collection::vec(-2..3i32, 4)) {
        // Whole numbers: many of them are on the kink.
        let x: Vec<f64> = x.into_iter().map(f64::from).collect();
        let f = |x: &[f64]| x.iter().map(|x| x.max(0.0) * *x + x.abs() + 0.5 * x).sum();
        check::gradient(f).at(&x).skip_kinks().run()?;
    }
}

#[test]
fn a_slope_of_zero_beside_small_ones_settles_in_single_precision() {
    let f = |x: &[f32]| x.windows(2).map(|w| (w[1] * w[0]).sin() + w[1]).sum();
    for seed in 0..40 {
        let x = [-0.347_342_7, 0.0, -0.714_597_5, -0.845_679_04];
        check::gradient(f).at(&x).seed(seed).run().unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn a_failing_case_is_shrunk_and_told() {
    // Wrong where the sum is above 1.
    let wrong = |x: &[f64]| {
        let sum = x.iter().sum::<f64>();
        x.iter().map(|x| if sum > 1.0 { -x.cos() } else { x.cos() }).collect::<Vec<f64>>()
    };
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()));
    let points = prop::collection::vec(0.0..1.0f64, 1..6);
    let result = runner.run(&points, |x| {
        let check = check::function(|x: &[f64]| x.iter().map(|x| x.sin()).sum()).gradient(wrong).at(&x);
        check.run()?;
        Ok(())
    });
    let Err(TestError::Fail(reason, point)) = result else { panic!("{result:?}") };
    assert!(reason.message().contains("wrong sign"), "{reason}");
    assert!(point.iter().sum::<f64>() > 1.0);
}

#[test]
fn a_failure_is_an_error_like_any_other() {
    fn test() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        check::scalar(|x: f64| x * x).derivative(|x| x).at(0.7).run()?;
        Ok(())
    }
    let error = test().unwrap_err();
    assert!(error.downcast_ref::<Failure>().is_some_and(|failure| failure.expected() > 1.39));
}
