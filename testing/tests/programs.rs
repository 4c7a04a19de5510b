//! Programs as users write them, with traits and objects of their own: each topic is a file of `programs/`.
#![allow(
    clippy::assign_op_pattern,
    clippy::iter_cloned_collect,
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
    mod compiled;
    mod curves;
    mod cycles;
    mod decorators;
    mod documents;
    mod evaluators;
    mod expressions;
    mod handed_by_objects;
    mod indices;
    mod lattices;
    mod layers;
    mod lines_found;
    mod loans;
    mod looked_up;
    mod machines;
    mod made_together;
    mod many_kinds;
    mod models;
    mod narrow_programs;
    mod networks;
    mod numbered;
    mod objects;
    mod objects_from_boxes;
    mod objects_in_records;
    mod objects_moved;
    mod operators;
    mod owned;
    mod owners;
    mod parsers;
    mod plants;
    mod programs_of_enums;
    mod queues;
    mod read_trees;
    mod scenes;
    mod searches;
    mod settings;
    mod stack_machines;
    mod structures;
    mod tables;
    mod tokens;
    mod triangles;
    mod worded_errors;
}
