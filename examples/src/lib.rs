//! What the example programs share: the ADBench Gaussian mixture (objective, input files, generated data),
//! a small random generator and a check of gradients against differences.
#![forbid(unsafe_code)]

pub mod differences;
pub mod gmm;
pub mod random;
