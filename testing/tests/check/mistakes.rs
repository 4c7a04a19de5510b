//! Wrong derivatives of every kind: each is caught, and said to be of its kind.

use std::cell::Cell;

use cotangent::check::{self, Failure, Mistake};

/// x0² x1 + sin x1 + 3 x2 + x0 x2, at a point where all is generic.
fn f(x: &[f64]) -> f64 {
    x[0] * x[0] * x[1] + x[1].sin() + 3.0 * x[2] + x[0] * x[2]
}

fn g(x: &[f64]) -> [f64; 3] {
    [2.0 * x[0] * x[1] + x[2], x[0] * x[0] + x[1].cos(), 3.0 + x[0]]
}

const X: [f64; 3] = [0.7, 1.3, -0.4];

/// The failure of a derivative in reverse mode that adds `wrong(x, seed)`.
#[track_caller]
fn added(wrong: impl Fn(&[f64], f64) -> [f64; 3]) -> Failure {
    let reverse = |x: &[f64], dx: &mut [f64], seed: f64| {
        for (dx, g) in dx.iter_mut().zip(wrong(x, seed)) {
            *dx += g;
        }
        f(x)
    };
    check::function(f).reverse(reverse).at(&X).run().expect_err("the check passed")
}

/// What a gradient without seeds is said to be.
#[track_caller]
fn gradient(wrong: impl Fn(&[f64]) -> [f64; 3]) -> Failure {
    let failure = added(|x, seed| wrong(x).map(|g| seed * g));
    let other = check::function(f).gradient(|x| wrong(x).to_vec()).at(&X).run().expect_err("the check passed");
    assert_eq!(failure.mistake(), other.mistake(), "\n{failure}\n{other}");
    failure
}

#[test]
fn the_right_one_passes() {
    let reverse = |x: &[f64], dx: &mut [f64], seed: f64| {
        for (dx, g) in dx.iter_mut().zip(g(x)) {
            *dx += seed * g;
        }
        f(x)
    };
    let forward = |x: &[f64], v: &[f64]| (f(x), g(x).iter().zip(v).map(|(g, v)| g * v).sum::<f64>());
    let report = check::function(f).reverse(reverse).forward(forward).at(&X).near(20, 0.5).run().unwrap();
    assert!(report.worst < 1e-9, "{report}");
}

#[test]
fn a_missing_term() {
    let failure = gradient(|x| [g(x)[0], x[0] * x[0], g(x)[2]]);
    assert_eq!(failure.mistake(), &Mistake::MissingTerm, "{failure}");
    assert_eq!(failure.input(), Some("x[1]"));
    assert_eq!(failure.output(), Some("y"));
    assert!((failure.expected() - g(&X)[1]).abs() < 1e-9 && failure.got() == 0.7 * 0.7);
    assert!(failure.error() < 1e-9 && failure.step() > 0.0);
}

#[test]
fn an_extra_term() {
    let failure = gradient(|x| [g(x)[0], g(x)[1], g(x)[2] + x[1]]);
    assert_eq!(failure.mistake(), &Mistake::MissingTerm, "{failure}");
    assert_eq!(failure.input(), Some("x[2]"));
}

#[test]
fn a_factor() {
    for factor in [2.0, 0.5, 1.0 / 3.0, 1.001, -2.0] {
        let failure = gradient(|x| [g(x)[0], factor * g(x)[1], g(x)[2]]);
        let Mistake::Factor(found) = failure.mistake() else { panic!("{failure}") };
        assert!((found - factor).abs() < 1e-4, "{failure}");
        assert_eq!(failure.input(), Some("x[1]"));
    }
}

#[test]
fn a_factor_everywhere() {
    let failure = gradient(|x| g(x).map(|g| 3.0 * g));
    assert!(matches!(failure.mistake(), Mistake::Factor(factor) if (factor - 3.0).abs() < 1e-6), "{failure}");
    assert!(failure.to_string().contains("wrong: 3 of 3 components"), "{failure}");
}

