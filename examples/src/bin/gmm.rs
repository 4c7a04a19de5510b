//! The log-likelihood of a Gaussian mixture and its gradient, on a file of the ADBench suite or on generated data.
//!
//! `cargo run --release -p examples --bin gmm [FILE]`
#![forbid(unsafe_code)]

use examples::differences::{along, distance};
use examples::gmm::Problem;
use examples::random::Random;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let problem = match &arguments[..] {
        [] => Problem::generate(10, 25, 1000, 1),
        [path] => match Problem::read(Path::new(path)) {
            Ok(problem) => problem,
            Err(error) => {
                eprintln!("gmm: `{path}`: {error}");
                return ExitCode::FAILURE;
            }
        },
        _ => {
            eprintln!("usage: gmm [FILE]    a file in ADBench's gmm format; without one, data are generated");
            return ExitCode::from(2);
        }
    };

    let (value, gradient) = problem.value_and_gradient();
    let norm = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
    println!("components {}, dimension {}, points {}", problem.k(), problem.d, problem.n());
    println!("log-likelihood   {value:.12e}");
    println!("gradient norm    {norm:.12e}");

    // The derivative along a random direction, from the gradient and from values alone.
    let direction = Random::new(2).normals(gradient.len());
    let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
    let by_differences = along(|p| problem.value_at(p), &problem.parameters(), &direction, 1e-4);
    let apart = distance(slope, by_differences);
    println!("along a random direction {slope:.9e}, by differences {by_differences:.9e}");

    let primal_time = shortest(|| black_box(&problem).value());
    let mut sums = vec![0.0; gradient.len()];
    let gradient_time = shortest(|| black_box(&problem).add_gradient(&mut sums));
    println!(
        "primal {:.3} ms, gradient {:.3} ms: {:.2} times",
        primal_time * 1e3,
        gradient_time * 1e3,
        gradient_time / primal_time
    );

    if distance(value, problem.value()) < 1e-12 && apart < 1e-5 {
        ExitCode::SUCCESS
    } else {
        eprintln!("gmm: the gradient does not agree with differences");
        ExitCode::FAILURE
    }
}

/// The shortest of a few timings, in seconds: the one least disturbed.
fn shortest(mut f: impl FnMut() -> f64) -> f64 {
    let time = |f: &mut dyn FnMut() -> f64| {
        let start = Instant::now();
        black_box(f());
        start.elapsed().as_secs_f64()
    };
    (0..7).map(|_| time(&mut f)).fold(f64::INFINITY, f64::min)
}
