//! Enums, moved, replaced and taken apart: each topic is a file of `variants/`.
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

mod variants {
    mod cloned_tokens;
    mod commands;
    mod enums_in_enums;
    mod enums_of_both;
    mod halved;
    mod inline_or_heap;
    mod moved_in_rows;
    mod moved_variants;
    mod narrow_variants;
    mod pieces_of_pointers;
    mod pieces_of_variants;
    mod results_beside_narrow_floats;
    mod rewritten_trees;
    mod shadows_of_another;
    mod variants_behind;
    mod variants_put_back;
}
