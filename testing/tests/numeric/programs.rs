//! Programs as numerical users write them.

use crate::functional;
use testing::noise;

fn normal_cdf(x: f64) -> f64 {
    // Abramowitz and Stegun 26.2.17.
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let poly = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut sum = f(a) + f(b);
    for i in 1..n {
        let weight = if i % 2 == 1 { 4.0 } else { 2.0 };
        sum += weight * f(a + i as f64 * h);
    }
    sum * h / 3.0
}

fn interpolated(knots: &[f64], values: &[f64], x: f64) -> f64 {
    let mut low = 0;
    let mut high = knots.len() - 1;
    while high - low > 1 {
        let middle = (low + high) / 2;
        if knots[middle] <= x {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (x - knots[low]) / (knots[high] - knots[low]);
    values[low] * (1.0 - t) + values[high] * t
}

functional! {
    fn black_scholes(x: &[f64]) -> f64 {
        let (spot, strike, rate, volatility, time) = (x[0], x[1], x[2], x[3], x[4]);
        let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / (volatility * time.sqrt());
        let d2 = d1 - volatility * time.sqrt();
        spot * normal_cdf(d1) - strike * (-rate * time).exp() * normal_cdf(d2)
    } at [100.0, 110.0, 0.05, 0.2, 1.5];

    fn a_perceptron_with_one_hidden_layer(x: &[f64]) -> f64 {
        let (inputs, hidden) = (3, 4);
        let (w1, rest) = x.split_at(inputs * hidden);
        let (b1, w2) = rest.split_at(hidden);
        let mut loss = 0.0;
        for sample in 0..5 {
            let s = sample as f64;
            let input = [s.sin(), s.cos(), 0.3 * s];
            let mut out = 0.0;
            for h in 0..hidden {
                let mut a = b1[h];
                for i in 0..inputs {
                    a += w1[h * inputs + i] * input[i];
                }
                out += w2[h] * a.tanh();
            }
            let miss = out - (0.5 * s).sin();
            loss += miss * miss;
        }
        loss
    } at noise(31, 20);

    fn softmax_cross_entropy(x: &[f64]) -> f64 {
        let largest = x.iter().cloned().fold(f64::MIN, f64::max);
        let total: f64 = x.iter().map(|v| (v - largest).exp()).sum();
        x.iter().enumerate().map(|(i, v)| -(((v - largest).exp() / total).ln()) * (i % 2) as f64).sum()
    } at [0.3, -1.0, 2.0, 0.7];

    fn lennard_jones_energy(x: &[f64]) -> f64 {
        let n = x.len() / 3;
        let mut energy = 0.0;
        for i in 0..n {
            for j in 0..i {
                let mut r2 = 0.0;
                for k in 0..3 {
                    let d = x[3 * i + k] - x[3 * j + k];
                    r2 += d * d;
                }
                if r2 < 6.25 {
                    let s6 = 1.0 / (r2 * r2 * r2);
                    energy += 4.0 * (s6 * s6 - s6);
                }
            }
        }
        energy
    } at [0.0, 0.0, 0.1, 1.1, 0.1, 0.0, 0.2, 1.2, 0.3, 3.5, 0.0, 0.0];

    fn log_determinant_by_cholesky(x: &[f64]) -> f64 {
        const N: usize = 4;
        let mut a = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..N {
                a[i][j] = x[i * N + j] * x[j * N + i] + if i == j { 6.0 } else { 0.0 };
            }
        }
        let mut l = [[0.0; N]; N];
        let mut log = 0.0;
        for i in 0..N {
            for j in 0..=i {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= l[i][k] * l[j][k];
                }
                if i == j {
                    l[i][i] = sum.sqrt();
                    log += 2.0 * l[i][i].ln();
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        log
    } at noise(32, 16);

    fn a_determinant_with_pivoting(x: &[f64]) -> f64 {
        const N: usize = 4;
        let mut a = x.to_vec();
        let mut det = 1.0;
        for k in 0..N {
            let mut pivot = k;
            for i in k + 1..N {
                if a[i * N + k].abs() > a[pivot * N + k].abs() {
                    pivot = i;
                }
            }
            if pivot != k {
                for j in 0..N {
                    a.swap(k * N + j, pivot * N + j);
                }
                det = -det;
            }
            det *= a[k * N + k];
            for i in k + 1..N {
                let f = a[i * N + k] / a[k * N + k];
                for j in k..N {
                    a[i * N + j] -= f * a[k * N + j];
                }
            }
        }
        det
    } at noise(33, 16);

    fn a_tridiagonal_system(x: &[f64]) -> f64 {
        let n = x.len();
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        for i in 0..n {
            let (a, b, up) = (0.3 * x[i], 2.0 + x[i] * x[i], -0.4);
            let m = if i == 0 { b } else { b - a * c[i - 1] };
            c[i] = up / m;
            d[i] = if i == 0 { x[i] / m } else { (x[i] - a * d[i - 1]) / m };
        }
        for i in (0..n - 1).rev() {
            d[i] -= c[i] * d[i + 1];
        }
        d.iter().map(|v| v * v).sum()
    } at noise(34, 7);

    fn power_iteration(x: &[f64]) -> f64 {
        let a = [[2.0, x[0], x[1]], [x[0], 3.0, x[2]], [x[1], x[2], 1.0]];
        let mut v = [1.0, 1.0, 1.0];
        let mut eigenvalue = 0.0;
        for _ in 0..30 {
            let mut w = [0.0; 3];
            for i in 0..3 {
                for j in 0..3 {
                    w[i] += a[i][j] * v[j];
                }
            }
            eigenvalue = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
            for i in 0..3 {
                v[i] = w[i] / eigenvalue;
            }
        }
        eigenvalue
    } at [0.3, -0.2, 0.5];

    fn conjugate_gradients(x: &[f64]) -> f64 {
        let n = x.len();
        let times = |p: &[f64], out: &mut [f64]| {
            for i in 0..n {
                out[i] = (3.0 + x[i]) * p[i] - p[(i + 1) % n] - p[(i + n - 1) % n];
            }
        };
        let mut solution = vec![0.0; n];
        let mut residual = vec![1.0; n];
        let mut direction = residual.clone();
        let mut image = vec![0.0; n];
        let mut rr: f64 = residual.iter().map(|r| r * r).sum();
        for _ in 0..3 {
            times(&direction, &mut image);
            let pap: f64 = direction.iter().zip(&image).map(|(p, q)| p * q).sum();
            let alpha = rr / pap;
            for i in 0..n {
                solution[i] += alpha * direction[i];
                residual[i] -= alpha * image[i];
            }
            let next: f64 = residual.iter().map(|r| r * r).sum();
            let beta = next / rr;
            rr = next;
            for i in 0..n {
                direction[i] = residual[i] + beta * direction[i];
            }
        }
        solution.iter().sum()
    } at noise(35, 6);

    fn a_convolution_in_two_dimensions(x: &[f64]) -> f64 {
        let (image, kernel) = x.split_at(25);
        let mut total = 0.0;
        for r in 0..3 {
            for c in 0..3 {
                let mut out = 0.0;
                for i in 0..3 {
                    for j in 0..3 {
                        out += image[(r + i) * 5 + c + j] * kernel[i * 3 + j];
                    }
                }
                total += out.max(0.0) * out;
            }
        }
        total
    } at noise(36, 34);

    fn soft_alignment_of_two_series(x: &[f64]) -> f64 {
        let n = x.len() / 2;
        let (a, b) = x.split_at(n);
        let mut table = vec![1e3f64; (n + 1) * (n + 1)];
        table[0] = 0.0;
        for i in 1..=n {
            for j in 1..=n {
                let d = (a[i - 1] - b[j - 1]).powi(2);
                let (p, q, r) =
                    (table[(i - 1) * (n + 1) + j - 1], table[(i - 1) * (n + 1) + j], table[i * (n + 1) + j - 1]);
                let least = p.min(q).min(r);
                let soft = least - ((least - p).exp() + (least - q).exp() + (least - r).exp()).ln();
                table[i * (n + 1) + j] = d + soft;
            }
        }
        table[(n + 1) * (n + 1) - 1]
    } at noise(37, 8);

    fn the_forward_algorithm_of_a_hidden_markov_model(x: &[f64]) -> f64 {
        let stay = [sigmoid(x[0]), sigmoid(x[1])];
        let emit = [sigmoid(x[2]), sigmoid(x[3])];
        let observed = [true, false, false, true, true, false];
        let mut p = [0.5, 0.5];
        let mut log = 0.0;
        for o in observed {
            let mut next = [stay[0] * p[0] + (1.0 - stay[1]) * p[1], (1.0 - stay[0]) * p[0] + stay[1] * p[1]];
            for s in 0..2 {
                next[s] *= if o { emit[s] } else { 1.0 - emit[s] };
            }
            let total = next[0] + next[1];
            log += total.ln();
            p = [next[0] / total, next[1] / total];
        }
        log
    } at [0.7, -0.3, 1.2, -0.9];

    fn interpolation_in_a_table(x: &[f64]) -> f64 {
        let knots = [0.0, 0.5, 1.5, 2.0, 4.0];
        let y = interpolated(&knots, &x[..5], x[5]);
        y * y + interpolated(&knots, &x[..5], 3.1)
    } at [1.0, 2.0, -1.0, 0.5, 3.0, 1.2], [1.0, 2.0, -1.0, 0.5, 3.0, 3.2];

    fn quadrature_with_a_closure(x: &[f64]) -> f64 {
        let (a, b) = (x[0], x[1]);
        simpson(|t| (a * t).sin() * (-b * t * t).exp(), 0.0, x[2], 20)
    } at [2.0, 0.5, 1.5];

    fn bisection_then_a_newton_step(x: &[f64]) -> f64 {
        let f = |t: f64| t * t * t + x[0] * t - x[1];
        let (mut low, mut high) = (0.0, 4.0);
        while high - low > 1e-9 {
            let middle = 0.5 * (low + high);
            if f(middle) < 0.0 { low = middle } else { high = middle }
        }
        let t = 0.5 * (low + high);
        t - f(t) / (3.0 * t * t + x[0])
    } at [1.5, 4.0];

    fn an_integrator_that_chooses_its_steps(x: &[f64]) -> f64 {
        let rate = |y: f64| x[0] * y * (1.0 - y);
        let (mut y, mut t, mut h) = (x[1], 0.0, 0.2);
        let mut steps = 0;
        while t < 2.0 && steps < 500 {
            if t + h > 2.0 {
                h = 2.0 - t;
            }
            let k1 = rate(y);
            let k2 = rate(y + h * k1);
            let error = (0.5 * h * (k2 - k1)).abs();
            if error < 1e-3 {
                y += 0.5 * h * (k1 + k2);
                t += h;
            } else {
                h *= 0.5;
            }
            steps += 1;
        }
        y
    } at [3.0, 0.1];

    fn a_chain_of_rotations(x: &[f64]) -> f64 {
        let mut p = [1.0, 0.0, 0.0];
        for (i, angle) in x.iter().enumerate() {
            let (s, c) = angle.sin_cos();
            p = match i % 3 {
                0 => [c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]],
                1 => [p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]],
                _ => [c * p[0] + s * p[2], p[1], c * p[2] - s * p[0]],
            };
            p[0] += 0.5;
        }
        p[0] * p[1] + p[2] * p[2]
    } at [0.3, -0.8, 1.2, 0.4, 0.9];

    fn gamma_by_lanczos(x: &[f64]) -> f64 {
        const C: [f64; 6] =
            [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
             -0.5395239384953e-5];
        let mut denominator = x[0];
        let shifted = x[0] + 5.5;
        let log = (x[0] + 0.5) * shifted.ln() - shifted;
        let mut series = 1.000000000190015;
        for c in C {
            denominator += 1.0;
            series += c / denominator;
        }
        log + (2.5066282746310005 * series / x[0]).ln()
    } at [3.3], [0.7];

    fn a_projection_of_a_camera(x: &[f64]) -> f64 {
        let (r, point) = x.split_at(3);
        let theta2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        let rotated = if theta2 > 0.0 {
            let theta = theta2.sqrt();
            let (s, c) = theta.sin_cos();
            let w = [r[0] / theta, r[1] / theta, r[2] / theta];
            let cross =
                [w[1] * point[2] - w[2] * point[1], w[2] * point[0] - w[0] * point[2], w[0] * point[1] - w[1] * point[0]];
            let along = (w[0] * point[0] + w[1] * point[1] + w[2] * point[2]) * (1.0 - c);
            [
                point[0] * c + cross[0] * s + w[0] * along,
                point[1] * c + cross[1] * s + w[1] * along,
                point[2] * c + cross[2] * s + w[2] * along,
            ]
        } else {
            [
                point[0] + r[1] * point[2] - r[2] * point[1],
                point[1] + r[2] * point[0] - r[0] * point[2],
                point[2] + r[0] * point[1] - r[1] * point[0],
            ]
        };
        let (u, v) = (rotated[0] / rotated[2], rotated[1] / rotated[2]);
        let r2 = u * u + v * v;
        let d = 1.0 + 0.1 * r2 + 0.02 * r2 * r2;
        (u * d - 0.3).powi(2) + (v * d + 0.1).powi(2)
    } at [0.2, -0.4, 0.1, 0.5, 0.8, 3.0];

    fn a_recurrent_cell(x: &[f64]) -> f64 {
        let (w, rest) = x.split_at(8);
        let mut hidden = [rest[0], rest[1]];
        let mut cell = [0.0; 2];
        let mut loss = 0.0;
        for t in 0..4 {
            let input = (t as f64 * 0.7).sin();
            for i in 0..2 {
                let forget = sigmoid(input * w[i] + w[2 + i]);
                let gate = sigmoid(hidden[i] * w[4 + i]);
                let change = (hidden[1 - i] * w[6 + i]).tanh();
                cell[i] = cell[i] * forget + gate * change;
            }
            for i in 0..2 {
                hidden[i] = sigmoid(input) * cell[i].tanh();
            }
            loss += (hidden[0] - hidden[1]).powi(2) + hidden[0] * 0.1;
        }
        loss
    } at noise(38, 10);

    fn a_transform_by_halves(x: &[f64]) -> f64 {
        #[inline(never)]
        fn transform(re: &mut [f64], im: &mut [f64]) {
            let n = re.len();
            if n == 1 {
                return;
            }
            let half = n / 2;
            let (mut er, mut ei) = (vec![0.0; half], vec![0.0; half]);
            let (mut or, mut oi) = (vec![0.0; half], vec![0.0; half]);
            for i in 0..half {
                (er[i], ei[i], or[i], oi[i]) = (re[2 * i], im[2 * i], re[2 * i + 1], im[2 * i + 1]);
            }
            transform(&mut er, &mut ei);
            transform(&mut or, &mut oi);
            for i in 0..half {
                let (s, c) = (-2.0 * std::f64::consts::PI * i as f64 / n as f64).sin_cos();
                let (tr, ti) = (c * or[i] - s * oi[i], c * oi[i] + s * or[i]);
                (re[i], im[i]) = (er[i] + tr, ei[i] + ti);
                (re[i + half], im[i + half]) = (er[i] - tr, ei[i] - ti);
            }
        }
        let mut re = x.to_vec();
        let mut im = vec![0.0; x.len()];
        transform(&mut re, &mut im);
        re.iter().zip(&im).enumerate().map(|(k, (a, b))| (a * a + b * b) * (k + 1) as f64).sum()
    } at noise(39, 8);
}
