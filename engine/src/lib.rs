//! The differentiation pass.
#![forbid(unsafe_code)]
pub mod rule;
