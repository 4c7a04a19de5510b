//! Counters and selectors.
