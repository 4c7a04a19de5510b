//! Programs of some size, checked as their authors would.

use cotangent::{autodiff, check, custom_derivative};

/// Weights of a network with one hidden layer.
#[derive(Clone)]
struct Network {
    hidden: Vec<Vec<f64>>,
    offsets: Vec<f64>,
    output: Vec<f64>,
}
check::floats!(Network { hidden, offsets, output });

impl Network {
    fn new(inputs: usize, hidden: usize) -> Network {
        let number = |i: usize| ((i * 7919 + 13) as f64 * 0.618).sin();
        Network {
            hidden: (0..hidden).map(|i| (0..inputs).map(|j| number(i * inputs + j)).collect()).collect(),
            offsets: (0..hidden).map(|i| 0.3 * number(i + 1000)).collect(),
            output: (0..hidden).map(|i| number(i + 2000)).collect(),
        }
    }

    #[autodiff(d_loss, Reverse, Duplicated, Const, Const, Active)]
    #[autodiff(b_loss, Forward, Dual, Const, Const, Dual)]
    fn loss(&self, points: &[[f64; 8]], targets: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (point, target) in points.iter().zip(targets) {
            let mut prediction = 0.0;
            for ((row, offset), output) in self.hidden.iter().zip(&self.offsets).zip(&self.output) {
                let mut sum = *offset;
                for (w, x) in row.iter().zip(point) {
                    sum += w * x;
                }
                prediction += output * sum.tanh();
            }
            sum += (prediction - target) * (prediction - target);
        }
        sum / points.len() as f64
    }
}

#[test]
fn a_network_with_few_and_with_many_weights() {
    let points: Vec<[f64; 8]> = (0..5).map(|i| std::array::from_fn(|j| ((i * 8 + j) as f64).cos())).collect();
    let targets = [0.3, -1.0, 0.0, 2.0, 0.7];
    for hidden in [3, 40] {
        let network = Network::new(8, hidden);
        let check = check!(
            Network::loss(Duplicated(&network), Const(&points), Const(&targets)) -> Active,
            reverse = Network::d_loss,
            forward = Network::b_loss
        );
        let report = check.run().unwrap_or_else(|failure| panic!("{failure}"));
        assert!(report.unseen.is_empty() && report.worst < 1e-7, "{report}");
    }
}

