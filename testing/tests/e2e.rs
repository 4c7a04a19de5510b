//! Gradients of ordinary functions, end to end: each topic is a file of `e2e/`.

use testing::{assert_close, functional, in_place, map, scalar};

mod e2e {
    mod activities;
    mod aliasing;
    mod arithmetic;
    mod branches;
    mod by_value;
    mod calls;
    mod collected;
    mod copies;
    mod dynamic;
    mod field;
    mod gmm;
    mod heap;
    mod items;
    mod iterators;
    mod kinks;
    mod lengths;
    mod libm;
    mod loops;
    mod panics;
    mod printing;
    mod structures;
    mod updates;
    mod widths;
}
