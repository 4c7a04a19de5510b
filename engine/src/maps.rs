//! Maps and sets without an order. The engine asks them all the time and for its own numbers only, so a fast hash is better than one that nobody can provoke
//! collisions of.

pub use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
