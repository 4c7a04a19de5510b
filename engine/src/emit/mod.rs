//! Emission: from the plan to instructions. It decides nothing.
pub mod expr;
