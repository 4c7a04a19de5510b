//! Collections, records, enums and the bits of what they hold, moved and sorted: each topic is a file of `data/`.
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
    mod borrowed_keys;
    mod cloned_tokens;
    mod collected;
    mod commands;
    mod constants_beside;
    mod containers;
    mod enums_of_both;
    mod grouped;
    mod inline_or_heap;
    mod items;
    mod kept_bits;
    mod maps;
    mod maps_beside_references;
    mod mixed_records;
    mod moved_records;
    mod moved_variants;
    mod narrow_maps;
    mod narrow_variants;
    mod numbers_of_two_kinds;
    mod ordered;
    mod panics_in_collections;
    mod pieces_of_pointers;
    mod pieces_of_variants;
    mod records_in_maps;
    mod records_in_place;
    mod results_beside_narrow_floats;
    mod reused_blocks;
    mod rewritten_trees;
    mod rows_behind_fields;
    mod shared_slices;
    mod sifted;
    mod sorting;
    mod tables;
    mod typed_moves;
    mod variants;
    mod variants_behind;
    mod variants_put_back;
}