#[test]
fn a_sign() {
    let failure = gradient(|x| [g(x)[0], g(x)[1], -g(x)[2]]);
    assert_eq!(failure.mistake(), &Mistake::Sign, "{failure}");
    assert_eq!(failure.input(), Some("x[2]"));
    assert_eq!(gradient(|x| g(x).map(|g| -g)).mistake(), &Mistake::Sign);
}

#[test]
fn a_dependence_that_is_missing() {
    let failure = gradient(|x| [g(x)[0], 0.0, g(x)[2]]);
    assert_eq!(failure.mistake(), &Mistake::Missing, "{failure}");
    assert_eq!(failure.input(), Some("x[1]"));
    assert_eq!(gradient(|_| [0.0; 3]).mistake(), &Mistake::Missing);
}

#[test]
fn the_wrong_place() {
    let failure = gradient(|x| [g(x)[1], g(x)[0], g(x)[2]]);
    assert!(matches!(failure.mistake(), Mistake::Swapped(_)), "{failure}");
    assert!([Some("x[0]"), Some("x[1]")].contains(&failure.input()));
}

#[test]
fn not_a_number() {
    let failure = gradient(|x| [g(x)[0], f64::NAN, g(x)[2]]);
    assert_eq!(failure.mistake(), &Mistake::NotFinite, "{failure}");
    assert_eq!(failure.input(), Some("x[1]"));
}

#[test]
fn one_among_many_inputs() {
    let f = |x: &[f64]| x.iter().enumerate().map(|(i, x)| (x + i as f64).sin()).sum::<f64>();
    let g = |x: &[f64]| x.iter().enumerate().map(|(i, x)| (x + i as f64).cos()).collect::<Vec<f64>>();
    let x: Vec<f64> = (0..3000).map(|i| 0.1 + (i as f64 * 0.37).sin()).collect();
    check::function(f).gradient(g).at(&x).assert();
    let wrong = |x: &[f64]| {
        let mut g = g(x);
        g[1234] = -g[1234];
        g
    };
    let failure = check::function(f).gradient(wrong).at(&x).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::Sign, Some("x[1234]")), "{failure}");
}

#[test]
fn a_seed_that_is_ignored() {
    let failure = added(|x, _| g(x));
    assert_eq!(failure.mistake(), &Mistake::SeedIgnored, "{failure}");
    let forward = |x: &[f64], _: &[f64]| g(x).iter().sum::<f64>();
    let failure = check::function(f).forward(forward).at(&X).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::SeedIgnored, "{failure}");
}

#[test]
fn a_seed_that_is_used_twice() {
    let failure = added(|x, seed| g(x).map(|g| seed * seed * g));
    assert_eq!(failure.mistake(), &Mistake::NotLinear, "{failure}");
}

#[test]
fn a_shadow_that_is_overwritten() {
    let reverse = |x: &[f64], dx: &mut [f64], seed: f64| dx.copy_from_slice(&g(x).map(|g| seed * g));
    let failure = check::function(f).reverse(reverse).at(&X).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Overwritten, "{failure}");
    let one = |x: &[f64], dx: &mut [f64], seed: f64| {
        let g = g(x);
        dx[0] += seed * g[0];
        dx[1] = seed * g[1];
        dx[2] += seed * g[2];
    };
    let failure = check::function(f).reverse(one).at(&X).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::Overwritten, Some("x[1]")), "{failure}");
}

#[test]
fn a_shadow_that_is_used_as_scratch() {
    let reverse = |x: &[f64], dx: &mut [f64], seed: f64| {
        for (dx, g) in dx.iter_mut().zip(g(x)) {
            *dx += seed * g;
            *dx *= 1.0 + 1e-3 * f64::from(u8::from(*dx != seed * g));
        }
    };
    let failure = check::function(f).reverse(reverse).at(&X).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Accumulation, "{failure}");
}

#[test]
fn another_value() {
    let reverse = |x: &[f64], dx: &mut [f64], seed: f64| {
        for (dx, g) in dx.iter_mut().zip(g(x)) {
            *dx += seed * g;
        }
        f(x) + 1e-6
    };
    let failure = check::function(f).reverse(reverse).at(&X).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Value, "{failure}");
    assert!(failure.to_string().contains("the plain call"), "{failure}");
}

