//! Gradients of ordinary functions, end to end: each topic is a file of `e2e/`.
#![allow(
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    clippy::multiple_bound_locations,
    clippy::needless_range_loop,
    clippy::useless_vec,
    reason = "each way to write a program is a case of its own"
)]

use testing::{assert_close, functional, in_place, map, scalar};

mod e2e {
    mod activities;
    mod aliasing;
    mod arithmetic;
    mod branches;
    mod by_value;
    mod calls;
    mod collected;
    mod copies;
    mod dynamic;
    mod field;
    mod gmm;
    mod heap;
    mod interpreter;
    mod items;
    mod iterators;
    mod kinks;
    mod lengths;
    mod libm;
    mod loops;
    mod panics;
    mod printing;
    mod programs;
    mod structures;
    mod updates;
    mod widths;
}
