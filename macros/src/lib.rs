//! The attributes of `cotangent`.