#[test]
fn a_constant_that_is_changed() {
    let constant = Cell::new(2.0);
    let f = |x: f64| constant.get() * x * x;
    let reverse = |x: f64, seed: f64| {
        let adjoint = 2.0 * constant.get() * x * seed;
        constant.set(2.0 + 1e-13);
        adjoint
    };
    let failure = check::scalar(f).reverse(reverse).constant("k", &constant).at(0.7).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::ConstantChanged, Some("k")), "{failure}");
}

#[test]
fn a_constant_of_the_macro_that_is_changed() {
    fn f(x: f64, k: &Cell<f64>) -> f64 {
        k.get() * x * x
    }
    fn d_f(x: f64, k: &Cell<f64>, seed: f64) -> (f64, f64) {
        let value = f(x, k);
        let adjoint = 2.0 * k.get() * x * seed;
        k.set(2.0 + 1e-13);
        (value, adjoint)
    }
    let constant = Cell::new(2.0);
    let failure = cotangent::check!(f(Active(0.7), Const(&constant)) -> Active, reverse = d_f).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::ConstantChanged, Some("&constant")), "{failure}");
}

#[test]
fn an_argument_that_is_changed() {
    fn f(x: &Cell<f64>) -> f64 {
        x.get() * x.get()
    }
    #[derive(Clone)]
    struct Argument(Cell<f64>);
    impl check::Floats for Argument {
        fn visit(&mut self, visitor: &mut check::Visitor<'_>) {
            visitor.field("0", self.0.get_mut());
        }
    }
    fn primal(x: &Argument) -> f64 {
        f(&x.0)
    }
    fn reverse(x: &Argument, dx: &mut Argument, seed: f64) -> f64 {
        let value = primal(x);
        *dx.0.get_mut() += 2.0 * x.0.get() * seed;
        x.0.set(x.0.get() * (1.0 + 1e-15));
        value
    }
    let x = Argument(Cell::new(0.7));
    let failure = cotangent::check!(primal(Duplicated(&x)) -> Active, reverse = reverse).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::ArgumentChanged, Some("x.0")), "{failure}");
}

/// Two tangents in one sweep, with lanes as `order` says.
fn lanes(order: [usize; 2], factor: f64) -> Failure {
    fn g(x: &[f64]) -> [f64; 2] {
        [x[1], x[0]]
    }
    let primal = |x: &[f64]| x[0] * x[1];
    let batch = move |x: &[f64], v: &[f64], w: &[f64]| {
        let tangents = [v, w].map(|v| g(x)[0] * v[0] + g(x)[1] * v[1]);
        [x[0] * x[1], tangents[order[0]], factor * tangents[order[1]]]
    };
    cotangent::check!(primal(Dual(&[0.7, 1.9])) -> Dual, forward(2) = batch).run().unwrap_err()
}

#[test]
fn lanes_that_are_exchanged() {
    let failure = lanes([1, 0], 1.0);
    assert_eq!(failure.mistake(), &Mistake::Lane { lane: 0, holds: Some(1) }, "{failure}");
    let failure = lanes([0, 0], 1.0);
    assert_eq!(failure.mistake(), &Mistake::Lane { lane: 1, holds: Some(0) }, "{failure}");
}

#[test]
fn a_lane_that_is_wrong_by_itself() {
    let failure = lanes([0, 1], 1.5);
    assert_eq!(failure.mistake(), &Mistake::Lane { lane: 1, holds: None }, "{failure}");
}

#[test]
fn modes_that_disagree_by_less_than_differences_see() {
    let reverse = |x: f64, seed: f64| x.cos() * seed;
    let forward = |x: f64, v: f64| x.cos() * v * (1.0 + 1e-10);
    let failure = check::scalar(f64::sin).reverse(reverse).forward(forward).at(0.4).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Disagree, "{failure}");
}

