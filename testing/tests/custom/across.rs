//! Rules of a library, and rules for a library's functions.

use companion::{Field, Polynomial, Spring, integral};
use cotangent::{autodiff, derivative, derivative_rule, gradient, hessian, jvp};
use testing::assert_close;

#[test]
fn a_librarys_rules_hold_where_its_functions_are_called() {
    let x = [1.0, 2.0, 3.0];
    assert_close!(gradient(companion::energy, &x), [20.0, 40.0, 60.0]);
    assert_close!(jvp(companion::energy, &x, &[1.0, 0.0, 1.0]), (14.0, 80.0));
    assert_close!(derivative(companion::tiny, 3.0), 60.0);
    assert_close!(derivative(companion::apart, 3.0), 60.0);
    assert_close!(gradient(|x: &[f64]| companion::tiny(x[0]) + companion::apart(x[1]), &[3.0, 2.0]), [60.0, 40.0]);
}

#[test]
fn and_in_its_other_functions() {
    // (x² + y²) x² + y², each factor's derivative ten times what it is.
    let (x, y) = (2.0, 3.0);
    let expected = [20.0 * x * x * x + 13.0 * 20.0 * x, 20.0 * y * x * x + 20.0 * y];
    assert_close!(gradient(companion::through, &[x, y]), expected);
    assert_close!(jvp(companion::through, &[x, y], &[1.0, 0.0]).1, expected[0]);
}

#[test]
fn and_in_derivatives_that_the_library_asks_for() {
    let (x, y) = (2.0, 3.0);
    let expected = [20.0 * x * x * x + 13.0 * 20.0 * x + 10.0, 20.0 * y * x * x + 20.0 * y];
    assert_close!(companion::own_gradient(&[x, y]), expected);
    let mut dx = [0.0; 2];
    assert_close!(companion::d_through(&[x, y], &mut dx, 1.0), companion::own(&[x, y]));
    assert_close!(dx, expected);
}

#[test]
fn a_librarys_rule_for_a_function_of_its_own_holds_here_too() {
    assert_close!(derivative(companion::vendored, 1.0), 10.0);
    assert_close!(gradient(|x: &[f64]| companion::vendored(x[0]) * x[0], &[2.0]), [3.0 + 20.0]);
}

#[test]
fn a_generic_function_brings_its_rule_along() {
    let f = |x: &[f64]| companion::sum(&[x[0], x[1], x[2]], x[3]);
    assert_close!(gradient(f, &[1.0, 2.0, 3.0, 0.5]), [1.0, 1.0, 1.0, 60.0]);
    assert_close!(jvp(f, &[1.0, 2.0, 3.0, 0.5], &[1.0, 0.0, 0.0, 1.0]), (3.0, 65.0));
    let f = |x: &[f32]| companion::sum(&[x[0], x[1]], x[2]) as f32;
    assert_close!(gradient(f, &[1.0, 2.0, 0.5]), [1.0f32, 1.0, 30.0]);
}

#[test]
fn a_method_of_a_generic_struct_brings_its_rule_along() {
    let p = Polynomial { coefficients: [1.0, 2.0, 3.0] };
    assert_close!(derivative(|x| p.at(x), 2.0), 3.0 * 14.0);
    assert_close!(gradient(|x: &[f64]| p.at(x[0]) * x[1], &[2.0, 5.0]), [15.0 * 14.0, 17.0]);
    let single = Polynomial { coefficients: [1.0f32, 2.0, 3.0, 4.0] };
    assert_close!(derivative(|x| single.at(x), 1.0f32), 60.0f32);
    // By the coefficients as well, with a tape.
    let of = |x: &[f64]| Polynomial::of([x[0], x[1], x[2]], x[3]);
    assert_close!(gradient(of, &[1.0, 2.0, 3.0, 2.0]), [3.0, 6.0, 12.0, 42.0]);
    assert_close!(gradient(|x: &[f32]| Polynomial::of([x[0], x[1]], x[2]), &[1.0, 2.0, 2.0]), [3.0f32, 6.0, 6.0]);
    // Forward over reverse: the text of the reverse rules, where `at` has its forward rule.
    assert_close!(derivative(|x| derivative(|y| p.at(y), x), 2.0), 18.0);
    let h = hessian(of, &[1.0, 2.0, 3.0, 2.0]);
    assert_close!(h[12..], [0.0, 3.0, 12.0, 18.0]);
    assert_close!([h[3], h[7], h[11], h[15]], h[12..]);
}

