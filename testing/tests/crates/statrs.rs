//! Distributions and special functions.

use crate::functional;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};
use statrs::function::gamma::{gamma, ln_gamma};

functional! {
    fn densities_of_the_normal_distribution(x: &[f64]) -> f64 {
        let normal = Normal::new(x[0], x[2]).unwrap();
        normal.ln_pdf(x[1]) + normal.cdf(x[3])
    } at [0.7, -0.4, 1.3, 0.9];

    fn the_gamma_function(x: &[f64]) -> f64 { ln_gamma(x[0] + 2.0) + gamma(x[1]) } at [0.7, 1.3];
}