#[test]
fn a_kink_at_the_point() {
    let relu = |x: &[f64]| x[0].max(0.0) * x[1] + x[1];
    let gradient = |x: &[f64]| vec![if x[0] >= 0.0 { x[1] } else { 0.0 }, x[0].max(0.0) + 1.0];
    let failure = check::function(relu).gradient(gradient).at(&[0.0, 2.0]).run().unwrap_err();
    let Mistake::Kink { left, right } = failure.mistake() else { panic!("{failure}") };
    assert!(left.abs() < 1e-8 && (right - 2.0).abs() < 1e-8, "{failure}");
    assert_eq!(failure.input(), Some("x[0]"));
    // What is not between the two slopes is wrong whatever the convention.
    let wrong = |x: &[f64]| vec![-x[1], x[0].max(0.0) + 1.0];
    let failure = check::function(relu).gradient(wrong).at(&[0.0, 2.0]).run().unwrap_err();
    assert!(!matches!(failure.mistake(), Mistake::Kink { .. }), "{failure}");
    // A kink nearby is stepped over.
    check::function(relu).gradient(gradient).at(&[1e-5, 2.0]).at(&[-1e-7, 2.0]).assert();
}

#[test]
fn a_jump_at_the_point() {
    let failure = check::scalar(|x: f64| x + x.floor()).derivative(|_| 1.0).at(2.0).run().unwrap_err();
    assert!(matches!(failure.mistake(), Mistake::Kink { left, .. } if left.is_infinite()), "{failure}");
    assert!(failure.to_string().contains("a jump"), "{failure}");
}

#[test]
fn a_function_that_is_not_one() {
    let calls = Cell::new(0.0);
    let impure = |x: f64| {
        calls.set(calls.get() + 1.0);
        x * calls.get()
    };
    let failure = check::scalar(impure).derivative(|_| 1.0).at(2.0).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Impure, "{failure}");
}

#[test]
fn values_that_are_noise() {
    // Off by 1e-3, by what looks random.
    let noisy = |x: f64| x + 1e-3 * (x * 1e15).sin();
    let failure = check::scalar(noisy).derivative(|_| 1.0).at(2.0).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Unsettled, "{failure}");
}

#[test]
fn a_hessian_that_is_not_symmetric() {
    let f = |x: &[f64]| x[0] * x[0] * x[1] + x[1].exp();
    let g = |x: &[f64]| vec![2.0 * x[0] * x[1], x[0] * x[0] + x[1].exp()];
    let check = || check::function(f).gradient(g).at(&[0.4, 0.9]);
    check().hessian(|x| vec![2.0 * x[1], 2.0 * x[0], 2.0 * x[0], x[1].exp()]).assert();
    let failure =
        check().hessian(|x| vec![2.0 * x[1], 2.0 * x[0] * (1.0 + 1e-9), 2.0 * x[0], x[1].exp()]).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Asymmetric, "{failure}");
    let failure = check().hessian(|x| vec![2.0 * x[1], 2.0 * x[0], 2.0 * x[0], 0.0]).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Missing, "{failure}");
    assert_eq!((failure.output(), failure.input()), (Some("(d y / d x[1])"), Some("x[1]")));
    let failure = check().hvp(|x, v| vec![2.0 * x[1] * v[0] + 2.0 * x[0] * v[1], x[1].exp() * v[1]]).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Missing, "{failure}");
    let failure = check().hessian(|_| vec![1.0; 3]).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Length, "{failure}");
}

#[test]
fn the_output_that_is_wrong_is_found() {
    let f = |x: &[f64], y: &mut [f64]| {
        y[0] = x[0] * x[1];
        y[1] = x[1].exp();
        y[2] = x[0] - x[1];
    };
    // Wrong in the second row.
    let rows = |x: &[f64]| [[x[1], x[0]], [0.0, 2.0 * x[1].exp()], [1.0, -1.0]];
    let reverse = |x: &[f64], dx: &mut [f64], y: &mut [f64], dy: &mut [f64]| {
        f(x, y);
        for (row, dy) in rows(x).iter().zip(dy.iter_mut()) {
            dx[0] += row[0] * *dy;
            dx[1] += row[1] * *dy;
            *dy = 0.0;
        }
    };
    let failure = check::map(f, 3).reverse(reverse).at(&[0.4, 0.9]).run().unwrap_err();
    assert_eq!((failure.output(), failure.input()), (Some("y[1]"), Some("x[1]")), "{failure}");
    assert!(matches!(failure.mistake(), Mistake::Factor(factor) if (factor - 2.0).abs() < 1e-6), "{failure}");
    let failure = check::map(f, 3).jacobian(|x| rows(x).concat()).at(&[0.4, 0.9]).run().unwrap_err();
    assert_eq!((failure.output(), failure.input()), (Some("y[1]"), Some("x[1]")), "{failure}");
    let failure = check::map(f, 3).jacobian(|x| rows(x)[..2].concat()).at(&[0.4, 0.9]).run().unwrap_err();
    assert_eq!(failure.mistake(), &Mistake::Length, "{failure}");
}

