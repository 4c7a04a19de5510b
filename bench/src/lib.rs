//! Speed of gradients: against the function itself, and against the gradient written by hand in Rust.
//!
//! `cargo run --release -p bench [filter]` prints a table, `--json` the same as JSON, and
//! `cargo run --release -p bench -- build-time` what the driver adds to builds. Every row also compares the two
//! gradients: a fast wrong one is an error.
#![forbid(unsafe_code)]

pub mod build_time;
pub mod cases;
pub mod report;
pub mod timing;
