//! Collections, enums and traits of one's own, and programs as users write them: each topic is a file of `programs/`.
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

use testing::{assert_close, functional, scalar};

mod programs {
    mod books;
    mod borrowed_layers;
    mod caches;
    mod calls_by_name;
    mod cloned_tokens;
    mod collected;
    mod constants_beside;
    mod containers;
    mod curves;
    mod decorators;
    mod documents;
    mod enums_of_both;
    mod evaluators;
    mod expressions;
    mod handed_by_objects;
    mod items;
    mod kept_bits;
    mod layers;
    mod looked_up;
    mod machines;
    mod maps;
    mod mixed_records;
    mod models;
    mod moved_records;
    mod moved_variants;
    mod narrow_maps;
    mod narrow_variants;
    mod networks;
    mod numbers_of_two_kinds;
    mod objects;
    mod operators;
    mod ordered;
    mod owned;
    mod owners;
    mod panics_in_collections;
    mod parsers;
    mod pieces_of_variants;
    mod programs_of_enums;
    mod queues;
    mod read_trees;
    mod records_in_maps;
    mod records_in_place;
    mod reused_blocks;
    mod rows_behind_fields;
    mod scenes;
    mod searches;
    mod settings;
    mod shared_slices;
    mod sifted;
    mod sorting;
    mod stack_machines;
    mod structures;
    mod tables;
    mod tokens;
    mod typed_moves;
    mod variants;
}