/// The Lorenz system by Runge-Kutta steps; the state is overwritten.
#[autodiff(d_trajectory, Reverse, Duplicated, Duplicated, Const)]
#[autodiff(b_trajectory, Forward, Dual, Dual, Const)]
#[autodiff(v_trajectory, Forward, 3, Dual, Dual, Const)]
fn trajectory(parameters: &[f64; 3], state: &mut [f64; 3], steps: usize) {
    let [sigma, rho, beta] = *parameters;
    let rate = |[x, y, z]: [f64; 3]| [sigma * (y - x), x * (rho - z) - y, x * y - beta * z];
    let along = |a: [f64; 3], b: [f64; 3], h: f64| [a[0] + h * b[0], a[1] + h * b[1], a[2] + h * b[2]];
    let h = 0.01;
    for _ in 0..steps {
        let k1 = rate(*state);
        let k2 = rate(along(*state, k1, h / 2.0));
        let k3 = rate(along(*state, k2, h / 2.0));
        let k4 = rate(along(*state, k3, h));
        for i in 0..3 {
            state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
}

#[test]
fn an_integrator_that_overwrites_its_state() {
    let state = [1.0, 0.5, 20.0];
    check!(
        trajectory(Duplicated(&[10.0, 28.0, 8.0 / 3.0]), Duplicated(&mut state), Const(60)),
        reverse = d_trajectory,
        forward = b_trajectory,
        forward(3) = v_trajectory
    )
    .near(2, 0.1)
    .assert();
}

/// The logarithm of a Gaussian density, by Cholesky's decomposition.
#[autodiff(d_density, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(b_density, Forward, Dual, Dual, Dual)]
fn density(x: &[f64], covariance: &[f64]) -> f64 {
    let n = x.len();
    let mut l = covariance.to_vec();
    let mut result = 0.0;
    for j in 0..n {
        for i in j..n {
            let mut sum = l[i * n + j];
            for k in 0..j {
                sum -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = if i == j { sum.sqrt() } else { sum / l[j * n + j] };
        }
        result -= l[j * n + j].ln();
    }
    let mut z = x.to_vec();
    for i in 0..n {
        for k in 0..i {
            z[i] -= l[i * n + k] * z[k];
        }
        z[i] /= l[i * n + i];
        result -= 0.5 * z[i] * z[i];
    }
    result
}

#[test]
fn a_decomposition_of_which_one_triangle_is_not_read() {
    let x = [0.3, -1.0, 0.6];
    let covariance = [2.0, 0.5, 0.3, 0.5, 1.5, -0.4, 0.3, -0.4, 1.0];
    let check =
        check!(density(Duplicated(&x), Duplicated(&covariance)) -> Active, reverse = d_density, forward = b_density);
    let report = check.near(3, 0.2).run().unwrap();
    assert_eq!(report.unseen, ["covariance[1]", "covariance[2]", "covariance[5]"]);
}

#[test]
fn hessians_of_a_valley_in_any_number_of_dimensions() {
    let valley = |x: &[f64]| x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum();
    for n in [2, 5, 9] {
        let x: Vec<f64> = (0..n).map(|i| 0.8 + 0.1 * (i as f64)).collect();
        check::hessian(valley).at(&x).near(2, 0.2).assert();
    }
}

#[test]
fn jacobians_that_are_wide_and_high() {
    let arm = |angles: &[f64], place: &mut [f64]| {
        let (mut angle, mut height) = (0.0, 0.0);
        for (i, a) in angles.iter().enumerate() {
            angle += a;
            place[0] += angle.cos() / (1 + i) as f64;
            height += angle.sin();
        }
        place[1] = height;
    };
    check::jacobian(arm, 2).at(&[0.3, -0.4, 1.0, 0.2, -2.0]).assert();
    let curve = |t: &[f64], points: &mut [f64]| {
        for (i, p) in points.iter_mut().enumerate() {
            *p = (t[0] * i as f64).sin() + t[1].exp();
        }
    };
    check::jacobian(curve, 11).at(&[0.3, -0.4]).sample(3, 2, -1.0..1.0).assert();
}

#[test]
fn single_precision_log_sum_exp() {
    let f = |x: &[f32]| {
        let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        largest + x.iter().map(|x| (x - largest).exp()).sum::<f32>().ln()
    };
    check::gradient(f).at(&[0.3, 2.0, -1.0, 1.7]).near(5, 0.5).assert();
}

/// A square root by Newton's method, with the rule of the limit.
#[custom_derivative(forward = root_jvp, reverse = root_vjp)]
#[autodiff(d_root, Reverse, Active, Active)]
#[autodiff(b_root, Forward, Dual, Dual)]
fn root(a: f64) -> f64 {
    let mut x = 0.5 * (1.0 + a);
    for _ in 0..30 {
        x = 0.5 * (x + a / x);
    }
    x
}

fn root_jvp(a: f64, da: f64) -> (f64, f64) {
    let x = root(a);
    (x, da / (2.0 * x))
}

fn root_vjp(a: f64, seed: f64) -> f64 {
    seed / (2.0 * root(a))
}

#[test]
fn a_rule_of_ones_own_by_itself_and_in_use() {
    check!(root(Active(2.0)) -> Active, reverse(ActiveOnly) = root_vjp, forward = root_jvp).assert();
    check!(root(Active(2.0)) -> Active, reverse = d_root, forward = b_root).near(4, 0.5).assert();
    check::gradient(|x: &[f64]| root(x[0] * x[1]) * x[1]).at(&[0.7, 2.0]).assert();
}

#[test]
fn an_iteration_that_stops_early_needs_a_tolerance() {
    // Stops when the step is small; the derivative is that of the last iterate.
    let f = |a: f64| {
        let mut x = 1.0;
        loop {
            let next = 0.5 * (x + a / x);
            if (next - x).abs() < 1e-3 {
                return next;
            }
            x = next;
        }
    };
    check::derivative(f).points([2.0, 3.0, 0.7]).tolerance(1e-4).assert();
}
