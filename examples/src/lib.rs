//! What the example programs share.
#![forbid(unsafe_code)]
