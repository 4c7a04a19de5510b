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
    mod books;
    mod by_value;
    mod calls;
    mod cells;
    mod collected;
    mod constants;
    mod constants_met;
    mod consumed;
    mod containers;
    mod copies;
    mod counted;
    mod counters;
    mod drops;
    mod dynamic;
    mod enums_of_both;
    mod evaluators;
    mod expressions;
    mod found_written_behind;
    mod handed_back;
    mod handed_on;
    mod heap;
    mod items;
    mod joined;
    mod layers;
    mod lengths;
    mod made_by_calls;
    mod maps;
    mod mixed_records;
    mod models;
    mod moved;
    mod networks;
    mod objects;
    mod of_others;
    mod operators;
    mod owned;
    mod owners;
    mod panics;
    mod panics_in_collections;
    mod parsers;
    mod places;
    mod printing;
    mod programs_of_enums;
    mod queues;
    mod remembered;
    mod results;
    mod returned;
    mod scenes;
    mod settings;
    mod shadows;
    mod sorting;
    mod statics;
    mod structures;
    mod tables;
    mod tokens;
    mod unwinding;
    mod updates;
    mod variants;
    mod widths;
}
