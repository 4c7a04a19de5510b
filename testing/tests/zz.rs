#[path = "data/variants_behind.rs"]
mod variants_behind;
