//! Collections, records and the bits of what they hold, moved and sorted: each topic is a file of `data/`.
#![allow(
    clippy::assign_op_pattern,
    clippy::boxed_local,
    clippy::manual_is_multiple_of,
    clippy::manual_swap,
    clippy::manual_unwrap_or,
    clippy::manual_unwrap_or_default,
    clippy::multiple_bound_locations,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::useless_vec,
    clippy::while_let_on_iterator,
    reason = "each way to write a program is a case of its own"
)]

use testing::{assert_close, functional};

mod data {
    mod beside_references;
    mod containers;
    mod items;
    mod kept_bits;
    mod mixed_records;
    mod moved_records;
    mod numbers_of_two_kinds;
    mod packed_statics;
    mod panics_in_collections;
    mod parsed;
    mod records_in_place;
    mod records_of_numbers;
    mod reused_blocks;
    mod rows_behind_fields;
    mod shared_slices;
    mod typed_moves;
}
