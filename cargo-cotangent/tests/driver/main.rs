//! The driver on small projects, as a user would run it.
mod incremental;
mod programs;
mod scratch;
mod settings;
mod tools;
