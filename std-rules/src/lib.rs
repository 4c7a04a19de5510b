//! Derivative rules, as data.
#![forbid(unsafe_code)]
