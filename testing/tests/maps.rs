//! What is looked up by keys, grouped and sorted: each topic is a file of `maps/`.
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

mod maps {
    mod borrowed_keys;
    mod cached;
    mod carried_over;
    mod collected;
    mod constants_beside;
    mod grouped;
    mod maps_beside_references;
    mod narrow_maps;
    mod of_floats;
    mod ordered;
    mod records_in_maps;
    mod sifted;
    mod sorting;
    mod tables;
    mod tables_beside;
}
