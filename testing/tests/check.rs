//! Checks of gradients: that they pass where they should, and say what is wrong where they should not.

#[path = "check/control.rs"]
mod control;
#[path = "check/mistakes.rs"]
mod mistakes;
#[path = "check/programs.rs"]
mod programs;
#[path = "check/random.rs"]
mod random;
#[path = "check/rules.rs"]
mod rules;
#[path = "check/signatures.rs"]
mod signatures;
#[path = "check/strategies.rs"]
mod strategies;
