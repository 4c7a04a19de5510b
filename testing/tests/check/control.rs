//! The negative control: a check that cannot fail is a failure.

use cotangent::check::{self, Failure, Mistake};

#[track_caller]
fn cannot_fail(result: Result<check::Report, Failure>, why: &str) {
    let failure = result.expect_err("the check passed");
    assert_eq!(failure.mistake(), &Mistake::CannotFail, "{failure}");
    assert!(failure.to_string().contains(why), "{failure}");
}

#[test]
fn a_function_that_does_not_depend_on_its_arguments() {
    let check = check::function(|_: &[f64]| 3.0).gradient(|x| vec![0.0; x.len()]);
    cannot_fail(check.at(&[1.0, 2.0]).run(), "is zero, or too small for differences, at every point");
}

#[test]
fn points_at_which_every_derivative_is_zero() {
    let squares = || check::function(|x: &[f64]| x.iter().map(|x| x * x).sum());
    let right = |x: &[f64]| x.iter().map(|x| 2.0 * x).collect();
    cannot_fail(squares().gradient(right).at(&[0.0, 0.0]).run(), "choose points");
    // One point elsewhere is enough.
    squares().gradient(right).at(&[0.0, 0.0]).at(&[0.0, 1.0]).assert();
}

#[test]
fn an_absurd_tolerance() {
    for tolerance in [1.0, 1e9, f64::INFINITY, f64::NAN] {
        let check = check::scalar(|x: f64| x.exp()).derivative(f64::exp).at(0.5).tolerance(tolerance);
        cannot_fail(check.run(), "accepts for `derivative` a derivative that is zero, doubled");
    }
    for rounding in [1.0, f64::NAN, -1.0] {
        let check = check::scalar(|x: f64| x.exp()).derivative(f64::exp).at(0.5).rounding(rounding);
        cannot_fail(check.run(), "accepts anything");
    }
}

#[test]
fn no_points_no_derivatives_and_no_arguments() {
    cannot_fail(check::scalar(|x: f64| x).derivative(|_| 1.0).run(), "no point was given");
    cannot_fail(check::scalar(|x: f64| x).derivative(|_| 1.0).points([]).run(), "no point was given");
    cannot_fail(check::scalar(|x: f64| x).at(1.0).run(), "no derivative was given");
    let check = check::function(|_: &[f64]| 3.0).gradient(|_| Vec::new());
    cannot_fail(check.at(&[]).run(), "is zero");
    let check = check::function(|x: &[f64]| x[0]).hessian(|_| vec![0.0]);
    cannot_fail(check.at(&[1.0]).run(), "give `.gradient(..)`");
}

#[test]
fn a_linear_function_says_nothing_about_its_hessian() {
    let linear = |x: &[f64]| 2.0 * x[0] - x[1];
    let check = check::function(linear).gradient(|_| vec![2.0, -1.0]).hessian(|_| vec![0.0; 4]);
    cannot_fail(check.at(&[1.0, 3.0]).run(), "`hessian` is zero");
}

#[test]
fn points_that_are_all_left_out_at_kinks() {
    let check = check::scalar(|x: f64| x.abs()).derivative(|x| if x >= 0.0 { 1.0 } else { -1.0 });
    let at_the_kink = check.at(0.0).skip_kinks();
    cannot_fail(at_the_kink.run(), "left out at kinks");
    let report = at_the_kink.at(2.0).run().unwrap();
    assert_eq!((report.skipped, report.points), (1, 2));
}

#[test]
fn points_outside_the_domain() {
    for point in [f64::NAN, f64::INFINITY] {
        let failure = check::scalar(|x: f64| x.exp()).derivative(f64::exp).at(point).run().unwrap_err();
        assert_eq!(failure.mistake(), &Mistake::NotFinite);
        assert!(failure.to_string().contains("the point itself"), "{failure}");
    }
    let failure = check::scalar(|x: f64| x.ln()).derivative(|x| 1.0 / x).at(-1.0).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::NotFinite);
    assert!(failure.to_string().contains("the function is NaN"), "{failure}");
}

#[test]
fn inputs_of_which_nothing_is_seen_are_told() {
    let check = check::function(|x: &[f64]| x[0] * x[2]).gradient(|x| vec![x[2], 0.0, x[0]]);
    let report = check.at(&[1.0, 5.0, 2.0]).run().unwrap();
    assert_eq!(report.unseen, ["x[1]"]);
    assert!(report.to_string().ends_with("zero at every point: x[1]"), "{report}");
}
