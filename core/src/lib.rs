//! Compiled automatic differentiation for stable Rust.
pub use cotangent_macros::*;
