//! Analyses: pure functions from a [`crate::ir::Func`] to facts.
pub mod activity;
pub mod bits;
pub mod casts;
pub mod cfg;
pub mod globals;
pub mod memory;
pub mod reason;
pub mod spot;
pub mod widths;
