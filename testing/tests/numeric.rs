//! Arithmetic, control flow and whole programs: each topic is a file of `numeric/`.
#![allow(
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    clippy::multiple_bound_locations,
    clippy::needless_range_loop,
    clippy::useless_vec,
    reason = "each way to write a program is a case of its own"
)]

use testing::{assert_close, functional, in_place, map, scalar};

mod numeric {
    mod arithmetic;
    mod branches;
    mod columns;
    mod complex;
    mod field;
    mod gmm;
    mod interpreter;
    mod iterators;
    mod kinks;
    mod libm;
    mod libm_crate;
    mod loops;
    mod moves;
    mod order;
    mod programs;
    mod recursion;
    mod surroundings;
    mod winners;
}
