//! Speed of gradients against the primal and against gradients written by hand.
#![forbid(unsafe_code)]
