//! The driver on small projects, as a user would run it.
mod costs;
mod incremental;
mod libraries;
mod pieces;
mod programs;
mod records;
mod rules;
mod scratch;
mod settings;
mod statics;
mod tools;
