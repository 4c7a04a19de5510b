//! What the attribute takes, and what a function may do with memory and calls: each topic is a file of `e2e/`.
#![allow(
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    clippy::manual_swap,
    clippy::manual_unwrap_or,
    clippy::manual_unwrap_or_default,
    clippy::multiple_bound_locations,
    clippy::needless_range_loop,
    clippy::useless_vec,
    clippy::while_let_on_iterator,
    reason = "each way to write a program is a case of its own"
)]

use testing::{assert_close, functional, in_place, map, scalar};

mod e2e {
    mod activities;
    mod aliasing;
    mod beside;
    mod by_value;
    mod calls;
    mod cells;
    mod constants;
    mod constants_met;
    mod constants_written;
    mod consumed;
    mod copies;
    mod counted;
    mod counters;
    mod drops;
    mod dynamic;
    mod files;
    mod found_written_behind;
    mod handed_back;
    mod handed_on;
    mod heap;
    mod joined;
    mod lengths;
    mod made_by_calls;
    mod masks;
    mod moved;
    mod of_others;
    mod panics;
    mod places;
    mod printing;
    mod remembered;
    mod results;
    mod returned;
    mod shadows;
    mod shared_cells;
    mod small;
    mod statics;
    mod swapped;
    mod unwinding;
    mod updates;
    mod widths;
}
