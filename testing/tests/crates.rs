//! Functions of other people's crates, as they are: each crate is a file of `crates/`.

use testing::functional;

mod crates {
    mod glam;
    mod nalgebra;
    mod ndarray;
    mod petgraph;
    mod statrs;
    mod vectors;
}