#[test]
fn the_adjoint_of_what_is_overwritten() {
    // y is overwritten, so its own adjoint has to end as zero.
    fn f(x: &[f64], y: &mut [f64]) {
        y[0] = x[0] * x[0];
    }
    fn right(x: &[f64], dx: &mut [f64], y: &mut [f64], dy: &mut [f64]) {
        f(x, y);
        dx[0] += 2.0 * x[0] * dy[0];
        dy[0] = 0.0;
    }
    fn wrong(x: &[f64], dx: &mut [f64], y: &mut [f64], dy: &mut [f64]) {
        f(x, y);
        dx[0] += 2.0 * x[0] * dy[0];
    }
    let y = [5.0];
    cotangent::check!(f(Duplicated(&[0.7]), Duplicated(&mut y)), reverse = right).assert();
    let failure = cotangent::check!(f(Duplicated(&[0.7]), Duplicated(&mut y)), reverse = wrong).run().unwrap_err();
    assert_eq!((failure.output(), failure.input()), (Some("y[0]"), Some("y[0]")), "{failure}");
    assert_eq!(failure.mistake(), &Mistake::MissingTerm, "{failure}");
}

#[test]
fn what_a_derivative_leaves_behind_a_reference() {
    fn f(x: &[f64], y: &mut [f64]) {
        y[0] += x[0] * x[0];
    }
    fn leaves_nothing(x: &[f64], dx: &mut [f64], _: &mut [f64], dy: &mut [f64]) {
        dx[0] += 2.0 * x[0] * dy[0];
    }
    fn forgets_the_tangent_there(x: &[f64], v: &[f64], y: &mut [f64], dy: &mut [f64]) {
        f(x, y);
        dy[0] = 2.0 * x[0] * v[0];
    }
    let y = [5.0];
    let check = cotangent::check!(f(Duplicated(&[0.7]), Duplicated(&mut y)), reverse = leaves_nothing);
    let failure = check.run().unwrap_err();
    assert_eq!((failure.mistake(), failure.output()), (&Mistake::Value, Some("y[0]")), "{failure}");
    let check = cotangent::check!(f(Duplicated(&[0.7]), Duplicated(&mut y)), forward = forgets_the_tangent_there);
    let failure = check.run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::Missing, Some("y[0]")), "{failure}");
}

#[test]
fn single_precision_mistakes_are_found_too() {
    let f = |x: &[f32]| x[0] * x[1].sin();
    let right = |x: &[f32]| vec![x[1].sin(), x[0] * x[1].cos()];
    check::function(f).gradient(right).at(&[0.7, 0.3]).near(20, 0.8).assert();
    let failure = check::function(f).gradient(|x| vec![x[1].sin(), x[0] * x[1].sin()]).at(&[0.7, 0.3]).run();
    assert_eq!(failure.unwrap_err().mistake(), &Mistake::MissingTerm);
    let failure = check::function(f).gradient(|x| vec![x[1].sin(), 1.01 * x[0] * x[1].cos()]).at(&[0.7, 0.3]).run();
    assert!(matches!(failure.unwrap_err().mistake(), Mistake::Factor(factor) if (factor - 1.01).abs() < 1e-3));
}