#[test]
fn a_function_of_functions_brings_its_rule_along_for_each() {
    let k = 2.0;
    let sine = |x: f64| (k * x).sin();
    let f = |x: &[f64]| integral(&sine, x[0], x[1]) * x[0];
    let value = integral(&sine, 0.3, 1.1);
    assert_close!(gradient(f, &[0.3, 1.1]), [value - 0.3 * sine(0.3), 0.3 * sine(1.1)]);
    assert_close!(jvp(f, &[0.3, 1.1], &[0.0, 2.0]).1, 0.6 * sine(1.1));
    // Another one in each iteration.
    let powers = |t: f64| (0..3).map(|n| integral(&|x: f64| x.powi(n), 0.0, t)).sum::<f64>();
    assert_close!(derivative(powers, 2.0), 7.0);
    let h = hessian(|x: &[f64]| integral(&sine, x[0], x[1]), &[0.3, 1.1]);
    assert_close!(h, [-2.0 * 0.6f64.cos(), 0.0, 0.0, 2.0 * 2.2f64.cos()]);
}

#[test]
fn a_method_of_a_trait_brings_its_rule_along() {
    fn total(field: &impl Field, x: &[f64]) -> f64 {
        x.iter().map(|x| field.at(*x)).sum()
    }
    let spring = Spring { stiffness: 0.5 };
    assert_close!(gradient(|x: &[f64]| total(&spring, x), &[1.0, -2.0]), [10.0, -20.0]);
    assert_close!(jvp(|x: &[f64]| total(&spring, x), &[1.0, -2.0], &[1.0, 1.0]), (2.5, -10.0));
}

derivative_rule! { companion::bare: fn(&[f64], i32) -> f64, forward = bare_jvp, reverse = bare_vjp }
derivative_rule! { companion::bare_generic::<f64>: fn(f64) -> f64, reverse = generic_vjp }

fn bare_jvp(x: &[f64], dx: &[f64], power: i32) -> (f64, f64) {
    (companion::bare(x, power), 100.0 * dx.iter().sum::<f64>())
}

fn bare_vjp(_x: &[f64], dx: &mut [f64], _power: i32, dret: f64) {
    dx.iter_mut().for_each(|d| *d += 100.0 * dret);
}

fn generic_vjp(x: f64, dret: f64) -> f64 {
    20.0 * x * dret
}

#[autodiff(d_bare, Reverse, Duplicated, Active)]
fn bare(x: &[f64]) -> f64 {
    companion::bare(x, 2) + companion::around_bare(x)
}

#[test]
fn a_rule_for_a_librarys_function_holds_here_and_in_the_library() {
    assert_close!(gradient(|x: &[f64]| companion::bare(x, 2), &[1.0, 2.0]), [100.0, 100.0]);
    assert_close!(jvp(|x: &[f64]| companion::bare(x, 2), &[1.0, 2.0], &[1.0, 0.5]), (5.0, 150.0));
    let mut dx = [0.0; 2];
    assert_close!(d_bare(&[1.0, 2.0], &mut dx, 1.0), 5.0 + 18.0);
    assert_close!(dx, [300.0, 300.0]);
}

#[test]
fn a_rule_for_an_instance_is_no_rule_for_others() {
    assert_close!(gradient(|x: &[f64]| companion::bare_generic(x[0]), &[3.0]), [60.0]);
    assert_close!(gradient(|x: &[f32]| companion::bare_generic(x[0]), &[3.0]), [6.0f32]);
}

#[test]
fn a_librarys_rule_is_differentiated_in_second_derivatives() {
    // The rule says 20 x; so the second derivative is 20.
    assert_close!(hessian(|x: &[f64]| companion::energy(x), &[1.0, 2.0]), [20.0, 0.0, 0.0, 20.0]);
    assert_close!(derivative(|t: f64| derivative(companion::tiny, t), 3.0), 20.0);
}
