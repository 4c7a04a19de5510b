//! Nonlinear least squares: `argmin` minimises with gradients of a closure, a Jacobian of another closure gives the last
//! digits and the standard errors, and the fit is drawn.
//!
//! The data are Misra's measurements of monomolecular adsorption (volume against pressure, 1978), the problem
//! "Misra1a" of NIST's Statistical Reference Datasets, whose certified results are checked at the end.
//!
//! `cargo run --release -p examples --bin fit [FILE.svg]`
#![forbid(unsafe_code)]

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Error, Executor, Gradient, IterState, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use cotangent::{gradient, jacobian};
use plotters::prelude::*;
use std::path::{Path, PathBuf};

/// Volume and pressure.
const DATA: [(f64, f64); 14] = [
    (10.07, 77.6),
    (14.73, 114.9),
    (17.94, 141.1),
    (23.93, 190.8),
    (29.61, 239.9),
    (35.18, 289.0),
    (40.02, 332.8),
    (44.82, 378.4),
    (50.76, 434.8),
    (55.05, 477.3),
    (61.01, 536.8),
    (66.40, 593.1),
    (75.47, 689.1),
    (81.78, 760.0),
];
/// NIST's certified parameters and their standard errors.
const CERTIFIED: [(f64, f64); 2] = [(2.3894212918e2, 2.7070075241e0), (5.5015643181e-4, 7.2668688436e-6)];
/// The parameters are fitted in these units, in which they are of the same size.
const UNITS: [f64; 2] = [1e2, 1e-4];
/// The first guess.
const GUESS: [f64; 2] = [500.0, 1e-4];

/// The model: saturation at `p[0]` with the rate `p[1]`.
fn model(p: &[f64], pressure: f64) -> f64 {
    p[0] * UNITS[0] * (1.0 - (-p[1] * UNITS[1] * pressure).exp())
}

/// A closure as a problem of `argmin`; its gradient is compiled for this closure.
struct Problem<F>(F);

impl<F: Fn(&[f64]) -> f64> CostFunction for Problem<F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, p: &Vec<f64>) -> Result<f64, Error> {
        Ok((self.0)(p))
    }
}

impl<F: Fn(&[f64]) -> f64> Gradient for Problem<F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, p: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(gradient(&self.0, p))
    }
}

/// Prints each iteration.
struct Progress;

impl Observe<IterState<Vec<f64>, Vec<f64>, (), (), (), f64>> for Progress {
    fn observe_iter(&mut self, state: &IterState<Vec<f64>, Vec<f64>, (), (), (), f64>, _: &KV) -> Result<(), Error> {
        println!("iteration {:3}: sum of squares {:14.8}", state.get_iter(), 2.0 * state.get_cost());
        Ok(())
    }
}

/// The inverse of the symmetric 2 by 2 matrix `J' J`, from the rows of `J`.
fn inverse_of_normal_matrix(rows: &[f64]) -> [[f64; 2]; 2] {
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for row in rows.chunks_exact(2) {
        a += row[0] * row[0];
        b += row[0] * row[1];
        c += row[1] * row[1];
    }
    let determinant = a * c - b * b;
    [[c / determinant, -b / determinant], [-b / determinant, a / determinant]]
}

fn draw(path: &Path, guess: &[f64], fitted: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (800, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("adsorption: volume against pressure, first guess (grey), fitted (red)", ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(40)
        .build_cartesian_2d(0.0..800.0, 0.0..90.0)?;
    chart.configure_mesh().draw()?;
    for (p, colour) in [(guess, RGBColor(150, 150, 150)), (fitted, RED)] {
        chart.draw_series(LineSeries::new(
            (0..=80).map(|i| (10.0 * f64::from(i), model(p, 10.0 * f64::from(i)))),
            colour,
        ))?;
    }
    chart.draw_series(DATA.iter().map(|&(volume, pressure)| Circle::new((pressure, volume), 3, BLUE.filled())))?;
    root.present()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("fit.svg"), PathBuf::from);
    let guess = vec![GUESS[0] / UNITS[0], GUESS[1] / UNITS[1]];

    let data = DATA;
    let half_sum_of_squares =
        move |p: &[f64]| data.iter().map(|&(volume, x)| 0.5 * (volume - model(p, x)).powi(2)).sum::<f64>();
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7);
    let result = Executor::new(Problem(half_sum_of_squares), solver)
        .configure(|state| state.param(guess.clone()).max_iters(100))
        .add_observer(Progress, ObserverMode::Always)
        .run()?;
    let mut p = result.state().get_best_param().ok_or("no parameters were found")?.clone();

    // Gauss and Newton's steps for the last digits.
    let residuals = |p: &[f64], r: &mut [f64]| {
        for (r, (volume, x)) in r.iter_mut().zip(data) {
            *r = volume - model(p, x);
        }
    };
    let mut r = vec![0.0; data.len()];
    for _ in 0..3 {
        residuals(&p, &mut r);
        let rows = jacobian(residuals, &p, data.len());
        let inverse = inverse_of_normal_matrix(&rows);
        let slope = [0, 1].map(|j| rows.chunks_exact(2).zip(&r).map(|(row, r)| row[j] * r).sum::<f64>());
        for j in 0..2 {
            p[j] -= inverse[j][0] * slope[0] + inverse[j][1] * slope[1];
        }
    }
    residuals(&p, &mut r);
    let variance = r.iter().map(|r| r * r).sum::<f64>() / (data.len() - 2) as f64;
    let covariance = inverse_of_normal_matrix(&jacobian(residuals, &p, data.len()));

    for (j, (certified, certified_error)) in CERTIFIED.into_iter().enumerate() {
        let (value, error) = (p[j] * UNITS[j], (variance * covariance[j][j]).sqrt() * UNITS[j]);
        println!("b{} = {value:.10e} +- {error:.10e}   certified {certified:.10e} +- {certified_error:.10e}", j + 1);
        assert!((value / certified - 1.0).abs() < 1e-8, "the fit is the certified one");
        assert!((error / certified_error - 1.0).abs() < 1e-6, "the standard error is the certified one");
    }
    draw(&path, &guess, &p).map_err(|error| format!("cannot draw `{}`: {error}", path.display()))?;
    println!("drawn to {}", path.display());
    Ok(())
}