#[test]
fn the_message_says_what_is_needed_to_find_the_mistake() {
    let failure = check::function(f).gradient(|x| vec![g(x)[0], -g(x)[1], g(x)[2]]).at(&X).seed(17).run().unwrap_err();
    let text = failure.to_string();
    for part in
        ["check of `gradient`: wrong sign", "d y / d x[1]", "point: [0.7, 1.3, -0.4]", ".seed(0x11)", "wrong: 1 of 3"]
    {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn the_seed_of_a_failure_gives_the_same_failure_again() {
    // Wrong in a corner, which other seeds' points and directions miss or meet elsewhere.
    let wrong = |x: &[f64]| {
        let mut g = g(x).to_vec();
        g[1] *= if x[0] > 0.9 { 1.5 } else { 1.0 };
        g
    };
    let run = |seed: u64| check::function(f).gradient(wrong).seed(seed).sample(20, 3, 0.2..1.0).run();
    let failures: Vec<Failure> = (1..9).filter_map(|seed| run(seed).err()).collect();
    assert!(failures.len() > 2, "{failures:?}");
    for failure in &failures {
        assert!(failure.to_string().contains(&format!(".seed({:#x})", failure.seed())), "{failure}");
        assert_eq!(&run(failure.seed()).unwrap_err(), failure);
    }
    assert!(failures.windows(2).all(|two| two[0].point() != two[1].point()), "{failures:?}");
    // Of a failure of the first run, which named no seed, too.
    let first = check::function(f).gradient(|x| vec![g(x)[0]; 3]).near(3, 0.5).at(&X).run().unwrap_err();
    let again = check::function(f).gradient(|x| vec![g(x)[0]; 3]).near(3, 0.5).at(&X).seed(first.seed()).run();
    assert_eq!(again.unwrap_err(), first);
}

#[test]
fn a_wrong_rule_is_found_through_the_gradient_that_uses_it() {
    #[cotangent::custom_derivative(reverse = (waves_augmented, waves_pullback), forward = waves_jvp)]
    fn waves(x: &[f64], k: f64) -> f64 {
        x.iter().map(|v| (v * k).sin()).sum()
    }
    fn waves_augmented(x: &[f64], k: f64) -> (f64, Vec<f64>) {
        (waves(x, k), x.iter().map(|v| (v * k).cos()).collect())
    }
    fn waves_pullback(cosines: Vec<f64>, _: &[f64], dx: &mut [f64], k: f64, dret: f64) -> f64 {
        dx.iter_mut().zip(&cosines).for_each(|(dx, c)| *dx += c * k * dret);
        // Forgets what multiplies `k`.
        cosines.iter().sum::<f64>() * dret
    }
    fn waves_jvp(x: &[f64], dx: &[f64], k: f64, dk: f64) -> (f64, f64) {
        (waves(x, k), x.iter().zip(dx).map(|(v, d)| (v * k).cos() * (d * k + v * dk)).sum())
    }
    let failure = check::gradient(|x: &[f64]| waves(&x[1..], x[0])).at(&[0.4, 0.9, 1.3]).run().unwrap_err();
    assert_eq!((failure.mistake(), failure.input()), (&Mistake::MissingTerm, Some("x[0]")), "{failure}");
}

#[test]
#[should_panic(expected = "gradient check of `derivative`: wrong factor, 2.0")]
fn assert_panics_with_the_message() {
    check::scalar(|x: f64| x * x).derivative(|x| 4.0 * x).at(0.7).assert();
}

#[test]
fn a_panic_is_at_the_line_of_the_caller() {
    let line = std::sync::Arc::new(std::sync::Mutex::new((String::new(), 0)));
    let seen = line.clone();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let (Some(place), Ok(mut seen)) = (info.location(), seen.lock())
            && info.to_string().contains("2.500000 times")
        {
            *seen = (place.file().to_owned(), place.line());
        }
    }));
    let expected = line!() + 2;
    let panicked = std::panic::catch_unwind(|| {
        check::scalar(|x: f64| x * x).derivative(|x| 5.0 * x).at(0.7).assert();
    });
    std::panic::set_hook(before);
    assert!(panicked.is_err());
    let (file, found) = line.lock().unwrap().clone();
    assert!(file.ends_with("mistakes.rs") && found == expected, "{file}:{found}");
}
