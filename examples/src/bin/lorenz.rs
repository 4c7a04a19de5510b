//! Fits the three parameters of the Lorenz system to noisy observations, by gradient descent (Adam's) through the
//! integrator, and draws the fit.
//!
//! `cargo run --release -p examples --bin lorenz [FILE.svg]`
#![forbid(unsafe_code)]

use cotangent::autodiff;
use examples::random::Random;
use plotters::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Vector = [f64; 3];

const START: Vector = [1.0, 1.0, 20.0];
const TRUTH: Vector = [10.0, 28.0, 8.0 / 3.0];
const GUESS: Vector = [8.0, 24.0, 3.5];
const STEP: f64 = 0.01;
const STEPS_PER_OBSERVATION: usize = 2;
const OBSERVATIONS: usize = 40;
const NOISE: f64 = 0.3;

/// The right-hand side at `u` with the parameters `[sigma, rho, beta]`.
fn field(u: Vector, p: &Vector) -> Vector {
    let [x, y, z] = u;
    [p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z]
}

/// One step of the classical Runge-Kutta method.
fn step(u: Vector, p: &Vector, h: f64) -> Vector {
    let shifted = |h: f64, k: Vector| [u[0] + h * k[0], u[1] + h * k[1], u[2] + h * k[2]];
    let k1 = field(u, p);
    let k2 = field(shifted(0.5 * h, k1), p);
    let k3 = field(shifted(0.5 * h, k2), p);
    let k4 = field(shifted(h, k3), p);
    std::array::from_fn(|i| u[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// The mean squared distance between the system with parameters `p` and the observations.
#[autodiff(d_loss, Reverse, Duplicated, Const, Active)]
fn loss(p: &Vector, observations: &[Vector]) -> f64 {
    let mut u = START;
    let mut sum = 0.0;
    for seen in observations {
        for _ in 0..STEPS_PER_OBSERVATION {
            u = step(u, p, STEP);
        }
        for (u, seen) in u.iter().zip(seen) {
            sum += (u - seen).powi(2);
        }
    }
    sum / observations.len() as f64
}

/// The states at the times of the observations.
fn simulate(p: &Vector) -> Vec<Vector> {
    let mut u = START;
    let mut states = Vec::with_capacity(OBSERVATIONS);
    for _ in 0..OBSERVATIONS {
        for _ in 0..STEPS_PER_OBSERVATION {
            u = step(u, p, STEP);
        }
        states.push(u);
    }
    states
}

/// Adam's method from `p`; the rate decays so that the end is calm.
fn fit(mut p: Vector, observations: &[Vector], iterations: i32) -> Vector {
    let (mut first, mut second) = ([0.0; 3], [0.0; 3]);
    for i in 1..=iterations {
        let mut gradient = [0.0; 3];
        let value = d_loss(&p, &mut gradient, observations, 1.0);
        if i % 100 == 1 {
            println!("iteration {i:4}: loss {value:10.5}, parameters {p:8.4?}");
        }
        let rate = 0.2 * 0.995f64.powi(i);
        for j in 0..3 {
            first[j] += 0.1 * (gradient[j] - first[j]);
            second[j] += 0.01 * (gradient[j] * gradient[j] - second[j]);
            let (mean, square) = (first[j] / (1.0 - 0.9f64.powi(i)), second[j] / (1.0 - 0.99f64.powi(i)));
            p[j] -= rate * mean / (square.sqrt() + 1e-12);
        }
    }
    p
}

fn draw(
    path: &Path,
    observations: &[Vector],
    guess: &[Vector],
    fitted: &[Vector],
) -> Result<(), Box<dyn std::error::Error>> {
    let time = |i: usize| (i + 1) as f64 * STEP * STEPS_PER_OBSERVATION as f64;
    let root = SVGBackend::new(path, (800, 900)).into_drawing_area();
    root.fill(&WHITE)?;
    for (coordinate, area) in root.split_evenly((3, 1)).iter().enumerate() {
        let values = || observations.iter().chain(guess).chain(fitted).map(|u| u[coordinate]);
        let low = values().fold(f64::INFINITY, f64::min) - 1.0;
        let high = values().fold(f64::NEG_INFINITY, f64::max) + 1.0;
        let name = ["x", "y", "z"][coordinate];
        let mut chart = ChartBuilder::on(area)
            .caption(format!("{name}: observed (points), first guess (grey), fitted (red)"), ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(40)
            .build_cartesian_2d(0.0..time(OBSERVATIONS), low..high)?;
        chart.configure_mesh().draw()?;
        for (states, colour) in [(guess, RGBColor(150, 150, 150)), (fitted, RED)] {
            chart.draw_series(LineSeries::new(
                states.iter().enumerate().map(|(i, u)| (time(i), u[coordinate])),
                colour,
            ))?;
        }
        let points =
            observations.iter().enumerate().map(|(i, u)| Circle::new((time(i), u[coordinate]), 3, BLUE.filled()));
        chart.draw_series(points)?;
    }
    root.present()?;
    Ok(())
}

fn main() -> ExitCode {
    let path = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("lorenz.svg"), PathBuf::from);
    let mut random = Random::new(3);
    let mut observations = simulate(&TRUTH);
    for value in observations.iter_mut().flatten() {
        *value += NOISE * random.normal();
    }

    let fitted = fit(GUESS, &observations, 500);
    let (before, after) = (loss(&GUESS, &observations), loss(&fitted, &observations));
    println!("fitted parameters {fitted:.4?}, true ones {TRUTH:.4?}, loss {before:.4} -> {after:.4}");

    if let Err(error) = draw(&path, &observations, &simulate(&GUESS), &simulate(&fitted)) {
        eprintln!("lorenz: cannot draw `{}`: {error}", path.display());
        return ExitCode::FAILURE;
    }
    println!("drawn to {}", path.display());

    // What is left is the noise: three coordinates of variance NOISE^2 each.
    assert!(after < 1.5 * 3.0 * NOISE * NOISE, "the fit explains the observations");
    for (found, truth) in fitted.iter().zip(TRUTH) {
        assert!((found - truth).abs() < 0.02 * truth, "{found} is not near {truth}");
    }
    ExitCode::SUCCESS
}
